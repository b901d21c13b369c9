//! The result of a local game, with the next actions.

use leptos::prelude::*;

use super::state::LocalGame;
use crate::game::session::GameSession;
use crate::game_ui::result::{ResultText, result_overlay};
use crate::routing::use_navigation;

/// The result over the board, shown after the last shot.
#[component]
pub(super) fn ResultPanel(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let result = Memo::new(move |_| {
        let present =
            game.revealed.with(GameSession::is_at_latest) && !game.new_game_form_open.get();
        let result = game.revealed.with(|session| ResultText::of_session(words, session));
        result.filter(|_| present && !game.result_closed.get())
    });
    let actions = move || {
        view! {
            <div class="result-actions">
                <button type="button" class="button primary" data-action="rematch"
                    on:click=move |_| game.rematch()>{words.play_rematch()}</button>
                <button type="button" class="button" data-action="review"
                    on:click=move |_| game.open_analysis(navigation, true)>{words.play_review()}</button>
                <button type="button" class="button" data-action="look"
                    on:click=move |_| game.close_result()>{words.play_view_board()}</button>
            </div>
        }
    };
    result_overlay(result, actions)
}
