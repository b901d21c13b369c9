//! When the app itself fails: a notice instead of a page that no longer answers.

use leptos::prelude::*;
use leptos::web_sys::console;
use wasm_bindgen::JsValue;

use crate::languages::{Language, Words};

/// From now on a panic is told to the reader, and in full to the console.
pub fn watch() {
    std::panic::set_hook(Box::new(|panic| {
        console::error_1(&panic.to_string().into());
        // What fails here has nobody left to be told.
        let _ = tell_in_words();
    }));
}

/// What can be told without words; `start.js` says the same when it gets no further.
const NO_WORDS: &str = "Khet could not be loaded. Reloading may help.";

/// Tells that no language could be loaded.
pub fn no_words(problem: &JsValue) {
    console::error_1(problem);
    // As above.
    let _ = tell(NO_WORDS);
}

fn tell_in_words() -> Option<()> {
    let language = document().document_element()?.get_attribute("lang")?;
    let words = Words::new(Language::from_code(&language).unwrap_or_default());
    tell(words.shell_error())
}

fn tell(text: &str) -> Option<()> {
    let document = document();
    let notice = document.create_element("p").ok()?;
    notice.set_class_name("trouble");
    notice.set_attribute("role", "alert").ok()?;
    notice.set_text_content(Some(text));
    document.body()?.append_child(&notice).ok()?;
    Some(())
}
