//! Downloads: texts and pictures that the browser saves as files.

use js_sys::Array;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use super::time::date;

/// Downloads a game record as a `.kgn` file.
pub(crate) fn download_record(record: &str) {
    download_as(&format!("khet-{}.kgn", date().replace('.', "-")), "text/plain", record);
}

/// Downloads `text` as a file of the MIME type `kind`.
pub(crate) fn download_as(name: &str, kind: &str, text: &str) {
    let save = || -> Result<(), JsValue> {
        let url = object_url(kind, text)?;
        download_from(&url, name)?;
        Url::revoke_object_url(&url)
    };
    // The browser itself reports a download that it refuses.
    let _ = save();
}

/// Returns an object URL for `text`. The caller revokes it.
pub(crate) fn object_url(kind: &str, text: &str) -> Result<String, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(&format!("{kind};charset=utf-8"));
    let parts = Array::of1(&JsValue::from_str(text));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    Url::create_object_url_with_blob(&blob)
}

/// Downloads the file at `url`.
pub(crate) fn download_from(url: &str, name: &str) -> Result<(), JsValue> {
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(url);
    link.set_download(name);
    link.click();
    Ok(())
}
