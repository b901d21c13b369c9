//! A player's strip beside the board: name, what is lost, clock.

use std::time::Duration;

use khet::{Color, Piece, Role};
use leptos::prelude::*;

use super::clock::face;
use super::desk::Desk;
use super::session::Mode;
use crate::board::pieces;
use crate::languages::Words;

/// The strip of whoever sits at that edge of the board.
#[component]
pub(super) fn Player(
    desk: Desk,
    /// At the bottom, or opposite.
    bottom: bool,
) -> impl IntoView {
    let words = desk.words;
    let color = Memo::new(move |_| if bottom { desk.bottom() } else { !desk.bottom() });
    let mode = Memo::new(move |_| desk.session.with(|session| session.mode()));
    let name = move || match (mode.get(), color.get()) {
        (Mode::Computer { person, .. }, color) if person == color => words.play_you().to_string(),
        (Mode::Computer { level, .. }, _) => words.play_computer_name(level),
        (_, Color::Silver) => words.play_silver().to_string(),
        (_, Color::Red) => words.play_red().to_string(),
    };
    let moves = Memo::new(move |_| {
        desk.told.with(|session| session.outcome().is_none() && session.side() == color.get())
    });
    let state = move || {
        let computer = desk.session.with(|session| session.computer()) == Some(color.get());
        match (moves.get(), computer) {
            (false, _) => "",
            (true, true) if desk.lost.get() => "",
            (true, true) => words.play_thinking(),
            (true, false) => words.play_to_move(),
        }
    };
    // The clock runs from the drop on, whatever the shot does.
    let runs = Memo::new(move |_| {
        desk.session.with(|session| session.outcome().is_none() && session.side() == color.get())
    });
    let left = Memo::new(move |_| {
        let (now, color) = (desk.now.get(), color.get());
        desk.session.with(|session| session.clock().map(|clock| clock.left(color, now)))
    });
    let strip = Strip {
        words,
        bottom,
        color,
        label: Signal::derive(name),
        moves,
        here: None,
        lost: Memo::new(move |_| desk.told.with(|session| session.captured(color.get()))),
        time: Memo::new(move |_| left.get().map(face)),
        short: Memo::new(move |_| left.get().is_some_and(|left| left < LITTLE)),
        runs,
    };
    strip.show(name, state)
}

/// Less than this is little time.
pub(crate) const LITTLE: Duration = Duration::from_secs(20);

/// What a strip shows, wherever the game is played.
pub(crate) struct Strip {
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

impl Strip {
    /// The strip, with a name and what the player does now.
    pub(crate) fn show(
        self,
        name: impl IntoView,
        state: impl Fn() -> &'static str + Send + Sync + 'static,
    ) -> impl IntoView {
        let Strip { words, bottom, color, label, moves, here, lost, time, short, runs } = self;
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
