//! The dialog that publishes a setup under a name with a description.

use khet_protocol::{ErrorCode, GallerySetup, NewSetup, PersonKind, SetupDescription, SetupName};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::state::Editor;
use crate::api;
use crate::api::me;
use crate::controls::dialog::Dialog;
use crate::routing::Page;

/// The publish dialog: a form, or a notice for users without an account.
#[component]
pub(super) fn PublishDialog(editor: Editor, open: RwSignal<bool>) -> impl IntoView {
    let words = editor.words;
    // True if the user has an account; `None` until the server answers.
    let account = RwSignal::new(None::<bool>);
    Effect::new(move |_| {
        if !open.get() {
            return;
        }
        spawn_local(async move {
            let has_account = me::fetch().await.is_some_and(|me| me.kind == PersonKind::Account);
            let _ = account.try_set(Some(has_account));
        });
    });
    let content = move || match account.get() {
        None => view! { <p>{words.setups_loading()}</p> }.into_any(),
        Some(false) => view! { <AccountNeeded editor/> }.into_any(),
        Some(true) => view! { <PublishForm editor/> }.into_any(),
    };
    view! {
        <Dialog
            open
            on_close=Callback::new(move |()| open.set(false))
            name="publish"
            title=Signal::derive(move || words.publish_title().to_owned())
            close=words.settings_close()
        >
            {content}
        </Dialog>
    }
}

/// The notice that publishing needs an account, with a link to the account page.
#[component]
fn AccountNeeded(editor: Editor) -> impl IntoView {
    let words = editor.words;
    view! {
        <p>{words.publish_needs_account()}</p>
        <div class="dialog-actions">
            <a class="button primary" data-action="sign-up"
                href=editor.navigation.path(Page::Account)>
                {words.account_title()}
            </a>
        </div>
    }
}

#[component]
fn PublishForm(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let name = RwSignal::new(String::new());
    let description = RwSignal::new(String::new());
    let problem = RwSignal::new(String::new());
    let sending = RwSignal::new(false);
    let publish = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if sending.get_untracked() {
            return;
        }
        let Ok(name) = name.get_untracked().parse::<SetupName>() else {
            return problem.set(words.publish_bad_name(SetupName::MAX_LENGTH));
        };
        let Ok(description) = description.get_untracked().parse::<SetupDescription>() else {
            return problem.set(words.publish_bad_description(SetupDescription::MAX_LENGTH));
        };
        let setup = editor.setup.get_untracked();
        let position = setup.placement.into();
        let setup = NewSetup { name, description, position, rules: setup.rules };
        if setup.position().is_err() {
            return problem.set(words.publish_official().to_owned());
        }
        sending.set(true);
        spawn_local(async move {
            match api::send::<GallerySetup>("POST", "/api/setups", Some(&setup)).await {
                Ok(card) => editor.navigation.go_to(Page::Setup, card.id.as_str()),
                Err(error) => {
                    let _ = sending.try_set(false);
                    let message = match error.code() {
                        Some(ErrorCode::Taken) => words.publish_taken().to_owned(),
                        _ => error.message(words),
                    };
                    let _ = problem.try_set(message);
                }
            }
        });
    };
    view! {
        <form data-form="publish" class="publish" on:submit=publish>
            <p class="field-about">{words.publish_about()}</p>
            <label class="field">
                <span>{words.publish_name()}</span>
                <input type="text" data-field="name" required maxlength=SetupName::MAX_LENGTH
                    autocomplete="off"
                    on:input=move |event| name.set(event_target_value(&event))/>
            </label>
            <label class="field">
                <span>{words.publish_description()}</span>
                <textarea rows="4" class="prose" data-field="words"
                    maxlength=SetupDescription::MAX_LENGTH
                    on:input=move |event| description.set(event_target_value(&event))></textarea>
            </label>
            <p class="field-problem" role="status">{move || problem.get()}</p>
            <div class="dialog-actions">
                <button type="submit" class="button primary" data-action="confirm"
                    aria-disabled=move || sending.get().to_string()>
                    {words.publish_submit()}
                </button>
            </div>
        </form>
    }
}
