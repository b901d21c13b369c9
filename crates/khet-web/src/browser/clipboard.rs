//! Copying text to the clipboard.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::languages::Words;

/// Copies `text`, and writes into `note` whether the browser allowed it.
pub(crate) fn copy(words: Words, note: RwSignal<String>, text: &str) {
    // Browsers offer the clipboard only to pages from a secure origin.
    let clipboard = js_sys::Reflect::get(&window().navigator(), &JsValue::from_str("clipboard"));
    if !clipboard.is_ok_and(|clipboard| clipboard.is_object()) {
        note.set(words.play_not_copied().to_string());
        return;
    }
    let copied = window().navigator().clipboard().write_text(text);
    spawn_local(async move {
        note.set(match JsFuture::from(copied).await {
            Ok(_) => words.play_copied().to_string(),
            Err(_) => words.play_not_copied().to_string(),
        });
    });
}
