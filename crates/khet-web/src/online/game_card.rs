//! The card of a game in a list: players, options and result, linked to the game.

use khet::{Color, Outcome};
use khet_protocol::GameSummary;
use leptos::prelude::*;

use super::formatting::options_line;
use crate::board::PlacementPicture;
use crate::game_ui::dates::{day, iso_time};
use crate::game_ui::player_strip::color_name;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// The card of a game.
#[component]
pub(super) fn GameCard(
    game: GameSummary,
    /// Number of spectators of a live game.
    #[prop(optional)]
    spectators: u32,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let player = |color: Color| {
        let profile = game.players.get(color).clone();
        listed_player(game.outcome, color, view! { <ProfileName profile/> })
    };
    let state = match game.outcome {
        Some(outcome) => outcome.result().to_string(),
        None if spectators > 0 => words.game_watching(spectators as usize),
        None => words.archive_live().to_owned(),
    };
    let moves = words.archive_moves(game.moves as usize);
    // Live games are being played now.
    let date = game.outcome.map(|_| {
        view! { " · " <time datetime=iso_time(game.at)>{day(game.at, words)}</time> }
    });
    view! {
        <li class="listed-game" data-game=game.id.to_string()>
            {game.position.without_tower().map(|placement| view! { <PlacementPicture placement/> })}
            <div class="listed-players">
                {player(Color::Silver)}
                {player(Color::Red)}
            </div>
            <a class="listed-link listed-more" href=navigation.path_of(Page::Game, game.id.as_str())>
                {options_line(&game.options, words)}
            </a>
            <span class="listed-more">{state} " · " {moves} {date}</span>
        </li>
    }
}

/// A player on the card of a game, marked as the winner or with a draw.
pub(super) fn listed_player(
    outcome: Option<Outcome>,
    color: Color,
    name: impl IntoView,
) -> impl IntoView {
    view! {
        <span
            class="listed-player"
            class:won=has_won(outcome, color)
            class:drawn=is_drawn(outcome)
            data-color=color_name(color)
        >
            <span class="player-sign" aria-hidden="true"></span>
            {name}
        </span>
    }
}

/// Returns whether this side has won.
fn has_won(outcome: Option<Outcome>, color: Color) -> bool {
    outcome.is_some_and(|outcome| outcome.winner == Some(color))
}

/// Returns whether the game was drawn.
fn is_drawn(outcome: Option<Outcome>) -> bool {
    outcome.is_some_and(|outcome| outcome.winner.is_none() && !outcome.is_aborted())
}
