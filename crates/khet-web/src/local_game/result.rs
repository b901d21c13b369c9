//! The result of a local game, and what can be done next.

use leptos::prelude::*;

use super::state::LocalGame;
use crate::game::session::Session;
use crate::game_ui::result::{ResultText, over_the_board};
use crate::routing::use_navigation;

/// The result over the board, once the last shot has been shown.
#[component]
pub(super) fn ResultPanel(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let result = Memo::new(move |_| {
        let present = game.revealed.with(Session::is_at_latest) && !game.choosing.get();
        let result = game.revealed.with(|session| ResultText::of_session(words, session));
        result.filter(|_| present && !game.result_seen.get())
    });
    let again = move || {
        view! {
            <div class="result-actions">
                <button type="button" class="button primary" data-action="rematch"
                    on:click=move |_| game.rematch()>{words.play_rematch()}</button>
                <button type="button" class="button" data-action="review"
                    on:click=move |_| game.look_into(navigation, true)>{words.play_review()}</button>
                <button type="button" class="button" data-action="look"
                    on:click=move |_| game.see_board()>{words.play_view_board()}</button>
            </div>
        }
    };
    over_the_board(result, again)
}
