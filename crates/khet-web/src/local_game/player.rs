//! The player strips of a local game.

use leptos::prelude::*;

use super::state::LocalGame;
use crate::game::clock::format_time;
use crate::game::session::Mode;
use crate::game_ui::player_strip::{LOW_TIME, PlayerStrip};

/// The strip of the player at one edge of the board.
#[component]
pub(super) fn Player(
    game: LocalGame,
    /// At the bottom edge, otherwise at the top edge.
    bottom: bool,
) -> impl IntoView {
    let words = game.words;
    let color = Memo::new(move |_| if bottom { game.bottom() } else { !game.bottom() });
    let mode = Memo::new(move |_| game.session.with(|session| session.mode()));
    let name = move || game.player_name(color.get());
    let to_move = Memo::new(move |_| {
        game.revealed.with(|session| session.outcome().is_none() && session.side() == color.get())
    });
    let state = move || {
        if !to_move.get() {
            return "";
        }
        match mode.get() {
            Mode::Computer { person, .. } if person == color.get() => words.game_your_turn(),
            Mode::Computer { .. } if game.engine_failed.get() => "",
            Mode::Computer { .. } => words.play_thinking(),
            _ => words.play_to_move(),
        }
    };
    // The clock of the next player runs as soon as the move is made, while the shot is still shown.
    let clock_running = Memo::new(move |_| {
        game.session.with(|session| {
            session.outcome().is_none() && !session.is_paused() && session.side() == color.get()
        })
    });
    let left = Memo::new(move |_| {
        let (now, color) = (game.now.get(), color.get());
        game.session.with(|session| session.clock().map(|clock| clock.left(color, now)))
    });
    let strip = PlayerStrip {
        words,
        bottom,
        color,
        label: Signal::derive(name),
        to_move,
        present: None,
        taken: Memo::new(move |_| game.revealed.with(|session| session.captured(!color.get()))),
        time: Memo::new(move |_| left.get().map(|left| format_time(left, words))),
        low_time: Memo::new(move |_| left.get().is_some_and(|left| left < LOW_TIME)),
        clock_running,
    };
    strip.show(name, state)
}
