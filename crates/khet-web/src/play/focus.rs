//! Where the keys go when what had them is gone.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, SvgElement};

/// Gives the keys to the board, once the page has changed.
pub(crate) fn board() {
    give(".room [role=grid] [tabindex='0']");
}

/// Gives the keys to the first choice of the form.
pub(super) fn form() {
    give(".new-game :is(input, select)");
}

fn give(place: &'static str) {
    request_animation_frame(move || {
        let Ok(Some(element)) = document().query_selector(place) else { return };
        // If it can't take them, they start at the top of the page.
        let _ = match element.dyn_into::<HtmlElement>() {
            Ok(element) => element.focus(),
            Err(element) => element.unchecked_into::<SvgElement>().focus(),
        };
    });
}
