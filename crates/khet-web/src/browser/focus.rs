//! Restores keyboard focus after the focused element was removed.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, SvgElement};

/// Focuses the board of the game in the next animation frame, when the page has been updated.
pub(crate) fn focus_board() {
    focus_later(".game-page [role=grid] [tabindex='0']");
}

/// Focuses the first field of the form for a new game.
pub(crate) fn focus_new_game_form() {
    focus_later(".new-game :is(input, select)");
}

/// Focuses the field for moves in notation, which is hidden until then.
pub(crate) fn focus_move_field() {
    focus_later(".game-page .move-text");
}

/// Focuses an element in the next animation frame, unless another one has the focus by then.
pub(crate) fn focus_if_lost(selector: String) {
    request_animation_frame(move || {
        let body = document().body().map(Element::from);
        if document().active_element() == body {
            focus(&selector);
        }
    });
}

/// Focuses an element in the next animation frame.
pub(crate) fn focus_later(selector: &'static str) {
    request_animation_frame(move || focus(selector));
}

/// Focuses an element.
fn focus(selector: &str) {
    let Ok(Some(element)) = document().query_selector(selector) else { return };
    // An element that refuses focus leaves it at the top of the page.
    let _ = match element.dyn_into::<HtmlElement>() {
        Ok(element) => element.focus(),
        Err(element) => element.unchecked_into::<SvgElement>().focus(),
    };
}
