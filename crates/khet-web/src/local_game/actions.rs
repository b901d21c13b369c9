//! The action bar of a local game.

use leptos::prelude::*;

use super::state::{LocalGame, LocalGameDialog};
use crate::controls::icon;
use crate::game::session::GameSession;
use crate::game_ui::action_buttons::{button, highlighted_button, toggle_button};

/// The action bar during the game. `on_hint` requests a hint from the engine.
#[component]
pub(super) fn Actions(
    game: LocalGame,
    #[prop(optional, into)] on_hint: Option<Option<Callback<()>>>,
    /// The bar of the person opposite, who shares the device.
    #[prop(optional)]
    opposite: bool,
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
    let can_pause = Memo::new(move |_| game.can_pause());
    let paused = Memo::new(move |_| game.session.with(GameSession::is_paused));
    let draw = move || if can_claim.get() { words.play_claim_draw() } else { words.play_draw() };
    let open = move |dialog| game.open_dialog(dialog, opposite);
    let hint = move || {
        on_hint.flatten().map(|on_hint| {
            button(
                "hint",
                icon::HINT,
                words.play_hint(),
                move || !can_hint.get(),
                move || {
                    on_hint.run(());
                },
            )
        })
    };
    view! {
        <Show when=move || !over.get()>
            <div class="actions" role="group" aria-label=words.play_actions()>
                {button("take-back", icon::TAKE_BACK, words.play_takeback(), move || !can_take_back.get(),
                    move || game.take_back())}
                {hint()}
                <Show when=move || can_pause.get()>
                    {toggle_button("pause", icon::PAUSE, words.play_pause(), paused,
                        move || game.set_paused(!paused.get_untracked()))}
                </Show>
                {highlighted_button("draw", icon::DRAW, draw, move || can_claim.get(), || false,
                    move || open(LocalGameDialog::Draw))}
                {button("resign", icon::RESIGN, words.play_resign(), || false,
                    move || open(LocalGameDialog::Resign))}
                {(!opposite).then(|| button("more", icon::MORE, words.play_more(), || false,
                    move || open(LocalGameDialog::More)))}
            </div>
        </Show>
    }
}
