//! The strip of a player beside the board: name, captured pieces, clock.

use std::time::Duration;

use khet::{Color, Piece, Role};
use leptos::prelude::*;

use crate::board::pieces;
use crate::languages::Words;

/// Less than this is little time.
pub(crate) const LOW_TIME: Duration = Duration::from_secs(20);

/// What a strip shows, wherever the game is played.
pub(crate) struct PlayerStrip {
    pub(crate) words: Words,
    pub(crate) bottom: bool,
    pub(crate) color: Memo<Color>,
    /// Who it is, in words.
    pub(crate) label: Signal<String>,
    /// Whether it is their turn.
    pub(crate) moves: Memo<bool>,
    /// Whether they are there, where that is not plain.
    pub(crate) here: Option<Memo<bool>>,
    /// What the beams have taken from them.
    pub(crate) lost: Memo<Vec<Piece>>,
    /// What their clock shows, if there is one.
    pub(crate) time: Memo<Option<String>>,
    pub(crate) short: Memo<bool>,
    pub(crate) runs: Memo<bool>,
}

impl PlayerStrip {
    /// The strip, with a name and what the player does now.
    pub(crate) fn show(
        self,
        name: impl IntoView,
        state: impl Fn() -> &'static str + Send + Sync + 'static,
    ) -> impl IntoView {
        let PlayerStrip { words, bottom, color, label, moves, here, lost, time, short, runs } =
            self;
        view! {
            <section
                class="player"
                class:top=!bottom
                class:bottom=bottom
                data-color=move || name_of(color.get())
                data-moves=move || moves.get().to_string()
                data-here=move || here.map(|here| here.get().to_string())
                aria-label=move || label.get()
            >
                <span class="player-sign" aria-hidden="true"></span>
                <span class="player-name">{name}</span>
                <span class="player-state">{state}</span>
                <Show when=move || !lost.with(Vec::is_empty)>
                    <span class="player-lost" role="img" aria-label=move || words.play_lost(lost.with(Vec::len))>
                        {move || lost.get().into_iter().map(picture).collect_view()}
                    </span>
                </Show>
                <Show when=move || time.with(Option::is_some)>
                    <span
                        class="clock"
                        role="timer"
                        aria-label=move || words.play_time_left(label.get())
                        data-runs=move || runs.get().to_string()
                        class:short=move || short.get()
                    >
                        {move || time.get()}
                    </span>
                </Show>
            </section>
        }
    }
}

/// A colour's name in the page.
pub(crate) const fn name_of(color: Color) -> &'static str {
    match color {
        Color::Silver => "silver",
        Color::Red => "red",
    }
}

/// A piece that lies beside the board.
fn picture(piece: Piece) -> impl IntoView {
    // Obelisks are narrow.
    let view_box = if piece.role() == Role::Obelisk { "-38 -38 76 76" } else { "-47 -47 94 94" };
    view! {
        <svg class="player-piece art" viewBox=view_box aria-hidden="true">
            <g class=pieces::class(piece.color()) inner_html=pieces::markup(piece)></g>
        </svg>
    }
}
