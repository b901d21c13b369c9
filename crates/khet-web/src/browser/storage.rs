//! Texts in the browser's local storage.

use leptos::prelude::*;

/// Returns the text under `key`, if there is one and the browser allows access.
pub(crate) fn load(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?
}

/// Returns the text under `key`, or an empty one.
pub(crate) fn load_or_empty(key: &str) -> String {
    load(key).unwrap_or_default()
}

/// Stores `text` under `key`. Returns false if storage is full or forbidden.
pub(crate) fn store(key: &str, text: &str) -> bool {
    let storage = window().local_storage().ok().flatten();
    storage.is_some_and(|storage| storage.set_item(key, text).is_ok())
}

/// Removes the text under `key`, if the browser allows it.
pub(crate) fn remove(key: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.remove_item(key);
    }
}
