//! A live game to look at, without anything to press: the board and both strips.

use khet_protocol::GameId;
use leptos::prelude::*;

use super::TICK;
use super::seat::Seat;
use super::table::Table;
use crate::address::use_navigation;
use crate::board::Board;
use crate::languages::use_words;

/// The board of a game that is played now.
#[component]
pub(in crate::online) fn Screen(id: GameId) -> impl IntoView {
    let table = Table::new(id, use_words(), use_navigation());
    let scene = Memo::new(move |_| table.scene());
    let ticking = set_interval_with_handle(move || table.tick(), TICK);
    on_cleanup(move || {
        if let Ok(ticking) = ticking {
            ticking.clear();
        }
    });
    view! {
        <div class="screen">
            <Seat table bottom=false/>
            <Board scene=scene on_shot_end=Callback::new(move |()| table.shot_shown())/>
            <Seat table bottom=true/>
        </div>
    }
}
