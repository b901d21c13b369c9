//! Navigation through the moves of a game by keys, wheel and swipes.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent, WheelEvent};

use crate::board::ArrowKeysStep;
use crate::browser::key_press::on_key_press;
use crate::game::session::GameSession;

/// Elements in which letters are typed.
const TEXT_INPUT: &str = "input, textarea, select, dialog, [contenteditable]";
/// Elements that use the arrow keys themselves. The board handles the keys of its cursor first.
const USES_ARROW_KEYS: &str = "[role=tablist], [role=menu]";

/// The height of a line, in pixels, for wheels that count lines.
const LINE_HEIGHT: f64 = 33.0;
/// The pixels of scrolling that make a step: less than a notch of a mouse wheel.
const WHEEL_STEP: f64 = 45.0;
/// The shortest time between two steps, in milliseconds.
const WHEEL_PAUSE: f64 = 60.0;
/// The time without events after which a new scroll begins, in milliseconds.
const WHEEL_REST: f64 = 250.0;

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

    /// Returns whether there is no move to go to.
    pub(crate) fn is_empty(self) -> bool {
        self.session.with_untracked(|session| session.game().moves().is_empty())
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

/// Navigates with the arrow keys, Home and End, with `,` and `.` on the board, and flips the board
/// with `f`, unless `disabled` returns true.
pub(crate) fn navigate_by_keys(
    go: impl Fn(Step) + 'static,
    flip: impl Fn() + 'static,
    disabled: impl Fn() -> bool + 'static,
) {
    provide_context(ArrowKeysStep);
    on_key_press(move |press| {
        if press.has_control() || disabled() {
            return false;
        }
        match press.key().as_str() {
            _ if press.is_within(TEXT_INPUT) => return false,
            "," => go(Step::Back),
            "." => go(Step::Forward),
            "f" => flip(),
            _ if press.is_within(USES_ARROW_KEYS) => return false,
            "ArrowLeft" => go(Step::Back),
            "ArrowRight" => go(Step::Forward),
            "Home" => go(Step::First),
            "End" => go(Step::Last),
            _ => return false,
        }
        true
    });
}

/// Flips the board with `f`, on a page without a list of moves.
pub(crate) fn flip_by_key(flip: impl Fn() + 'static) {
    on_key_press(move |press| {
        let flips = press.key() == "f" && !press.has_control() && !press.is_within(TEXT_INPUT);
        if flips {
            flip();
        }
        flips
    });
}

/// Returns the handler of the mouse wheel over the board: it goes back or forward by a move, unless
/// `disabled` returns true. The board itself uses the wheel while a piece is in hand.
pub(crate) fn navigate_by_wheel(
    go: impl Fn(Step) + 'static,
    disabled: impl Fn() -> bool + 'static,
) -> impl Fn(WheelEvent) {
    let wheel = StoredValue::new(StepWheel::default());
    move |event| {
        if event.default_prevented() || event.ctrl_key() || disabled() {
            return;
        }
        event.prevent_default();
        let delta = match event.delta_mode() {
            WheelEvent::DOM_DELTA_PIXEL => event.delta_y(),
            _ => event.delta_y() * LINE_HEIGHT,
        };
        let step = wheel.try_update_value(|wheel| wheel.scroll(delta, event.time_stamp()));
        if let Some(step) = step.flatten() {
            go(step);
        }
    }
}

/// Turns events of the wheel into steps. A notch of a mouse wheel is one step; a touchpad sends
/// many small events, which add up. Scrolling back takes effect at once.
#[derive(Clone, Copy, Debug, Default)]
struct StepWheel {
    /// The pixels scrolled since the last step.
    scrolled: f64,
    /// The pixels of the last event.
    last_delta: f64,
    /// The time of the last event in milliseconds.
    last_event: f64,
    /// The time of the last step in milliseconds.
    last_step: f64,
}

impl StepWheel {
    /// Returns the step for a scroll by `delta` pixels at a time in milliseconds.
    fn scroll(&mut self, delta: f64, time: f64) -> Option<Step> {
        let reversed = self.last_delta * delta < 0.0;
        if reversed || time - self.last_event > WHEEL_REST {
            self.scrolled = 0.0;
        }
        self.last_event = time;
        self.last_delta = delta;
        self.scrolled += delta;
        let too_soon = !reversed && time - self.last_step < WHEEL_PAUSE;
        if self.scrolled.abs() < WHEEL_STEP || too_soon {
            return None;
        }
        self.scrolled = 0.0;
        self.last_step = time;
        Some(if delta > 0.0 { Step::Forward } else { Step::Back })
    }
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
            && !self.navigation.is_empty()
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
    fn notch_of_the_wheel_is_a_step() {
        let mut wheel = StepWheel::default();
        assert_eq!(wheel.scroll(120.0, 1000.0), Some(Step::Forward));
        assert_eq!(wheel.scroll(120.0, 1030.0), None, "too fast");
        assert_eq!(wheel.scroll(-120.0, 1040.0), Some(Step::Back), "the other way");
        assert_eq!(wheel.scroll(-120.0, 1100.0), Some(Step::Back));
    }

    #[test]
    fn small_scrolls_of_a_touchpad_add_up() {
        let mut wheel = StepWheel::default();
        let steps = (0..9).filter_map(|event| wheel.scroll(10.0, 1000.0 + f64::from(event) * 16.0));
        assert_eq!(steps.collect::<Vec<_>>(), [Step::Forward]);
        assert_eq!(wheel.scroll(10.0, 2000.0), None, "a new scroll");
    }

    #[test]
    fn only_a_long_horizontal_gesture_is_a_swipe() {
        assert_eq!(swipe_moves(60.0, 10.0), Some(-1));
        assert_eq!(swipe_moves(-60.0, -20.0), Some(1));
        assert_eq!(swipe_moves(20.0, 0.0), None);
        assert_eq!(swipe_moves(60.0, 50.0), None);
    }
}
