//! A live game to look at, without anything to press: the board and both strips.

use khet_protocol::GameId;
use leptos::prelude::*;

use super::TICK;
use super::seat::Seat;
use super::state::OnlineGame;
use crate::board::Board;
use crate::languages::use_words;
use crate::routing::use_navigation;

/// The board of a game that is played now.
#[component]
pub(in crate::online) fn Screen(id: GameId) -> impl IntoView {
    let game = OnlineGame::new(id, use_words(), use_navigation());
    let scene = Memo::new(move |_| game.scene());
    let ticking = set_interval_with_handle(move || game.tick(), TICK);
    on_cleanup(move || {
        if let Ok(ticking) = ticking {
            ticking.clear();
        }
    });
    view! {
        <div class="screen">
            <Seat game bottom=false/>
            <Board scene=scene on_shot_end=Callback::new(move |()| game.shot_shown())/>
            <Seat game bottom=true/>
        </div>
    }
}
