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

use leptos::prelude::*;

use self::actions::Actions;
use self::chat::Chat;
use self::dialogs::Dialogs;
use self::end::OnlineResult;
pub(super) use self::live_board::LiveBoard;
use self::notices::Notices;
use self::player::Player;
use self::state::OnlineGame;
use super::formatting::options_line;
use super::unreachable::{Loading, UnreachableNotice};
use crate::game::session::GameSession;
use crate::game_ui::frame::{FramedGame, GameFrame, GameStage};
use crate::game_ui::player_strip::color_name;
use crate::languages::use_words;
use crate::routing::NotFound;
use crate::routing::{Page, use_navigation};

/// The page of a game.
#[component]
pub(super) fn GamePage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let Ok(id) = untrack(|| navigation.subject()).parse() else {
        return view! { <NotFound/> }.into_any();
    };
    let game = OnlineGame::new(id, words, navigation);
    let loaded = game.is_loaded();
    let content = move || {
        match (game.load_error.get(), loaded.get()) {
        (Some(error), _) => view! {
            <div class="page nowhere">
                <h1>{words.game_title()}</h1>
                <p>{error}</p>
                <p><a class="button primary" href=navigation.path(Page::Lobby)>{words.lobby_title()}</a></p>
            </div>
        }
        .into_any(),
        (None, false) => view! { <NotLoaded game/> }.into_any(),
        (None, true) => view! { <GameLayout game/> }.into_any(),
    }
    };
    content.into_any()
}

/// The page before the server has sent the game: a board would show an invented position.
#[component]
fn NotLoaded(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let content = move || match game.is_unreachable() {
        true => {
            let retry = Callback::new(move |()| game.reconnect());
            view! { <h1>{words.game_title()}</h1> <UnreachableNotice retry/> }.into_any()
        }
        false => view! { <Loading/> }.into_any(),
    };
    view! { <div class="page listed">{content}</div> }
}

/// Connects an online game with the frame.
fn framed(game: OnlineGame) -> FramedGame {
    let over = move || game.with_client(|client| client.state.outcome().is_some()) == Some(true);
    let unconfirmed =
        Memo::new(move |_| game.with_client(|client| client.unconfirmed.is_some()) == Some(true));
    let waiting_for = move || {
        let here = game.session.with(GameSession::awaits_person) && !unconfirmed.get();
        if here { "person" } else { "other" }
    };
    FramedGame {
        place: "online",
        navigation: game.move_navigation(),
        scene: Memo::new(move |_| game.scene()),
        stage: Memo::new(move |_| if over() { GameStage::Over } else { GameStage::Playing }),
        waiting_for: Signal::derive(waiting_for),
        is_player: Signal::derive(move || game.is_player()),
        on_move: Callback::new(move |mv| game.play(mv)),
        on_shot_end: Callback::new(move |()| game.shot_shown()),
        on_tick: Callback::new(move |()| game.tick()),
        on_flip: Callback::new(move |()| game.flip()),
        confirms_moves: game.confirms_moves(),
    }
}

/// The board, and everything around it.
#[component]
fn GameLayout(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let you = Memo::new(move |_| game.with_client(|client| client.you).flatten());
    show_turn_in_title(game);
    let about = move || game.with_client(|client| options_line(client.state.options(), words));
    let below = move || {
        view! {
            <Notices game/>
            <Show when=move || game.is_player()><Chat game/></Show>
            <Actions game/>
            <OnlineResult game/>
        }
    };
    view! {
        <GameFrame
            game=framed(game)
            heading=move || view! { {words.game_title()} " " {about} }
            top=move || view! { <Player game bottom=false/> }
            bottom=move || view! { <Player game bottom=true/> }
            below
            {..}
            class:online=true
            class:watching=move || you.get().is_none()
            class:chatting=move || game.chat_open.get()
            data-you=move || you.get().map(color_name)
            data-connected=move || game.connected.get().to_string()
        >
            <Dialogs game/>
        </GameFrame>
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
