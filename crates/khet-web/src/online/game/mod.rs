//! A game over the network: played, watched, or looked at when it is over.

mod actions;
mod chat;
mod end;
mod live;
mod notices;
mod screen;
mod seat;
mod sheets;
mod table;

use std::time::Duration;

use leptos::prelude::*;
use web_sys::PointerEvent;

use self::actions::Actions;
use self::chat::Chat;
use self::end::GameEnd;
use self::notices::Notices;
pub(super) use self::screen::Screen;
use self::seat::Seat;
use self::sheets::Sheets;
use self::table::Table;
use super::names::options_line;
use crate::address::{Page, use_navigation};
use crate::app::Nowhere;
use crate::board::{Board, MoveField};
use crate::languages::use_words;
use crate::play::move_list::MoveList;
use crate::play::player::name_of;
use crate::play::session::Session;
use crate::play::walk::{self, Swipe};

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);

/// The page of a game.
#[component]
pub(super) fn GamePage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let Ok(id) = untrack(|| navigation.about()).parse() else {
        return view! { <Nowhere/> }.into_any();
    };
    let table = Table::new(id, words, navigation);
    let content = move || {
        match table.nothing.get() {
        Some(why) => view! {
            <div class="page nowhere">
                <h1>{words.game_title()}</h1>
                <p>{why}</p>
                <p><a class="button primary" href=navigation.path(Page::Lobby)>{words.lobby_title()}</a></p>
            </div>
        }
        .into_any(),
        None => view! { <Room table/> }.into_any(),
    }
    };
    content.into_any()
}

/// The board, and everything around it.
#[component]
fn Room(table: Table) -> impl IntoView {
    let words = table.words;
    let scene = Memo::new(move |_| table.scene());
    let state = move || match table.of(|live| live.state.outcome().is_some()) {
        None => "loading",
        Some(false) => "playing",
        Some(true) => "over",
    };
    let moves = move || table.session.with(|session| name_of(session.side()));
    let result =
        move || table.session.with(Session::outcome).map(|outcome| outcome.result().text());
    let plies = move || table.session.with(|session| session.game().moves().len());
    let you = Memo::new(move |_| table.of(|live| live.you).flatten());
    let pending = Memo::new(move |_| table.of(|live| live.pending.is_some()) == Some(true));
    let waits = move || {
        let here = table.session.with(Session::awaits_person) && !pending.get();
        if here { "person" } else { "other" }
    };
    let ticking = set_interval_with_handle(move || table.tick(), TICK);
    on_cleanup(move || {
        if let Ok(ticking) = ticking {
            ticking.clear();
        }
    });
    let walker = table.walker();
    walk::by_keys(move |step| walker.step(step), || false);
    let swipe = Swipe::new(walker);
    title(table);
    let about = move || table.of(|live| options_line(live.state.options(), words));
    view! {
        <div
            class="room online"
            class:watching=move || you.get().is_none()
            class:chatting=move || table.chatting.get()
            data-place="online"
            data-state=state
            data-moves=moves
            data-waits=waits
            data-plies=plies
            data-looking=move || table.session.with(Session::place)
            data-result=result
            data-you=move || you.get().map(name_of)
            data-open=move || table.open.get().to_string()
            on:pointerdown=move |event: PointerEvent| swipe.begin(&event)
            on:pointerup=move |event: PointerEvent| swipe.end(&event)
        >
            <h1 class="visually-hidden">{words.game_title()} " " {about}</h1>
            <Seat table bottom=false/>
            <div class="room-board">
                <div class="room-fit">
                    <Board
                        scene=scene
                        on_act=Callback::new(move |mv| table.play(mv))
                        on_shot_end=Callback::new(move |()| table.shot_shown())
                    />
                    <GameEnd table/>
                </div>
            </div>
            <Seat table bottom=true/>
            <MoveList walk=walker/>
            <div class="room-type">
                {move || you.get().map(|_| view! {
                    <MoveField scene=scene on_act=Callback::new(move |mv| table.play(mv))/>
                })}
            </div>
            <Notices table/>
            {move || you.get().map(|_| view! { <Chat table/> })}
            <Actions table/>
            <Sheets table/>
        </div>
    }
}

/// Whose turn it is stands in the title too: the page may be one of many.
fn title(table: Table) {
    let words = table.words;
    let mine = Memo::new(move |_| table.told.with(Session::awaits_person));
    Effect::new(move |_| {
        let name = if mine.get() { words.game_your_turn() } else { words.game_title() };
        document().set_title(&format!("{name} · {}", words.app_name()));
    });
}
