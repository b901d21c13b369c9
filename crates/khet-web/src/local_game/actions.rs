//! The action bar of a local game.

use leptos::prelude::*;

use super::state::{GameKind, LocalGame, LocalGameDialog};
use crate::controls::icon;
use crate::game::session::GameSession;
use crate::game_ui::action_buttons::{button, highlighted_button};

/// The action bar. `on_hint` requests a hint from the engine.
#[component]
pub(super) fn Actions(
    game: LocalGame,
    #[prop(optional_no_strip, into)] on_hint: Option<Callback<()>>,
) -> impl IntoView {
    let words = game.words;
    let over = Memo::new(move |_| game.revealed.with(|session| session.outcome().is_some()));
    let can_take_back = Memo::new(move |_| game.revealed.with(GameSession::can_take_back));
    let can_claim = Memo::new(move |_| {
        game.revealed.with(|session| session.can_claim_draw() && session.awaits_person())
    });
    let can_hint = Memo::new(move |_| {
        let may_move =
            game.revealed.with(|session| session.awaits_person() && session.is_at_latest());
        may_move && !game.thinking.get()
    });
    let draw = move || if can_claim.get() { words.play_claim_draw() } else { words.play_draw() };
    let during_game = move || {
        view! {
            {highlighted_button("draw", icon::DRAW, draw, move || can_claim.get(), || false,
                move || game.dialog.set(Some(LocalGameDialog::Draw)))}
            {button("resign", icon::RESIGN, words.play_resign(), || false,
                move || game.dialog.set(Some(LocalGameDialog::Resign)))}
        }
    };
    let after_game = move || {
        view! {
            {button("rematch", icon::REMATCH, words.play_rematch_short(), || false, move || game.rematch())}
            {button("new-game", icon::NEW, words.play_new_game(), || false, move || game.open_new_game_form())}
        }
    };
    view! {
        <div class="actions" role="group" aria-label=words.play_actions()>
            {button("take-back", icon::TAKE_BACK, words.play_takeback(), move || !can_take_back.get(),
                move || game.take_back())}
            {on_hint.map(|on_hint| button("hint", icon::HINT, words.play_hint(), move || !can_hint.get(),
                move || on_hint.run(())))}
            <Show when=move || over.get() fallback=during_game>{after_game()}</Show>
            <Show when=move || game.kind == GameKind::Hotseat>
                {button("flip", icon::FLIP, words.play_flip_board(), || false,
                    move || game.flipped.update(|flipped| *flipped = !*flipped))}
            </Show>
            {button("more", icon::MORE, words.play_more(), || false,
                move || game.dialog.set(Some(LocalGameDialog::More)))}
        </div>
    }
}
