//! A player's strip beside the board: presence, name, what is lost, clock.

use leptos::prelude::*;

use super::table::Table;
use crate::online::names::{FaceName, clock_face, name};
use crate::play::player::{name_of, picture};

/// Less than this, in milliseconds, is little time.
const LITTLE: u64 = 20_000;

/// The strip of whoever sits at that edge of the board.
#[component]
pub(super) fn Seat(
    table: Table,
    /// At the bottom, or opposite.
    bottom: bool,
) -> impl IntoView {
    let words = table.words;
    let color = Memo::new(move |_| if bottom { table.bottom() } else { !table.bottom() });
    let face = Memo::new(move |_| table.of(|live| live.players.get(color.get()).clone()));
    let you = Memo::new(move |_| table.of(|live| live.you == Some(color.get())) == Some(true));
    let label = move || face.with(|face| face.as_ref().map(|face| name(face, words)));
    let shown = move || {
        let face = face.get()?;
        // A guest in front of this screen has no better name.
        Some(if you.get() && face.name.is_none() {
            view! { <span class="player-name">{words.play_you()}</span> }.into_any()
        } else {
            view! { <span class="player-name"><FaceName face/></span> }.into_any()
        })
    };
    let here =
        Memo::new(move |_| table.of(|live| *live.presence.here.get(color.get())) == Some(true));
    let over = Memo::new(move |_| table.of(|live| live.state.end().is_some()) == Some(true));
    let moves = Memo::new(move |_| {
        table.told.with(|session| session.ending().is_none() && session.side() == color.get())
    });
    let state = move || match (moves.get(), here.get() || over.get()) {
        (_, false) if table.live.with(Option::is_some) => words.game_away(),
        (true, _) if you.get() => words.game_your_turn(),
        (true, _) => words.play_to_move(),
        _ => "",
    };
    let runs = Memo::new(move |_| {
        table
            .of(|live| live.state.clocks().and_then(|clocks| clocks.running()) == Some(color.get()))
            == Some(true)
    });
    let lost = Memo::new(move |_| table.told.with(|session| session.captured(color.get())));
    let left = Memo::new(move |_| {
        let (now, color) = (table.now.get(), color.get());
        table.of(|live| live.left(color, now)).flatten()
    });
    let time = Memo::new(move |_| left.get().map(|left| clock_face(left, words)));
    let short = Memo::new(move |_| left.get().is_some_and(|left| left < LITTLE));
    view! {
        <section
            class="player"
            class:top=!bottom
            class:bottom=bottom
            data-color=move || name_of(color.get())
            data-moves=move || moves.get().to_string()
            data-here=move || here.get().to_string()
            aria-label=label
        >
            <span class="player-sign" aria-hidden="true"></span>
            {shown}
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
                    aria-label=move || words.play_time_left(label().unwrap_or_default())
                    data-runs=move || runs.get().to_string()
                    class:short=move || short.get()
                >
                    {move || time.get()}
                </span>
            </Show>
        </section>
    }
}
