//! Navigation through the moves of a game by keys and swipes.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent};

use crate::game::session::Session;

/// Elements in which the arrow keys have another meaning, such as the board's cursor.
const BUSY: &str = "input, textarea, select, dialog, [role=grid], [contenteditable]";

/// Shortest swipe, in pixels.
const SWIPE: f64 = 40.0;

/// A game, and the callback that shows another position of it.
#[derive(Clone, Copy)]
pub(crate) struct MoveNavigation {
    /// The game.
    pub(crate) session: RwSignal<Session>,
    /// The game as shown around the board.
    pub(crate) revealed: RwSignal<Session>,
    /// Shows the position after the given number of moves.
    pub(crate) look: Callback<usize>,
}

impl MoveNavigation {
    /// Shows the position after `place` moves.
    pub(crate) fn look(self, place: usize) {
        self.look.run(place);
    }

    /// Goes back or forward by a number of moves.
    pub(crate) fn step_by(self, moves: isize) {
        let place = self.session.with_untracked(Session::viewed_ply);
        self.look(place.saturating_add_signed(moves));
    }
}

/// A step through the moves of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    First,
    Back,
    Forth,
    Last,
}

impl MoveNavigation {
    /// Takes a step.
    pub(crate) fn step(self, step: Step) {
        match step {
            Step::First => self.look(0),
            Step::Back => self.step_by(-1),
            Step::Forth => self.step_by(1),
            Step::Last => self.look(usize::MAX),
        }
    }
}

/// Navigates with the arrow keys, Home and End; on the board with `,` and `.`.
pub(crate) fn navigate_by_keys(
    go: impl Fn(Step) + 'static,
    resting: impl Fn() -> bool + Send + Sync + 'static,
) {
    let listener = window_event_listener(leptos::ev::keydown, move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.default_prevented() {
            return;
        }
        if resting() {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let within = |places: &str| {
            target.as_ref().is_some_and(|target| target.closest(places).ok().flatten().is_some())
        };
        match event.key().as_str() {
            "," if !within("input, textarea, dialog") => go(Step::Back),
            "." if !within("input, textarea, dialog") => go(Step::Forth),
            _ if within(BUSY) => return,
            "ArrowLeft" => go(Step::Back),
            "ArrowRight" => go(Step::Forth),
            "Home" => go(Step::First),
            "End" => go(Step::Last),
            _ => return,
        }
        event.prevent_default();
    });
    on_cleanup(move || listener.remove());
}

/// Recognises swipes across the page.
#[derive(Clone, Copy)]
pub(crate) struct Swipe {
    navigation: MoveNavigation,
    from: StoredValue<Option<(f64, f64)>>,
}

impl Swipe {
    pub(crate) fn new(navigation: MoveNavigation) -> Swipe {
        Swipe { navigation, from: StoredValue::new(None) }
    }

    /// Handles a touch. On a board that accepts moves, a touch means a piece.
    pub(crate) fn begin(self, event: &PointerEvent) {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let on = |places: &str| {
            target.as_ref().is_some_and(|target| target.closest(places).ok().flatten().is_some())
        };
        let acts = self
            .navigation
            .session
            .with_untracked(|session| session.is_at_latest() && session.awaits_person());
        let means_else = on("dialog, form, .moves") || (acts && on(".board"));
        let touch = event.pointer_type() != "mouse";
        let at = (f64::from(event.client_x()), f64::from(event.client_y()));
        self.from.set_value((touch && !means_else).then_some(at));
    }

    /// Handles the end of a touch: a swipe to the right goes a move back, to the left forward.
    pub(crate) fn end(self, event: &PointerEvent) {
        let Some((x, y)) = self.from.get_value() else { return };
        self.from.set_value(None);
        let (right, down) = (f64::from(event.client_x()) - x, f64::from(event.client_y()) - y);
        if let Some(moves) = swiped(right, down)
            && !self.navigation.session.with_untracked(|session| session.game().moves().is_empty())
        {
            self.navigation.step_by(moves);
        }
    }
}

/// Returns the number of moves that a gesture stands for, if it is a swipe.
fn swiped(right: f64, down: f64) -> Option<isize> {
    if right.abs() < SWIPE || right.abs() < 2.0 * down.abs() {
        return None;
    }
    Some(if right > 0.0 { -1 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_wide_flat_way_is_a_swipe() {
        assert_eq!(swiped(60.0, 10.0), Some(-1));
        assert_eq!(swiped(-60.0, -20.0), Some(1));
        assert_eq!(swiped(20.0, 0.0), None);
        assert_eq!(swiped(60.0, 50.0), None);
    }
}
