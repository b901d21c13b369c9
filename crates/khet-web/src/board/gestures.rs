//! Gestures on a board: taps, drags and rotations with the wheel, for playing and for editing.
//!
//! The types know nothing about the page, so their tests need no browser. Positions are in pixels
//! of the window.

use khet::Rotation;

/// The distance in pixels from which a press becomes a drag.
const DRAG_THRESHOLD: f64 = 6.0;
/// The shortest time between two rotations in milliseconds, because one push of the wheel sends
/// many events.
const WHEEL_PAUSE: f64 = 220.0;

/// A pressed finger or mouse button.
#[derive(Clone, Copy, Debug)]
struct Press<T> {
    pointer: i32,
    source: T,
    at: (i32, i32),
    dragging: bool,
}

/// Distinguishes taps from drags. `T` names the square or piece on which a press begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointerGesture<T> {
    press: Option<Press<T>>,
}

/// Result of moving a pressed pointer. `D` is the thing that is dragged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DragEvent<D> {
    /// The press has become a drag.
    Start(D),
    /// The drag continues.
    Move,
}

/// Result of releasing a pressed pointer, with the source of the press.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReleaseEvent<T> {
    /// The pointer was released where it was pressed, without a drag.
    Tap(T),
    /// The drag has ended.
    Drop(T),
}

impl<T: Copy + PartialEq> PointerGesture<T> {
    /// Creates a gesture without a pressed pointer.
    pub(crate) const fn new() -> PointerGesture<T> {
        PointerGesture { press: None }
    }

    /// Begins a gesture. It replaces the one of another pointer.
    pub(crate) fn press(&mut self, pointer: i32, at: (i32, i32), source: T) {
        self.press = Some(Press { pointer, source, at, dragging: false });
    }

    /// Follows the pressed pointer. Once it has moved far enough, `lift` returns the thing to drag
    /// from the source, or `None` if the source has nothing that can be dragged now.
    pub(crate) fn move_to<D>(
        &mut self,
        pointer: i32,
        at: (i32, i32),
        lift: impl FnOnce(T) -> Option<D>,
    ) -> Option<DragEvent<D>> {
        let press = self.press.as_mut().filter(|press| press.pointer == pointer)?;
        if press.dragging {
            return Some(DragEvent::Move);
        }
        let distance = f64::from(at.0 - press.at.0).hypot(f64::from(at.1 - press.at.1));
        if distance < DRAG_THRESHOLD {
            return None;
        }
        let dragged = lift(press.source)?;
        press.dragging = true;
        Some(DragEvent::Start(dragged))
    }

    /// Ends the gesture of a pointer that is released over `target`.
    pub(crate) fn release(&mut self, pointer: i32, target: Option<T>) -> Option<ReleaseEvent<T>> {
        let press = self.press.take_if(|press| press.pointer == pointer)?;
        if press.dragging {
            Some(ReleaseEvent::Drop(press.source))
        } else {
            (target == Some(press.source)).then_some(ReleaseEvent::Tap(press.source))
        }
    }

    /// Ends the gesture without a result.
    pub(crate) fn cancel(&mut self) {
        self.press = None;
    }
}

/// Turns events of the mouse wheel into single rotations.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WheelGesture {
    /// The time of the last rotation in milliseconds.
    last: f64,
}

