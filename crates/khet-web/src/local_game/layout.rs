//! The layout of a page with a local game: the board, and everything around it.

use std::time::Duration;

use khet::Move;
use leptos::prelude::*;
use web_sys::PointerEvent;

use super::actions::Actions;
use super::dialogs::Dialogs;
use super::hint::Reason;
use super::new_game::NewGame;
use super::player::Player;
use super::result::ResultPanel;
use super::state::{GameKind, LocalGame};
use crate::board::{Board, MoveField};
use crate::game::session::Session;
use crate::game_ui::move_list::MoveList;
use crate::game_ui::move_navigation::{self, Swipe};
use crate::game_ui::player_strip::name_of;
use crate::game_ui::result::ResultText;
use crate::languages::Words;

/// Interval between updates of the clock display.
const TICK: Duration = Duration::from_millis(100);

/// Returns the sentence that explains a hint.
fn hint_sentence(words: Words, mv: Move, reason: Reason) -> String {
    match reason {
        Reason::Wins(square) => words.play_hint_wins(mv, square),
        Reason::Lights(square) => words.play_hint_hits(mv, square),
        Reason::Saves(square) => words.play_hint_saves(mv, square),
        Reason::Quiet => words.play_hint_quiet(mv),
    }
}

/// The page of a local game. `on_hint` requests a hint, `on_wake` restarts an engine that failed.
#[component]
pub(super) fn GameLayout(
    game: LocalGame,
    #[prop(optional_no_strip, into)] on_hint: Option<Callback<()>>,
    #[prop(optional, into)] on_wake: Option<Callback<()>>,
) -> impl IntoView {
    let words = game.words;
    let scene = Memo::new(move |_| game.scene());
    let state = move || match (game.choosing.get(), game.session.with(Session::outcome)) {
        (true, _) => "choosing",
        (false, None) => "playing",
        (false, Some(_)) => "over",
    };
    let moves = move || game.session.with(|session| name_of(session.side()));
    let result = move || game.session.with(Session::outcome).map(|outcome| outcome.result().text());
    let plies = move || game.session.with(|session| session.game().moves().len());
    let waits = move || {
        game.session.with(|session| if session.awaits_computer() { "computer" } else { "person" })
    };

    let ticking = set_interval_with_handle(move || game.tick(), TICK);
    let seen =
        window_event_listener_untyped("visibilitychange", move |_| game.visibility_changed());
    let left = window_event_listener_untyped("pagehide", move |_| game.save());
    on_cleanup(move || {
        if let Ok(ticking) = ticking {
            ticking.clear();
        }
        seen.remove();
        left.remove();
    });
    let move_navigation = game.move_navigation();
    move_navigation::navigate_by_keys(
        move |step| move_navigation.step(step),
        move || game.choosing.get_untracked(),
    );
    let swipe = Swipe::new(move_navigation);

    let away = Memo::new(move |_| game.revealed.with(|session| !session.is_at_latest()));
    let message = Memo::new(move |_| {
        if let Some((mv, reason)) = game.hint.get() {
            return hint_sentence(words, mv, reason);
        }
        let message = game.message.get();
        match game.revealed.with(|session| ResultText::of_session(words, session)) {
            Some(result) if message.is_empty() && game.result_seen.get() => result.line(),
            _ => message,
        }
    });
    let heading = match game.kind {
        GameKind::Computer => words.play_computer_title(),
        GameKind::Hotseat => words.play_hotseat_title(),
    };
    view! {
        <div
            class="game-page"
            class:choosing=move || game.choosing.get()
            data-place=game.kind.name()
            data-state=state
            data-moves=moves
            data-waits=waits
            data-plies=plies
            data-looking=move || game.session.with(Session::viewed_ply)
            data-result=result
            on:pointerdown=move |event: PointerEvent| swipe.begin(&event)
            on:pointerup=move |event: PointerEvent| swipe.end(&event)
        >
            <Show when=move || !game.choosing.get()>
                <h1 class="visually-hidden">{heading}</h1>
                <Player game bottom=false/>
            </Show>
            <div class="game-board">
                <div class="game-fit">
                    <Board
                        scene=scene
                        on_move=Callback::new(move |mv| game.play(mv))
                        on_shot_end=Callback::new(move |()| game.shot_shown())
                    />
                    <ResultPanel game/>
                </div>
            </div>
            <Show
                when=move || !game.choosing.get()
                fallback=move || view! { <NewGame game/> }
            >
                <Player game bottom=true/>
                <MoveList navigation=move_navigation/>
                <div class="game-type">
                    <MoveField scene=scene on_move=Callback::new(move |mv| game.play(mv))/>
                </div>
                <div class="game-message">
                    <p role="status" data-message="">{move || message.get()}</p>
                    <Show when=move || game.lost.get()>
                        <p>{words.play_engine_stopped()}</p>
                        <button type="button" class="button" data-action="wake" on:click=move |_| {
                            if let Some(on_wake) = on_wake {
                                on_wake.run(());
                            }
                        }>{words.play_engine_restart()}</button>
                    </Show>
                    <Show when=move || away.get()>
                        <button
                            type="button"
                            class="button"
                            data-action="present"
                            on:click=move |_| game.look(usize::MAX)
                        >
                            {words.play_nav_current()}
                        </button>
                    </Show>
                </div>
                <Actions game on_hint/>
            </Show>
            <Show when=move || game.choosing.get() && !game.message.with(String::is_empty)>
                <p class="game-notice" role="status" data-message="">{move || game.message.get()}</p>
            </Show>
            <Dialogs game/>
        </div>
    }
}
