//! A game in a list: who plays, what, how it ended; the whole card leads to it.

use khet::{Color, Position};
use khet_protocol::{End, EndReason, GameSummary};
use leptos::prelude::*;

use super::names::{day, moment, options_line};
use crate::board::BoardPicture;
use crate::game_ui::player_strip::name_of;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// The card of a game.
#[component]
pub(super) fn GameCard(
    game: GameSummary,
    /// How many watch it, if it is live.
    #[prop(optional)]
    watching: u32,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let position = Position::new(&game.position, game.options.rules).ok();
    let player = |color: Color| {
        let face = game.players.get(color).clone();
        view! {
            <span
                class="listed-player"
                class:won=won(game.end, color)
                class:drawn=drawn(game.end)
                data-color=name_of(color)
            >
                <span class="player-sign" aria-hidden="true"></span>
                <ProfileName face/>
            </span>
        }
    };
    let state = match game.end {
        Some(end) => end.score().to_owned(),
        None if watching > 0 => words.game_watching(watching as usize),
        None => words.archive_live().to_owned(),
    };
    let moves = words.archive_turns(game.moves as usize);
    view! {
        <li class="listed-game" data-game=game.id.to_string()>
            {position.map(|position| view! { <BoardPicture position/> })}
            <div class="listed-players">
                {player(Color::Silver)}
                {player(Color::Red)}
            </div>
            <a class="listed-link listed-more" href=navigation.path_of(Page::Game, game.id.as_str())>
                {options_line(&game.options, words)}
            </a>
            <span class="listed-more">
                {state} " · " {moves} " · "
                <time datetime=moment(game.at)>{day(game.at, words)}</time>
            </span>
        </li>
    }
}

fn won(end: Option<End>, color: Color) -> bool {
    end.is_some_and(|end| end.winner == Some(color))
}

fn drawn(end: Option<End>) -> bool {
    end.is_some_and(|end| end.winner.is_none() && end.reason != EndReason::Aborted)
}
