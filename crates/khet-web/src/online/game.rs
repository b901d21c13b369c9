//! The page of an online game, for players and spectators, during the game and after it.

mod actions;
mod chat;
mod client_game;
mod dialogs;
mod end;
mod live_board;
mod notices;
mod player;
mod state;

use std::time::Duration;

use leptos::prelude::*;
use web_sys::PointerEvent;

use self::actions::Actions;
use self::chat::Chat;
use self::dialogs::Dialogs;
use self::end::ResultPanel;
pub(super) use self::live_board::LiveBoard;
use self::notices::Notices;
use self::player::Player;
use self::state::OnlineGame;
use super::formatting::options_line;
use crate::board::{Board, MoveField};
use crate::game::session::GameSession;
use crate::game_ui::move_list::MoveList;
use crate::game_ui::move_navigation::{self, Swipe};
use crate::game_ui::player_strip::color_name;
use crate::languages::use_words;
use crate::routing::NotFound;
use crate::routing::{Page, use_navigation};

/// Interval between updates of the clock display.
const TICK_INTERVAL: Duration = Duration::from_millis(100);

/// The page of a game.
#[component]
pub(super) fn GamePage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let Ok(id) = untrack(|| navigation.subject()).parse() else {
        return view! { <NotFound/> }.into_any();
    };
    let game = OnlineGame::new(id, words, navigation);
    let content = move || {
        match game.load_error.get() {
        Some(error) => view! {
            <div class="page nowhere">
                <h1>{words.game_title()}</h1>
                <p>{error}</p>
                <p><a class="button primary" href=navigation.path(Page::Lobby)>{words.lobby_title()}</a></p>
            </div>
        }
        .into_any(),
        None => view! { <GameLayout game/> }.into_any(),
    }
    };
    content.into_any()
}

/// The board, and everything around it.
#[component]
fn GameLayout(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let scene = Memo::new(move |_| game.scene());
    let state = move || match game.with_client(|client| client.state.outcome().is_some()) {
        None => "loading",
        Some(false) => "playing",
        Some(true) => "over",
    };
    let side_to_move = move || game.session.with(|session| color_name(session.side()));
    let result =
        move || game.session.with(GameSession::outcome).map(|outcome| outcome.result().text());
    let plies = move || game.session.with(|session| session.game().moves().len());
    let you = Memo::new(move |_| game.with_client(|client| client.you).flatten());
    let unconfirmed =
        Memo::new(move |_| game.with_client(|client| client.unconfirmed.is_some()) == Some(true));
    let waiting_for = move || {
        let here = game.session.with(GameSession::awaits_person) && !unconfirmed.get();
        if here { "person" } else { "other" }
    };
    let timer = set_interval_with_handle(move || game.tick(), TICK_INTERVAL);
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
    let move_navigation = game.move_navigation();
    move_navigation::navigate_by_keys(move |step| move_navigation.step(step), || false);
    let swipe = Swipe::new(move_navigation);
    show_turn_in_title(game);
    let about = move || game.with_client(|client| options_line(client.state.options(), words));
    view! {
        <div
            class="game-page online"
            class:watching=move || you.get().is_none()
            class:chatting=move || game.chat_open.get()
            data-place="online"
            data-state=state
            data-side-to-move=side_to_move
            data-waiting-for=waiting_for
            data-plies=plies
            data-viewed-ply=move || game.session.with(GameSession::viewed_ply)
            data-result=result
            data-you=move || you.get().map(color_name)
            data-connected=move || game.connected.get().to_string()
            on:pointerdown=move |event: PointerEvent| swipe.begin(&event)
            on:pointerup=move |event: PointerEvent| swipe.end(&event)
        >
            <h1 class="visually-hidden">{words.game_title()} " " {about}</h1>
            <Player game bottom=false/>
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
            <Player game bottom=true/>
            <MoveList navigation=move_navigation/>
            <div class="game-type">
                {move || you.get().map(|_| view! {
                    <MoveField scene=scene on_move=Callback::new(move |mv| game.play(mv))/>
                })}
            </div>
            <Notices game/>
            {move || you.get().map(|_| view! { <Chat game/> })}
            <Actions game/>
            <Dialogs game/>
        </div>
    }
}

/// Shows in the title whether it is the player's turn, for pages in background tabs.
fn show_turn_in_title(game: OnlineGame) {
    let words = game.words;
    let my_turn = Memo::new(move |_| game.revealed.with(GameSession::awaits_person));
    Effect::new(move |_| {
        let name = if my_turn.get() { words.game_your_turn() } else { words.game_title() };
        document().set_title(&format!("{name} · {}", words.app_name()));
    });
}
