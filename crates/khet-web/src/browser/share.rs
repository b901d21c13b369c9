//! Sharing links with the apps of the device.

use js_sys::{Function, Object, Promise, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::clipboard;
use crate::languages::Words;

/// Opens the share sheet of the device. Copies the link where there is none, and says so in `note`.
pub(crate) fn share_link(words: Words, note: RwSignal<String>, title: &str, link: &str) {
    let link = link.to_owned();
    let Some(shared) = open_share_sheet(title, &link) else {
        return clipboard::copy_link(words, note, &link);
    };
    spawn_local(async move {
        let Err(error) = JsFuture::from(shared).await else { return };
        // People who close the sheet do not want the link.
        if error.dyn_ref::<js_sys::Error>().is_none_or(|error| error.name() != "AbortError") {
            clipboard::copy_link(words, note, &link);
        }
    });
}

/// Calls `navigator.share`, if the browser has it.
fn open_share_sheet(title: &str, link: &str) -> Option<Promise> {
    let navigator = window().navigator();
    let share: Function =
        Reflect::get(&navigator, &JsValue::from_str("share")).ok()?.dyn_into().ok()?;
    let data = Object::new();
    for (name, value) in [("title", title), ("url", link)] {
        // This fails only for immutable objects.
        let _ = Reflect::set(&data, &JsValue::from_str(name), &JsValue::from_str(value));
    }
    share.call1(&navigator, &data).ok()?.dyn_into().ok()
}
