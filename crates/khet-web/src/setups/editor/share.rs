//! The setup as text, link and picture.

use leptos::prelude::*;

use super::super::findings;
use super::picture_file;
use super::state::Editor;
use crate::browser::clipboard::copy;

/// Text in and out, the link, pictures.
#[component]
pub(super) fn Share(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let note = RwSignal::new(String::new());
    // The field shows what stands; what somebody writes into it stays until it is taken or the board changes.
    Effect::new(move |before: Option<()>| {
        let text = editor.stand.get().placement.to_string();
        if before.is_some() || editor.text_problem.with_untracked(String::is_empty) {
            editor.text.set(text);
            editor.text_problem.set(String::new());
        }
        note.set(String::new());
    });
    let take = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        match findings::read(words, &editor.text.get_untracked()) {
            Ok(placement) => {
                editor.text_problem.set(String::new());
                editor.load(placement);
                editor.text.set(placement.to_string());
                note.set(words.editor_text_applied().to_owned());
            }
            Err(problem) => editor.text_problem.set(problem),
        }
    };
    let playable = Memo::new(move |_| findings::position(editor.stand.get()).is_some());
    let picture = move |save: fn(&khet::Position)| {
        if let Some(position) = findings::position(editor.stand.get_untracked()) {
            save(&position);
        } else {
            note.set(words.editor_picture_later().to_owned());
        }
    };
    let link = move || window().location().href().unwrap_or_default();
    let wrong = move || !editor.text_problem.with(String::is_empty);
    view! {
        <section class="editor-share" aria-label=words.editor_share()>
            <form data-form="text" on:submit=take>
                <label class="field">
                    <span>{words.editor_text()}</span>
                    <textarea
                        rows="3"
                        data-field="text"
                        spellcheck="false"
                        autocomplete="off"
                        autocapitalize="off"
                        maxlength="400"
                        aria-invalid=move || wrong().to_string()
                        aria-describedby="text-problem"
                        prop:value=move || editor.text.get()
                        on:input=move |event| editor.text.set(event_target_value(&event))
                    ></textarea>
                </label>
                <p id="text-problem" class="field-problem" role="status">{move || editor.text_problem.get()}</p>
                <div class="share-actions">
                    <button type="submit" class="button" data-action="take-text">{words.editor_apply_text()}</button>
                    <button type="button" class="button" data-action="copy-text"
                        on:click=move |_| copy(words, note, &editor.stand.get_untracked().placement.to_string())>
                        {words.editor_copy_text()}
                    </button>
                    <button type="button" class="button" data-action="copy-link"
                        on:click=move |_| copy(words, note, &link())>{words.editor_copy_link()}</button>
                    <button type="button" class="button" data-action="svg"
                        aria-disabled=move || (!playable.get()).to_string()
                        on:click=move |_| picture(picture_file::save_svg)>{words.editor_picture("SVG")}</button>
                    <button type="button" class="button" data-action="png"
                        aria-disabled=move || (!playable.get()).to_string()
                        on:click=move |_| picture(picture_file::save_png)>{words.editor_picture("PNG")}</button>
                </div>
                <p class="field-about" role="status" data-note="">{move || note.get()}</p>
            </form>
        </section>
    }
}
