//! The layout of a page with a local game: the board, and everything around it.

use std::time::Duration;

use khet::Move;
use leptos::prelude::*;
use web_sys::PointerEvent;

use super::actions::Actions;
use super::dialogs::Dialogs;
use super::hint::HintReason;
use super::new_game::NewGame;
use super::player::Player;
use super::result::ResultPanel;
use super::state::{GameKind, LocalGame};
use crate::board::{Board, MoveField};
use crate::game::session::GameSession;
use crate::game_ui::move_list::MoveList;
use crate::game_ui::move_navigation::{self, Swipe};
use crate::game_ui::player_strip::color_name;
use crate::game_ui::result::ResultText;
use crate::languages::Words;

/// Interval between updates of the clock display.
const TICK_INTERVAL: Duration = Duration::from_millis(100);

/// Returns the sentence that explains a hint.
fn hint_sentence(words: Words, mv: Move, reason: HintReason) -> String {
    match reason {
        HintReason::Wins(square) => words.play_hint_wins(mv, square),
        HintReason::Hits(square) => words.play_hint_hits(mv, square),
        HintReason::Saves(square) => words.play_hint_saves(mv, square),
        HintReason::Quiet => words.play_hint_quiet(mv),
    }
}

/// The page of a local game. `on_hint` requests a hint, `on_engine_restart` restarts the engine
/// after a failure.
#[component]
pub(super) fn GameLayout(
    game: LocalGame,
    #[prop(optional_no_strip, into)] on_hint: Option<Callback<()>>,
    #[prop(optional, into)] on_engine_restart: Option<Callback<()>>,
) -> impl IntoView {
    let words = game.words;
    let scene = Memo::new(move |_| game.scene());
    let state =
        move || match (game.new_game_form_open.get(), game.session.with(GameSession::outcome)) {
            (true, _) => "choosing",
            (false, None) => "playing",
            (false, Some(_)) => "over",
        };
    let side_to_move = move || game.session.with(|session| color_name(session.side()));
    let result =
        move || game.session.with(GameSession::outcome).map(|outcome| outcome.result().text());
    let plies = move || game.session.with(|session| session.game().moves().len());
    let waiting_for = move || {
        game.session.with(|session| if session.awaits_computer() { "computer" } else { "person" })
    };

    install_timer_and_listeners(game);
    let move_navigation = game.move_navigation();
    move_navigation::navigate_by_keys(
        move |step| move_navigation.step(step),
        move || game.new_game_form_open.get_untracked(),
    );
    let swipe = Swipe::new(move_navigation);
    let heading = match game.kind {
        GameKind::Computer => words.play_computer_title(),
        GameKind::Hotseat => words.play_hotseat_title(),
    };
    view! {
        <div
            class="game-page"
            class:choosing=move || game.new_game_form_open.get()
            data-place=game.kind.name()
            data-state=state
            data-side-to-move=side_to_move
            data-waiting-for=waiting_for
            data-plies=plies
            data-viewed-ply=move || game.session.with(GameSession::viewed_ply)
            data-result=result
            on:pointerdown=move |event: PointerEvent| swipe.begin(&event)
            on:pointerup=move |event: PointerEvent| swipe.end(&event)
        >
            <Show when=move || !game.new_game_form_open.get()>
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
                when=move || !game.new_game_form_open.get()
                fallback=move || view! { <NewGame game/> }
            >
                <Player game bottom=true/>
                <MoveList navigation=move_navigation/>
                <div class="game-type">
                    <MoveField scene=scene on_move=Callback::new(move |mv| game.play(mv))/>
                </div>
                <Messages game on_engine_restart/>
                <Actions game on_hint/>
            </Show>
            <Show when=move || game.new_game_form_open.get() && !game.message.with(String::is_empty)>
                <p class="game-notice" role="status" data-message="">{move || game.message.get()}</p>
            </Show>
            <Dialogs game/>
        </div>
    }
}

/// Updates the clocks, and reacts when the page is hidden, shown or left.
fn install_timer_and_listeners(game: LocalGame) {
    let timer = set_interval_with_handle(move || game.tick(), TICK_INTERVAL);
    let on_visibility =
        window_event_listener_untyped("visibilitychange", move |_| game.visibility_changed());
    let on_leave = window_event_listener_untyped("pagehide", move |_| game.save());
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
        on_visibility.remove();
        on_leave.remove();
    });
}

/// The messages under the board, with the buttons that belong to them.
#[component]
fn Messages(game: LocalGame, on_engine_restart: Option<Callback<()>>) -> impl IntoView {
    let words = game.words;
    let shows_earlier_ply =
        Memo::new(move |_| game.revealed.with(|session| !session.is_at_latest()));
    let message = Memo::new(move |_| {
        if let Some((mv, reason)) = game.hint.get() {
            return hint_sentence(words, mv, reason);
        }
        let message = game.message.get();
        match game.revealed.with(|session| ResultText::of_session(words, session)) {
            Some(result) if message.is_empty() && game.result_closed.get() => result.line(),
            _ => message,
        }
    });
    let restart = move |_| {
        if let Some(on_engine_restart) = on_engine_restart {
            on_engine_restart.run(());
        }
    };
    view! {
        <div class="game-message">
            <p role="status" data-message="">{move || message.get()}</p>
            <Show when=move || game.engine_failed.get()>
                <p>{words.play_engine_stopped()}</p>
                <button type="button" class="button" data-action="restart-engine" on:click=restart>
                    {words.play_engine_restart()}
                </button>
            </Show>
            <Show when=move || shows_earlier_ply.get()>
                <button
                    type="button"
                    class="button"
                    data-action="latest-move"
                    on:click=move |_| game.show_ply(usize::MAX)
                >
                    {words.play_nav_current()}
                </button>
            </Show>
        </div>
    }
}
