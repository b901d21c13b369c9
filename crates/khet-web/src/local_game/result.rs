//! The result of a local game, with the next actions.

use leptos::prelude::*;

use super::state::{LocalGame, LocalGameDialog};
use crate::controls::icon;
use crate::game_ui::action_buttons::{button, highlighted_button};
use crate::game_ui::result::{ResultText, result_card};
use crate::routing::use_navigation;

/// The card with the result, shown after the last shot.
#[component]
pub(super) fn LocalResult(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let result =
        Memo::new(move |_| game.revealed.with(|session| ResultText::of_session(words, session)));
    let has_no_moves =
        Memo::new(move |_| game.revealed.with(|session| session.game().moves().is_empty()));
    let actions = move || {
        view! {
            <div class="actions" role="group" aria-label=words.play_actions()>
                {highlighted_button("rematch", icon::REMATCH, words.play_rematch_short(), || true, || false,
                    move || game.rematch())}
                {button("review", icon::THINK, words.play_review(), move || has_no_moves.get(),
                    move || game.open_analysis(navigation, true))}
                {button("share", icon::SHARE, words.shell_share(), || false, move || game.share())}
                {button("new-game", icon::NEW, words.play_new_game(), || false, move || game.open_new_game_form())}
                {button("more", icon::MORE, words.play_more(), || false,
                    move || game.open_dialog(LocalGameDialog::More, false))}
            </div>
        }
    };
    result_card(result, actions)
}
