//! Buttons that use the finished setup: play, analyse, publish.

use khet::Rules;
use leptos::prelude::*;

use super::super::setup_check::SetupCheck;
use super::publish_dialog::PublishDialog;
use super::state::Editor;
use crate::game::pending_start::set_pending_position;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};
use crate::rules::Placement;

/// The buttons to play, analyse and publish the edited setup.
#[component]
pub(super) fn SetupActions(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let publishing = RwSignal::new(false);
    let playable = Memo::new(move |_| editor.check.with(SetupCheck::is_playable));
    let start = move || {
        let setup = editor.setup.get();
        (setup.placement, setup.rules)
    };
    view! {
        <section class="setup-actions" aria-label=words.editor_next_steps()>
            {move || view! { <PlayButtons start=start() enabled=playable.get()/> }}
            <div class="button-row">
                <a
                    class="button"
                    data-action="analyse"
                    href=move || editor.path_with_setup(Page::Analysis)
                    class:unavailable=move || !playable.get()
                    aria-disabled=move || (!playable.get()).to_string()
                >
                    {words.editor_analyse()}
                </a>
                <button
                    type="button"
                    class="button"
                    data-action="publish"
                    aria-disabled=move || (!playable.get()).to_string()
                    on:click=move |_| if playable.get_untracked() { publishing.set(true) }
                >
                    {words.editor_publish()}
                </button>
            </div>
            <PublishDialog editor open=publishing/>
        </section>
    }
}

/// Buttons that start a game from a position: against the computer, pass and play, with a friend.
#[component]
pub(crate) fn PlayButtons(
    /// The start position and its rules.
    start: (Placement, Rules),
    /// True if a game can start from the position.
    #[prop(default = true)]
    enabled: bool,
    /// The name under which the position was published.
    #[prop(optional)]
    name: String,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let button = move |page: Page, action: &'static str, label: &'static str, primary: bool| {
        if !enabled {
            return view! {
                <span class="button" class:primary=primary aria-disabled="true" role="link"
                    data-action=action>{label}</span>
            }
            .into_any();
        }
        let ((placement, rules), name) = (start, name.clone());
        let page = if placement.has_tower() { page.with_tower() } else { page };
        view! {
            <a
                class="button"
                class:primary=primary
                data-action=action
                href=navigation.path(page)
                on:click=move |_| set_pending_position(&placement, rules, &name)
            >
                {label}
            </a>
        }
        .into_any()
    };
    view! {
        <div class="button-row">
            {button(Page::Computer, "play-computer", words.setups_play_computer(), true)}
            {button(Page::Hotseat, "play-hotseat", words.setups_play_hotseat(), false)}
            {button(Page::Friend, "play-friend", words.setups_play_friend(), false)}
        </div>
    }
}
