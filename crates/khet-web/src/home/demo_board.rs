//! The board with the demo game on the home page. It pauses while out of view, and on request.

use std::time::Duration;

use leptos::html::Div;
use leptos::prelude::*;

use super::demo_game::{DemoGame, TICK_MS};
use crate::board::Board;
use crate::languages::use_words;
use crate::settings::use_settings;

/// The board with the demo game, and its pause button.
#[component]
pub fn DemoBoard() -> impl IntoView {
    let words = use_words();
    let settings = use_settings();
    let reduced_motion = untrack(|| settings.reduce_motion());
    let demo = RwSignal::new(if reduced_motion { DemoGame::still() } else { DemoGame::new() });
    let paused = RwSignal::new(reduced_motion);
    let frame = NodeRef::<Div>::new();

    let in_view = move || {
        let Some(frame) = frame.get_untracked() else { return false };
        let bounds = frame.get_bounding_client_rect();
        let height = window().inner_height().ok().and_then(|height| height.as_f64());
        !document().hidden() && bounds.bottom() > 0.0 && bounds.top() < height.unwrap_or(f64::MAX)
    };
    let tick = move || {
        if paused.try_get_untracked() == Some(false) && in_view() {
            let mut next = demo.get_untracked();
            if next.tick() {
                demo.set(next);
            } else {
                // The scene is unchanged, so subscribers are not notified.
                demo.update_untracked(|demo| *demo = next);
            }
        }
    };
    let timer = set_interval_with_handle(tick, Duration::from_millis(TICK_MS));
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
    let shot_ended = move |()| demo.update_untracked(DemoGame::shot_ended);

    view! {
        <div class="demo">
            <p class="visually-hidden">{words.home_demo_about()}</p>
            // `inert`: it accepts no moves, and screen readers skip it.
            <div class="demo-board" inert node_ref=frame>
                <Board
                    scene=Signal::derive(move || demo.with(DemoGame::scene))
                    on_shot_end=Callback::new(shot_ended)
                    quiet=true
                />
            </div>
            <button
                type="button"
                class="demo-pause"
                aria-label=move || if paused.get() { words.home_demo_resume() } else { words.home_demo_pause() }
                on:click=move |_| paused.update(|paused| *paused = !*paused)
            >
                <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d=move || {
                        if paused.get() { "M8 5 L19 12 L8 19 Z" } else { "M7 5h3v14H7z M14 5h3v14h-3z" }
                    }/>
                </svg>
            </button>
        </div>
    }
}