impl WheelGesture {
    /// Returns the rotation for a scroll by `delta_y` at a time in milliseconds: clockwise for
    /// scrolling down. Returns `None` shortly after another rotation and for horizontal scrolling.
    pub(crate) fn scroll(&mut self, delta_y: f64, time: f64) -> Option<Rotation> {
        if time - self.last < WHEEL_PAUSE || delta_y == 0.0 {
            return None;
        }
        self.last = time;
        Some(if delta_y > 0.0 { Rotation::Clockwise } else { Rotation::Counterclockwise })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTER: i32 = 1;
    const OTHER_POINTER: i32 = 2;

    fn pressed() -> PointerGesture<char> {
        let mut gesture = PointerGesture::new();
        gesture.press(POINTER, (100, 100), 'a');
        gesture
    }

    fn dragging() -> PointerGesture<char> {
        let mut gesture = pressed();
        assert_eq!(gesture.move_to(POINTER, (120, 100), Some), Some(DragEvent::Start('a')));
        gesture
    }

    #[test]
    fn release_on_the_source_is_a_tap() {
        let mut gesture = pressed();
        assert_eq!(gesture.release(POINTER, Some('a')), Some(ReleaseEvent::Tap('a')));
        assert_eq!(gesture.release(POINTER, Some('a')), None, "the gesture has ended");
    }

    #[test]
    fn release_elsewhere_without_a_drag_does_nothing() {
        assert_eq!(pressed().release(POINTER, Some('b')), None);
        assert_eq!(pressed().release(POINTER, None), None);
    }

    #[test]
    fn drag_starts_at_six_pixels() {
        let mut gesture = pressed();
        assert_eq!(gesture.move_to(POINTER, (105, 100), Some), None);
        assert_eq!(gesture.move_to(POINTER, (104, 104), Some), None, "5.7 pixels");
        assert_eq!(gesture.move_to(POINTER, (100, 94), Some), Some(DragEvent::Start('a')));
        assert_eq!(gesture.move_to(POINTER, (100, 100), Some), Some(DragEvent::Move));
    }

    #[test]
    fn drag_ends_with_a_drop_even_on_its_source() {
        for target in [Some('a'), Some('b'), None] {
            assert_eq!(dragging().release(POINTER, target), Some(ReleaseEvent::Drop('a')));
        }
    }

    #[test]
    fn source_without_a_draggable_piece_is_asked_again() {
        let mut gesture = pressed();
        assert_eq!(gesture.move_to(POINTER, (120, 100), |_| None::<char>), None);
        assert_eq!(gesture.move_to(POINTER, (121, 100), |_| Some(7)), Some(DragEvent::Start(7)));
        let mut gesture = pressed();
        assert_eq!(gesture.move_to(POINTER, (120, 100), |_| None::<char>), None);
        assert_eq!(gesture.release(POINTER, Some('a')), Some(ReleaseEvent::Tap('a')));
    }

    #[test]
    fn other_pointers_are_ignored() {
        let mut gesture = dragging();
        assert_eq!(gesture.move_to(OTHER_POINTER, (300, 300), Some), None);
        assert_eq!(gesture.release(OTHER_POINTER, Some('a')), None);
        assert_eq!(gesture.release(POINTER, None), Some(ReleaseEvent::Drop('a')));
    }

    #[test]
    fn new_press_replaces_the_gesture() {
        let mut gesture = dragging();
        gesture.press(OTHER_POINTER, (0, 0), 'b');
        assert_eq!(gesture.release(POINTER, Some('a')), None);
        assert_eq!(gesture.release(OTHER_POINTER, Some('b')), Some(ReleaseEvent::Tap('b')));
    }

    #[test]
    fn cancelled_gesture_has_no_result() {
        let mut gesture = dragging();
        gesture.cancel();
        assert_eq!(gesture.move_to(POINTER, (140, 100), Some), None);
        assert_eq!(gesture.release(POINTER, Some('a')), None);
    }

    #[test]
    fn wheel_rotates_at_most_once_per_pause() {
        let mut wheel = WheelGesture::default();
        assert_eq!(wheel.scroll(3.0, 1000.0), Some(Rotation::Clockwise));
        assert_eq!(wheel.scroll(3.0, 1219.0), None);
        assert_eq!(wheel.scroll(0.0, 1220.0), None, "horizontal");
        assert_eq!(wheel.scroll(-3.0, 1220.0), Some(Rotation::Counterclockwise));
    }
}
