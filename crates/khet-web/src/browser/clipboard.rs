//! Copying text to the clipboard.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::languages::Words;

/// Copies `text`, and writes into `note` whether the browser allowed it.
pub(crate) fn copy(words: Words, note: RwSignal<String>, text: &str) {
    copy_and_say(words, note, text, words.play_copied());
}

/// Copies a link, and writes into `note` whether the browser allowed it.
pub(crate) fn copy_link(words: Words, note: RwSignal<String>, link: &str) {
    copy_and_say(words, note, link, words.shell_link_copied());
}

/// Copies `text`, and writes `copied` into `note`, or that the browser does not allow it.
fn copy_and_say(words: Words, note: RwSignal<String>, text: &str, copied: &'static str) {
    // Browsers offer the clipboard only to pages from a secure origin.
    let clipboard = js_sys::Reflect::get(&window().navigator(), &JsValue::from_str("clipboard"));
    if !clipboard.is_ok_and(|clipboard| clipboard.is_object()) {
        note.set(words.play_not_copied().to_string());
        return;
    }
    let written = window().navigator().clipboard().write_text(text);
    spawn_local(async move {
        let message = match JsFuture::from(written).await {
            Ok(_) => copied,
            Err(_) => words.play_not_copied(),
        };
        // The page may have been left in the meantime.
        let _ = note.try_set(message.to_string());
    });
}
