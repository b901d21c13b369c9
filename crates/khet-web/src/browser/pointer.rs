//! Pointer events of the page.

use leptos::prelude::window;
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

/// Returns whether a `pointerdown` is of the first finger or the main mouse button.
pub(crate) fn is_primary_press(event: &PointerEvent) -> bool {
    event.button() == 0 && event.is_primary()
}

/// Returns whether a `pointerdown` is of the right mouse button.
pub(crate) fn is_right_press(event: &PointerEvent) -> bool {
    event.button() == 2 && event.pointer_type() == "mouse"
}

/// Returns the position of the pointer in the window, in pixels.
pub(crate) fn window_position(event: &PointerEvent) -> (i32, i32) {
    (event.client_x(), event.client_y())
}

/// Sends all further events of the pointer to the element that handles this one, wherever the
/// pointer goes.
pub(crate) fn capture(event: &PointerEvent) {
    if let Some(element) = event.current_target().and_then(|it| it.dyn_into::<Element>().ok()) {
        // Fails only if the pointer is gone already.
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

/// Returns whether the main pointer is a finger, which can't point at something without touching it.
pub(crate) fn is_touch_screen() -> bool {
    let query = window().match_media("(hover: none)").ok().flatten();
    query.is_some_and(|query| query.matches())
}
