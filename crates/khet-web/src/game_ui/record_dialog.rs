//! The dialog that exports and imports a game: copy, download, paste, open a file.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

use super::text_errors::game_text_error;
use crate::browser::clipboard::copy;
use crate::browser::download::download_record;
use crate::game::save::GameTextError;
use crate::languages::Words;

/// Shows a record and a position for export, and imports others.
#[component]
pub(crate) fn RecordDialog(
    words: Words,
    record: String,
    position: String,
    /// Imports a text, or returns why it is unreadable.
    on_import: Callback<String, Result<(), String>>,
) -> impl IntoView {
    let message = RwSignal::new(String::new());
    let (record_copy, position_copy, file) = (record.clone(), position.clone(), record.clone());
    view! {
        <div class="record-dialog">
            <label class="field">
                <span>{words.play_record_label()}</span>
                <textarea readonly rows="6" data-text="record" prop:value=record></textarea>
            </label>
            <div class="dialog-actions">
                <button
                    type="button"
                    class="button"
                    data-action="copy-record"
                    on:click=move |_| copy(words, message, &record_copy)
                >
                    {words.play_copy()}
                </button>
                <button
                    type="button"
                    class="button"
                    data-action="download-record"
                    on:click=move |_| download_record(&file)
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
                    on:click=move |_| copy(words, message, &position_copy)
                >
                    {words.play_copy()}
                </button>
            </div>
            <ImportFields words message on_import/>
            <p class="dialog-note" role="status">{move || message.get()}</p>
        </div>
    }
}

/// The fields to paste a record or a position, and to open a file.
#[component]
fn ImportFields(
    words: Words,
    message: RwSignal<String>,
    on_import: Callback<String, Result<(), String>>,
) -> impl IntoView {
    let pasted = RwSignal::new(String::new());
    let import = move |text: String| {
        if let Err(problem) = on_import.run(text) {
            message.set(problem);
        }
    };
    let input = NodeRef::<html::Input>::new();
    let import_file = move |_| {
        let file =
            input.get_untracked().and_then(|input| input.files()).and_then(|files| files.get(0));
        let Some(file) = file else { return };
        spawn_local(async move {
            match JsFuture::from(file.text()).await {
                Ok(text) => import(text.as_string().unwrap_or_default()),
                Err(_) => message.set(game_text_error(words, &GameTextError::Empty)),
            }
        });
    };
    view! {
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
                on:click=move |_| import(pasted.get_untracked())
            >
                {words.play_open()}
            </button>
            <label class="button file">
                <span>{words.play_open_file()}</span>
                <input
                    type="file"
                    accept=".kgn,.txt,text/plain"
                    node_ref=input
                    on:change=import_file
                />
            </label>
        </div>
    }
}
