//! The strip of a player beside the board: name, taken pieces, clock.

use std::time::Duration;

use khet::{Color, Piece, Role};
use leptos::prelude::*;

use crate::board::pieces;
use crate::languages::Words;

/// Clock times below this are highlighted.
pub(crate) const LOW_TIME: Duration = Duration::from_secs(20);

/// The contents of a player strip.
pub(crate) struct PlayerStrip {
    pub(crate) words: Words,
    pub(crate) bottom: bool,
    pub(crate) color: Memo<Color>,
    /// The name of the player, for screen readers.
    pub(crate) label: Signal<String>,
    /// It is the player's turn.
    pub(crate) to_move: Memo<bool>,
    /// The player is connected, in online games.
    pub(crate) present: Option<Memo<bool>>,
    /// The pieces that the opponent has lost, in groups of equal pieces.
    pub(crate) taken: Memo<Vec<Piece>>,
    /// The time on the player's clock, in games with a clock.
    pub(crate) time: Memo<Option<String>>,
    pub(crate) low_time: Memo<bool>,
    pub(crate) clock_running: Memo<bool>,
}

impl PlayerStrip {
    /// Renders the strip. `state` describes what the player is doing, such as thinking.
    pub(crate) fn show(
        self,
        name: impl IntoView,
        state: impl Fn() -> &'static str + Send + Sync + 'static,
    ) -> impl IntoView {
        let PlayerStrip {
            words,
            bottom,
            color,
            label,
            to_move,
            present,
            taken,
            time,
            low_time,
            clock_running,
        } = self;
        view! {
            <section
                class="player"
                class:top=!bottom
                class:bottom=bottom
                data-color=move || color_name(color.get())
                data-to-move=move || to_move.get().to_string()
                data-present=move || present.map(|present| present.get().to_string())
                aria-label=move || label.get()
            >
                <span class="player-sign" aria-hidden="true"></span>
                <span class="player-name">{name}</span>
                <span class="player-state">{state}</span>
                <Show when=move || !taken.with(Vec::is_empty)>
                    <span class="player-taken" role="img" aria-label=move || words.play_taken(taken.with(Vec::len))>
                        {move || taken.with(|pieces| pieces.chunk_by(Piece::eq).map(taken_icon).collect_view())}
                    </span>
                </Show>
                <Show when=move || time.with(Option::is_some)>
                    <span
                        class="clock"
                        role="timer"
                        aria-label=move || words.play_time_left(label.get())
                        data-runs=move || clock_running.get().to_string()
                        class:short=move || low_time.get()
                    >
                        {move || time.get()}
                    </span>
                </Show>
            </section>
        }
    }
}

/// Returns the name of a colour in attributes.
pub(crate) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::Silver => "silver",
        Color::Red => "red",
    }
}

/// The icon of one or more equal pieces that were taken, with their number.
fn taken_icon(pieces: &[Piece]) -> impl IntoView + use<> {
    let (piece, count) = (pieces[0], pieces.len());
    // Obelisks are narrow and get a closer crop.
    let view_box = if piece.role() == Role::Obelisk { "-38 -38 76 76" } else { "-47 -47 94 94" };
    view! {
        <svg class="player-piece art" viewBox=view_box aria-hidden="true">
            <g class=pieces::class(piece.color()) inner_html=pieces::markup(piece)></g>
        </svg>
        {(count > 1).then_some(count)}
    }
}
