//! A page with a game: the board, and everything around it.

use std::time::Duration;

use khet::Move;
use leptos::prelude::*;
use web_sys::PointerEvent;

use super::actions::Actions;
use super::desk::{Desk, Place};
use super::hint::Reason;
use super::move_list::MoveList;
use super::new_game::NewGame;
use super::player::{Player, name_of};
use super::result::{ResultPanel, ResultText};
use super::session::Session;
use super::sheets::Sheets;
use super::walk::{self, Swipe};
use crate::board::{Board, MoveField};
use crate::languages::Words;

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);

/// A hint in a sentence.
fn hint_sentence(words: Words, mv: Move, reason: Reason) -> String {
    match reason {
        Reason::Wins(square) => words.play_hint_wins(mv, square),
        Reason::Lights(square) => words.play_hint_lights(mv, square),
        Reason::Saves(square) => words.play_hint_saves(mv, square),
        Reason::Quiet => words.play_hint_quiet(mv),
    }
}

/// The page around a desk. `on_hint` finds a hint, `on_wake` asks a lost computer again.
#[component]
pub(super) fn Room(
    desk: Desk,
    #[prop(optional_no_strip, into)] on_hint: Option<Callback<()>>,
    #[prop(optional, into)] on_wake: Option<Callback<()>>,
) -> impl IntoView {
    let words = desk.words;
    let scene = Memo::new(move |_| desk.scene());
    let state = move || match (desk.choosing.get(), desk.session.with(Session::outcome)) {
        (true, _) => "choosing",
        (false, None) => "playing",
        (false, Some(_)) => "over",
    };
    let moves = move || desk.session.with(|session| name_of(session.side()));
    let result = move || desk.session.with(Session::outcome).map(|outcome| outcome.result().text());
    let plies = move || desk.session.with(|session| session.game().moves().len());
    let waits = move || {
        desk.session.with(|session| if session.awaits_computer() { "computer" } else { "person" })
    };

    let ticking = set_interval_with_handle(move || desk.tick(), TICK);
    let seen =
        window_event_listener_untyped("visibilitychange", move |_| desk.visibility_changed());
    let left = window_event_listener_untyped("pagehide", move |_| desk.save());
    on_cleanup(move || {
        if let Ok(ticking) = ticking {
            ticking.clear();
        }
        seen.remove();
        left.remove();
    });
    let walker = desk.walker();
    walk::by_keys(move |step| walker.step(step), move || desk.choosing.get_untracked());
    let swipe = Swipe::new(walker);

    let away = Memo::new(move |_| desk.told.with(|session| !session.is_present()));
    let message = Memo::new(move |_| {
        if let Some((mv, reason)) = desk.hint.get() {
            return hint_sentence(words, mv, reason);
        }
        let message = desk.message.get();
        match desk.told.with(|session| ResultText::of_session(words, session)) {
            Some(result) if message.is_empty() && desk.result_seen.get() => result.line(),
            _ => message,
        }
    });
    let heading = match desk.place {
        Place::Computer => words.play_computer_title(),
        Place::Table => words.play_table_title(),
    };
    view! {
        <div
            class="room"
            class:choosing=move || desk.choosing.get()
            data-place=desk.place.name()
            data-state=state
            data-moves=moves
            data-waits=waits
            data-plies=plies
            data-looking=move || desk.session.with(Session::place)
            data-result=result
            on:pointerdown=move |event: PointerEvent| swipe.begin(&event)
            on:pointerup=move |event: PointerEvent| swipe.end(&event)
        >
            <Show when=move || !desk.choosing.get()>
                <h1 class="visually-hidden">{heading}</h1>
                <Player desk bottom=false/>
            </Show>
            <div class="room-board">
                <div class="room-fit">
                    <Board
                        scene=scene
                        on_act=Callback::new(move |mv| desk.play(mv))
                        on_shot_end=Callback::new(move |()| desk.shot_shown())
                    />
                    <ResultPanel desk/>
                </div>
            </div>
            <Show
                when=move || !desk.choosing.get()
                fallback=move || view! { <NewGame desk/> }
            >
                <Player desk bottom=true/>
                <MoveList walk=walker/>
                <div class="room-type">
                    <MoveField scene=scene on_act=Callback::new(move |mv| desk.play(mv))/>
                </div>
                <div class="room-message">
                    <p role="status" data-message="">{move || message.get()}</p>
                    <Show when=move || desk.lost.get()>
                        <p>{words.play_engine_lost()}</p>
                        <button type="button" class="button" data-action="wake" on:click=move |_| {
                            if let Some(on_wake) = on_wake {
                                on_wake.run(());
                            }
                        }>{words.play_engine_wake()}</button>
                    </Show>
                    <Show when=move || away.get()>
                        <button
                            type="button"
                            class="button"
                            data-action="present"
                            on:click=move |_| desk.look(usize::MAX)
                        >
                            {words.play_present()}
                        </button>
                    </Show>
                </div>
                <Actions desk on_hint/>
            </Show>
            <Show when=move || desk.choosing.get() && !desk.message.with(String::is_empty)>
                <p class="room-notice" role="status" data-message="">{move || desk.message.get()}</p>
            </Show>
            <Sheets desk/>
        </div>
    }
}
