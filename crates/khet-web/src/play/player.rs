//! A player's strip beside the board: name, what is lost, clock.

use khet::{Color, Piece, Role};
use leptos::prelude::*;

use super::clock::face;
use super::desk::Desk;
use super::session::Mode;
use crate::board::pieces;

/// The strip of whoever sits at that edge of the board.
#[component]
pub(super) fn Player(
    desk: Desk,
    /// At the bottom, or opposite.
    bottom: bool,
) -> impl IntoView {
    let words = desk.words;
    let color = Memo::new(move |_| if bottom { desk.bottom() } else { !desk.bottom() });
    let color_name = move || name_of(color.get());
    let mode = Memo::new(move |_| desk.session.with(|session| session.mode()));
    let name = move || match (mode.get(), color.get()) {
        (Mode::Computer { person, .. }, color) if person == color => words.play_you().to_string(),
        (Mode::Computer { level, .. }, _) => words.play_computer_name(level),
        (_, Color::Silver) => words.play_silver().to_string(),
        (_, Color::Red) => words.play_red().to_string(),
    };
    let moves = Memo::new(move |_| {
        desk.told.with(|session| session.ending().is_none() && session.side() == color.get())
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
        desk.session.with(|session| session.ending().is_none() && session.side() == color.get())
    });
    let lost = Memo::new(move |_| desk.told.with(|session| session.captured(color.get())));
    let lost_label = move || words.play_lost(lost.with(Vec::len));
    let time = Memo::new(move |_| {
        let (now, color) = (desk.now.get(), color.get());
        desk.session.with(|session| session.clocks().map(|clocks| face(clocks.left(color, now))))
    });
    let short = Memo::new(move |_| {
        let (now, color) = (desk.now.get(), color.get());
        desk.session.with(|session| {
            session.clocks().is_some_and(|clocks| clocks.left(color, now).as_secs() < 20)
        })
    });
    view! {
        <section
            class="player"
            class:top=!bottom
            class:bottom=bottom
            data-color=color_name
            data-moves=move || moves.get().to_string()
            aria-label=name
        >
            <span class="player-sign" aria-hidden="true"></span>
            <span class="player-name">{name}</span>
            <span class="player-state">{state}</span>
            <Show when=move || !lost.with(Vec::is_empty)>
                <span class="player-lost" role="img" aria-label=lost_label>
                    {move || lost.get().into_iter().map(picture).collect_view()}
                </span>
            </Show>
            <Show when=move || time.with(Option::is_some)>
                <span
                    class="clock"
                    role="timer"
                    aria-label=move || words.play_time_left(name())
                    data-runs=move || runs.get().to_string()
                    class:short=move || short.get()
                >
                    {move || time.get()}
                </span>
            </Show>
        </section>
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
pub(crate) fn picture(piece: Piece) -> impl IntoView {
    // Obelisks are narrow.
    let view_box = if piece.role() == Role::Obelisk { "-38 -38 76 76" } else { "-47 -47 94 94" };
    view! {
        <svg class="player-piece art" viewBox=view_box aria-hidden="true">
            <g class=pieces::class(piece.color()) inner_html=pieces::markup(piece)></g>
        </svg>
    }
}
