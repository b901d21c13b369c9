//! A live game without controls: the board and the player strips.

use khet_protocol::GameId;
use leptos::prelude::*;

use super::player::Player;
use super::state::OnlineGame;
use crate::board::Board;
use crate::game_ui::frame::TICK_INTERVAL;
use crate::game_ui::move_navigation::flip_by_key;
use crate::languages::use_words;
use crate::routing::use_navigation;

/// The board of a live game, and its players.
#[component]
pub(in crate::online) fn LiveBoard(id: GameId) -> impl IntoView {
    let game = OnlineGame::new(id, use_words(), use_navigation());
    let scene = Memo::new(move |_| game.scene());
    flip_by_key(move || game.flip());
    let timer = set_interval_with_handle(move || game.tick(), TICK_INTERVAL);
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
    let loaded = game.is_loaded();
    let content = move || {
        loaded.get().then(|| {
            view! {
                <Player game bottom=false/>
                <Board scene=scene on_shot_end=Callback::new(move |()| game.shot_shown())/>
                <Player game bottom=true/>
            }
        })
    };
    view! { <div class="screen">{content}</div> }
}
