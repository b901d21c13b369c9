//! The result of an online game: rating changes, and the next actions.

use khet::Color;
use khet_protocol::{Action, RatingChange};
use leptos::prelude::*;

use super::actions::{ChatButton, MoreButton};
use super::state::OnlineGame;
use crate::browser::share::share_link;
use crate::controls::icon::{self, Icon};
use crate::game_ui::action_buttons::{button, highlighted_button};
use crate::game_ui::player_strip::color_name;
use crate::game_ui::profile_name::display_name;
use crate::game_ui::result::{ResultText, result_card};
use crate::routing::{Navigation, Page, use_navigation};

/// The card with the result, shown after the last shot.
#[component]
pub(super) fn OnlineResult(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let result =
        Memo::new(move |_| game.revealed.with(|session| ResultText::of_session(words, session)));
    result_card(result, move || view! { <RatingChanges game/> <NextActions game/> })
}

/// The rating changes after the game.
#[component]
pub(super) fn RatingChanges(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let changes =
        Memo::new(move |_| {
            game.with_client(|client| {
                let changes = client.rating_changes?;
                Some(Color::ALL.map(|color| {
                    (display_name(client.players.get(color), words), *changes.get(color))
                }))
            })
            .flatten()
        });
    let row = |(name, change): (String, RatingChange)| {
        let gain = i32::from(change.after) - i32::from(change.before);
        let class = if gain < 0 { "rating-loss" } else { "rating-gain" };
        view! {
            <li data-rating=change.after>
                <span>{name}</span> " "
                <strong>{change.after}</strong> " "
                <span class=class>{format!("{gain:+}").replace('-', "−")}</span>
            </li>
        }
    };
    move || {
        changes.get().map(|changes| {
            view! {
                <ul class="rating-changes" aria-label=words.game_ratings()>
                    {changes.map(row).into_iter().collect_view()}
                </ul>
            }
        })
    }
}

/// Returns the address of the game on the analysis page, with the board as the player had it.
pub(super) fn analysis_path(game: OnlineGame, navigation: Navigation) -> String {
    let side = match game.with_client(|client| client.you).flatten() {
        Some(side) => format!("&side={}", color_name(side)),
        None => String::new(),
    };
    format!("{}?game={}{side}", navigation.path(Page::Analysis), game.id)
}

/// The next actions. Spectators cannot ask for a rematch.
#[component]
fn NextActions(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let may_rematch = Memo::new(move |_| {
        game.with_client(|client| client.you.is_some_and(|you| client.state.may_offer_rematch(you)))
            == Some(true)
    });
    let next = Memo::new(move |_| game.with_client(|client| client.state.rematch_game()).flatten());
    let rematch = move || {
        match next.get() {
        Some(next) => view! {
            <a class="action ready" data-action="to-rematch" href=navigation.path_of(Page::Game, next.as_str())>
                <Icon path=icon::REMATCH/>
                <span>{words.game_to_rematch()}</span>
            </a>
        }
        .into_any(),
        None => highlighted_button("rematch", icon::REMATCH, words.play_rematch_short(), move || may_rematch.get(),
            move || !may_rematch.get(), move || game.send_action(Action::Rematch))
        .into_any(),
    }
    };
    let review = move || analysis_path(game, navigation) + "&review=yes";
    let share = move || {
        share_link(words, game.message, words.game_title(), &navigation.link_to_share());
    };
    view! {
        <div class="actions" role="group" aria-label=words.play_actions()>
            {move || (game.is_player() || next.get().is_some()).then(rematch)}
            <a class="action" data-action="review" href=review>
                <Icon path=icon::THINK/>
                <span>{words.play_review()}</span>
            </a>
            {button("share", icon::SHARE, words.shell_share(), || false, share)}
            {button("new-game", icon::NEW, words.play_new_game(), || false, move || navigation.go(Page::Lobby))}
            <Show when=move || game.is_player()><ChatButton game/></Show>
            <MoreButton game/>
        </div>
    }
}
