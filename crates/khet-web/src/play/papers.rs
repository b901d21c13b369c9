//! The record and the position of a game: to copy, to download, to paste, to open.

use js_sys::Array;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use super::desk::Desk;
use super::moment::date;
use super::save;
use super::session::Session;
use crate::languages::Words;

/// What the dialog of the record of a game at a desk holds.
#[component]
pub(super) fn GamePapers(desk: Desk) -> impl IntoView {
    let record = desk.session.with_untracked(|session| save::record(session, &date()).to_string());
    let position =
        desk.session.with_untracked(|session| session.position().placement().to_string());
    let open = move |text: String| {
        reopen(desk, &text)?;
        desk.sheet.set(None);
        Ok(())
    };
    view! { <Papers words=desk.words record position open=Callback::new(open)/> }
}

/// A record and a position, to take along; and a way to open others.
#[component]
pub(crate) fn Papers(
    words: Words,
    record: String,
    position: String,
    /// Opens a text; if it can't be opened, it says why.
    open: Callback<String, Result<(), String>>,
) -> impl IntoView {
    let note = RwSignal::new(String::new());
    let pasted = RwSignal::new(String::new());
    let (record_copy, position_copy, file) = (record.clone(), position.clone(), record.clone());
    let open = move |text: String| {
        if let Err(problem) = open.run(text) {
            note.set(problem);
        }
    };
    let input = NodeRef::<html::Input>::new();
    let opened = move |_| {
        let file =
            input.get_untracked().and_then(|input| input.files()).and_then(|files| files.get(0));
        let Some(file) = file else { return };
        spawn_local(async move {
            match JsFuture::from(file.text()).await {
                Ok(text) => open(text.as_string().unwrap_or_default()),
                Err(_) => note.set(words.play_unreadable("")),
            }
        });
    };
    view! {
        <div class="papers">
            <label class="field">
                <span>{words.play_record_label()}</span>
                <textarea readonly rows="6" data-text="record" prop:value=record></textarea>
            </label>
            <div class="dialog-actions">
                <button
                    type="button"
                    class="button"
                    data-action="copy-record"
                    on:click=move |_| copy(words, note, &record_copy)
                >
                    {words.play_copy()}
                </button>
                <button
                    type="button"
                    class="button"
                    data-action="download-record"
                    on:click=move |_| download(&file)
                >
                    {words.play_download()}
                </button>
            </div>
            <label class="field">
                <span>{words.play_position_label()}</span>
                <input type="text" readonly data-text="position" prop:value=position/>
            </label>
            <div class="dialog-actions">
                <button
                    type="button"
                    class="button"
                    data-action="copy-position"
                    on:click=move |_| copy(words, note, &position_copy)
                >
                    {words.play_copy()}
                </button>
            </div>
            <label class="field">
                <span>{words.play_paste_label()}</span>
                <textarea
                    rows="3"
                    data-text="paste"
                    spellcheck="false"
                    prop:value=move || pasted.get()
                    on:input=move |event| pasted.set(event_target_value(&event))
                ></textarea>
            </label>
            <div class="dialog-actions">
                <button
                    type="button"
                    class="button primary"
                    data-action="open"
                    on:click=move |_| open(pasted.get_untracked())
                >
                    {words.play_open()}
                </button>
                <label class="button file">
                    <span>{words.play_open_file()}</span>
                    <input
                        type="file"
                        accept=".kgn,.txt,text/plain"
                        node_ref=input
                        on:change=opened
                    />
                </label>
            </div>
            <p class="papers-note" role="status">{move || note.get()}</p>
        </div>
    }
}

/// Goes on with what was pasted or opened, with the players and the clocks of the present game.
fn reopen(desk: Desk, text: &str) -> Result<(), String> {
    let session = desk.session.with_untracked(|session| {
        let rules = session.game().start().rules();
        save::open(text, rules, Session::mode(session), session.time_control())
    });
    let session = session.map_err(|problem| desk.words.play_unreadable(problem.0))?;
    desk.begin(session);
    Ok(())
}

/// Copies a text, and notes whether the browser let us.
pub(crate) fn copy(words: Words, note: RwSignal<String>, text: &str) {
    // Absent where a page is not served safely.
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

/// Lets the browser save the record as a file.
pub(crate) fn download(record: &str) {
    download_as(&format!("khet-{}.kgn", date().replace('.', "-")), "text/plain", record);
}

/// Lets the browser save a text of some kind as a file.
pub(crate) fn download_as(name: &str, kind: &str, text: &str) {
    let save = || -> Result<(), JsValue> {
        let address = address_of(kind, text)?;
        save_from(&address, name)?;
        Url::revoke_object_url(&address)
    };
    // What the browser refuses, it says itself.
    let _ = save();
}

/// A text as something that the browser can load, until the address is given back.
pub(crate) fn address_of(kind: &str, text: &str) -> Result<String, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(&format!("{kind};charset=utf-8"));
    let parts = Array::of1(&JsValue::from_str(text));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    Url::create_object_url_with_blob(&blob)
}

/// Lets the browser save what is at an address.
pub(crate) fn save_from(address: &str, name: &str) -> Result<(), JsValue> {
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(address);
    link.set_download(name);
    link.click();
    Ok(())
}
