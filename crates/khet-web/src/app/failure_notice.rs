//! A notice for the user after the app has panicked or could not start.

use leptos::prelude::*;
use leptos::web_sys::console;
use wasm_bindgen::JsValue;

use crate::languages::{Language, Words};

/// Installs a panic hook that shows a notice and logs the panic to the console.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        console::error_1(&panic.to_string().into());
        // If this fails too, only the console has the error.
        let _ = show_translated();
    }));
}

/// The notice if no language could be loaded; `start.js` shows a similar one if loading fails.
const TEXTS_MISSING: &str = "Khet could not be loaded. Check your connection and reload the page.";

/// Shows that no language could be loaded.
pub fn show_texts_missing(problem: &JsValue) {
    console::error_1(problem);
    // If this fails too, only the console has the error.
    let _ = show_notice(TEXTS_MISSING);
}

/// Shows the notice in the language of the page.
fn show_translated() -> Option<()> {
    let language = document().document_element()?.get_attribute("lang")?;
    let words = Words::new(Language::from_code(&language).unwrap_or_default());
    show_notice(words.shell_error())
}

/// Adds a notice to the page.
fn show_notice(text: &str) -> Option<()> {
    let document = document();
    let notice = document.create_element("p").ok()?;
    notice.set_class_name("error-notice");
    notice.set_attribute("role", "alert").ok()?;
    notice.set_text_content(Some(text));
    document.body()?.append_child(&notice).ok()?;
    Some(())
}
