//! Sharing of the setup as text, link and picture.

use leptos::prelude::*;

use super::super::setup_check;
use super::picture_file;
use super::state::Editor;
use crate::browser::clipboard::copy;
use crate::browser::share::share_link;
use crate::routing::use_navigation;
use crate::rules::Position;

/// A text field to read and write the position, and buttons for link and pictures.
#[component]
pub(super) fn SharePanel(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let note = RwSignal::new(String::new());
    // The field follows the board. Typed text stays until it is applied or the board changes.
    Effect::new(move |previous: Option<()>| {
        let text = editor.setup.get().placement.to_string();
        if previous.is_some() || editor.text_problem.with_untracked(String::is_empty) {
            editor.text.set(text);
            editor.text_problem.set(String::new());
        }
        note.set(String::new());
    });
    let apply_text = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        match setup_check::parse_placement(words, &editor.text.get_untracked()) {
            Ok(placement) => {
                editor.text_problem.set(String::new());
                editor.load(placement);
                editor.text.set(placement.to_string());
                note.set(words.editor_text_applied().to_owned());
            }
            Err(problem) => editor.text_problem.set(problem),
        }
    };
    let invalid = move || !editor.text_problem.with(String::is_empty);
    view! {
        <section class="editor-share" aria-label=words.editor_share()>
            <form data-form="text" on:submit=apply_text>
                <label class="field">
                    <span>{words.editor_text()}</span>
                    <textarea
                        rows="3"
                        data-field="text"
                        spellcheck="false"
                        autocomplete="off"
                        autocapitalize="off"
                        maxlength="600"
                        aria-invalid=move || invalid().to_string()
                        aria-describedby="text-problem"
                        prop:value=move || editor.text.get()
                        on:input=move |event| editor.text.set(event_target_value(&event))
                    ></textarea>
                </label>
                <p id="text-problem" class="field-problem"
                    role="status">{move || editor.text_problem.get()}</p>
                <ShareButtons editor note/>
                <p class="field-about" role="status" data-note="">{move || note.get()}</p>
            </form>
        </section>
    }
}

/// The buttons that apply and copy the text, share the link, and save pictures.
#[component]
fn ShareButtons(editor: Editor, note: RwSignal<String>) -> impl IntoView {
    let words = editor.words;
    let navigation = use_navigation();
    let playable = Memo::new(move |_| setup_check::playable_position(editor.setup.get()).is_some());
    let save_picture = move |save: fn(&Position)| {
        if let Some(position) = setup_check::playable_position(editor.setup.get_untracked()) {
            save(&position);
        } else {
            note.set(words.editor_picture_later().to_owned());
        }
    };
    let picture_button = move |action, format, save: fn(&Position)| {
        view! {
            <button type="button" class="button" data-action=action
                aria-disabled=move || (!playable.get()).to_string()
                on:click=move |_| save_picture(save)>
                {words.editor_picture(format)}
            </button>
        }
    };
    view! {
        <div class="share-actions">
            <button type="submit" class="button"
                data-action="take-text">{words.editor_apply_text()}</button>
            <button type="button" class="button" data-action="copy-text"
                on:click=move |_| copy(words, note, &editor.setup.get_untracked().placement.to_string())>
                {words.editor_copy_text()}
            </button>
            <button type="button" class="button" data-action="share"
                on:click=move |_| share_link(words, note, words.editor_title(), &navigation.link_to_share())>
                {words.shell_share()}
            </button>
            {picture_button("svg", "SVG", picture_file::save_svg)}
            {picture_button("png", "PNG", picture_file::save_png)}
        </div>
    }
}
