//! A player's strip beside the board: presence, name, what is lost, clock.

use std::time::Duration;

use leptos::prelude::*;

use super::state::OnlineGame;
use crate::game_ui::player_strip::{LOW_TIME, PlayerStrip};
use crate::game_ui::profile_name::{ProfileName, display_name};
use crate::online::names::clock_face;

/// The strip of whoever sits at that edge of the board.
#[component]
pub(super) fn Seat(
    game: OnlineGame,
    /// At the bottom, or opposite.
    bottom: bool,
) -> impl IntoView {
    let words = game.words;
    let color = Memo::new(move |_| if bottom { game.bottom() } else { !game.bottom() });
    let face = Memo::new(move |_| game.of(|live| live.players.get(color.get()).clone()));
    let you = Memo::new(move |_| game.of(|live| live.you == Some(color.get())) == Some(true));
    let label = move || {
        face.with(|face| face.as_ref().map(|face| display_name(face, words)).unwrap_or_default())
    };
    let shown = move || {
        let face = face.get()?;
        // A guest in front of this screen has no better name.
        Some(if you.get() && face.name.is_none() {
            words.play_you().into_any()
        } else {
            view! { <ProfileName profile=face/> }.into_any()
        })
    };
    let here =
        Memo::new(move |_| game.of(|live| *live.presence.connected.get(color.get())) == Some(true));
    let over = Memo::new(move |_| game.of(|live| live.state.outcome().is_some()) == Some(true));
    let moves = Memo::new(move |_| {
        game.revealed.with(|session| session.outcome().is_none() && session.side() == color.get())
    });
    let state = move || match (moves.get(), here.get() || over.get()) {
        (_, false) if game.live.with(Option::is_some) => words.game_away(),
        (true, _) if you.get() => words.game_your_turn(),
        (true, _) => words.play_to_move(),
        _ => "",
    };
    let runs = Memo::new(move |_| {
        game.of(|live| live.state.clock().and_then(|clock| clock.running()) == Some(color.get()))
            == Some(true)
    });
    let left = Memo::new(move |_| {
        let (now, color) = (game.now.get(), color.get());
        game.of(|live| live.left(color, now)).flatten()
    });
    let strip = PlayerStrip {
        words,
        bottom,
        color,
        label: Signal::derive(label),
        to_move: moves,
        present: Some(here),
        captured: Memo::new(move |_| game.revealed.with(|session| session.captured(color.get()))),
        time: Memo::new(move |_| left.get().map(|left| clock_face(left, words))),
        low_time: Memo::new(move |_| {
            left.get().is_some_and(|left| Duration::from_millis(left) < LOW_TIME)
        }),
        clock_running: runs,
    };
    strip.show(shown, state)
}
