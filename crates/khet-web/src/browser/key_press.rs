//! Key presses anywhere on the page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// A key press that no element has handled yet.
pub(crate) struct KeyPress {
    event: KeyboardEvent,
    target: Option<Element>,
}

impl KeyPress {
    /// Returns the name of the key, such as `ArrowLeft` or `f`.
    pub(crate) fn key(&self) -> String {
        self.event.key()
    }

    /// Returns whether the control key is held.
    pub(crate) fn has_control(&self) -> bool {
        self.event.ctrl_key()
    }

    /// Returns whether the focus is in an element that matches a selector.
    pub(crate) fn is_within(&self, selector: &str) -> bool {
        let target = self.target.as_ref();
        target.is_some_and(|target| target.closest(selector).ok().flatten().is_some())
    }
}

/// Calls `handle` for each key press until the current component is removed. `handle` returns
/// whether it used the key.
pub(crate) fn on_key_press(handle: impl Fn(&KeyPress) -> bool + 'static) {
    let listener = window_event_listener(leptos::ev::keydown, move |event: KeyboardEvent| {
        if event.alt_key() || event.meta_key() || event.default_prevented() {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let press = KeyPress { event, target };
        if handle(&press) {
            press.event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}
