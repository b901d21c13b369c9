//! Navigation through the moves of a game by keys and swipes.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent};

use crate::game::session::GameSession;

/// Elements that use the arrow keys themselves, such as the board for its cursor.
const USES_ARROW_KEYS: &str = "input, textarea, select, dialog, [role=grid], [contenteditable]";

/// Length of the shortest swipe, in pixels.
const MIN_SWIPE: f64 = 40.0;

/// A game, and the callback that shows another position of it.
#[derive(Clone, Copy)]
pub(crate) struct MoveNavigation {
    /// The game.
    pub(crate) session: RwSignal<GameSession>,
    /// The game as shown around the board.
    pub(crate) revealed: RwSignal<GameSession>,
    /// Shows the position after the given number of moves.
    pub(crate) show_ply: Callback<usize>,
}

impl MoveNavigation {
    /// Shows the position after `ply` moves.
    pub(crate) fn show_ply(self, ply: usize) {
        self.show_ply.run(ply);
    }

    /// Goes back or forward by a number of moves.
    pub(crate) fn step_by(self, moves: isize) {
        let ply = self.session.with_untracked(GameSession::viewed_ply);
        self.show_ply(ply.saturating_add_signed(moves));
    }
}

/// A step through the moves of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    First,
    Back,
    Forward,
    Last,
}

impl MoveNavigation {
    /// Takes a step.
    pub(crate) fn step(self, step: Step) {
        match step {
            Step::First => self.show_ply(0),
            Step::Back => self.step_by(-1),
            Step::Forward => self.step_by(1),
            Step::Last => self.show_ply(usize::MAX),
        }
    }
}

/// Navigates with the arrow keys, Home and End, and on the board with `,` and `.`, unless
/// `disabled` returns true.
pub(crate) fn navigate_by_keys(
    go: impl Fn(Step) + 'static,
    disabled: impl Fn() -> bool + Send + Sync + 'static,
) {
    let listener = window_event_listener(leptos::ev::keydown, move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.default_prevented() {
            return;
        }
        if disabled() {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let within = |selector: &str| {
            target.as_ref().is_some_and(|target| target.closest(selector).ok().flatten().is_some())
        };
        match event.key().as_str() {
            "," if !within("input, textarea, dialog") => go(Step::Back),
            "." if !within("input, textarea, dialog") => go(Step::Forward),
            _ if within(USES_ARROW_KEYS) => return,
            "ArrowLeft" => go(Step::Back),
            "ArrowRight" => go(Step::Forward),
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
    /// The start of the current touch.
    start: StoredValue<Option<(f64, f64)>>,
}

impl Swipe {
    pub(crate) fn new(navigation: MoveNavigation) -> Swipe {
        Swipe { navigation, start: StoredValue::new(None) }
    }

    /// Handles the start of a touch. On a board that accepts moves, a touch selects a piece.
    pub(crate) fn begin(self, event: &PointerEvent) {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let within = |selector: &str| {
            target.as_ref().is_some_and(|target| target.closest(selector).ok().flatten().is_some())
        };
        let board_accepts_moves = self
            .navigation
            .session
            .with_untracked(|session| session.is_at_latest() && session.awaits_person());
        let has_other_meaning =
            within("dialog, form, .moves") || (board_accepts_moves && within(".board"));
        let touch = event.pointer_type() != "mouse";
        let point = (f64::from(event.client_x()), f64::from(event.client_y()));
        self.start.set_value((touch && !has_other_meaning).then_some(point));
    }

    /// Handles the end of a touch. A swipe to the right goes back by one move, to the left forward.
    pub(crate) fn end(self, event: &PointerEvent) {
        let Some((x, y)) = self.start.get_value() else { return };
        self.start.set_value(None);
        let (right, down) = (f64::from(event.client_x()) - x, f64::from(event.client_y()) - y);
        if let Some(moves) = swipe_moves(right, down)
            && !self.navigation.session.with_untracked(|session| session.game().moves().is_empty())
        {
            self.navigation.step_by(moves);
        }
    }
}

/// Returns the number of moves to go forward if the gesture is a swipe.
fn swipe_moves(right: f64, down: f64) -> Option<isize> {
    if right.abs() < MIN_SWIPE || right.abs() < 2.0 * down.abs() {
        return None;
    }
    Some(if right > 0.0 { -1 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_horizontal_gesture_is_a_swipe() {
        assert_eq!(swipe_moves(60.0, 10.0), Some(-1));
        assert_eq!(swipe_moves(-60.0, -20.0), Some(1));
        assert_eq!(swipe_moves(20.0, 0.0), None);
        assert_eq!(swipe_moves(60.0, 50.0), None);
    }
}
