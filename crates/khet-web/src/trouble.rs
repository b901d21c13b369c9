//! When the app itself fails: a notice instead of a page that no longer answers.

use leptos::prelude::*;
use leptos::web_sys::console;

use crate::languages::{Language, Words};

/// From now on a panic is told to the reader, and in full to the console.
pub fn watch() {
    std::panic::set_hook(Box::new(|panic| {
        console::error_1(&panic.to_string().into());
        // What fails here has nobody left to be told.
        let _ = show();
    }));
}

fn show() -> Option<()> {
    let document = document();
    let language = document.document_element()?.get_attribute("lang")?;
    let words = Words::new(Language::from_code(&language).unwrap_or_default());
    let notice = document.create_element("p").ok()?;
    notice.set_class_name("trouble");
    notice.set_attribute("role", "alert").ok()?;
    notice.set_text_content(Some(words.shell_trouble()));
    document.body()?.append_child(&notice).ok()?;
    Some(())
}
