//! Where to go on with the setup: play it, look into it, publish it.

use khet::{Placement, Rules};
use leptos::prelude::*;

use super::super::findings::Findings;
use super::publish::PublishDialog;
use super::state::Editor;
use crate::game::pending_start::set_pending_position;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// The ways on.
#[component]
pub(super) fn Onward(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let publishing = RwSignal::new(false);
    let playable = Memo::new(move |_| editor.findings.with(Findings::can_be_played));
    let stand = move || {
        let stand = editor.stand.get();
        (stand.placement, stand.rules)
    };
    view! {
        <section class="onward" aria-label=words.editor_next_steps()>
            {move || view! { <PlayWays start=stand() can=playable.get()/> }}
            <div class="onward-row">
                <a
                    class="button"
                    data-action="analyse"
                    href=move || editor.path_with(Page::Analysis)
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

/// Playing from a position: against the computer, at one table, with a friend.
#[component]
pub(crate) fn PlayWays(
    /// The position, and by which rules.
    start: (Placement, Rules),
    /// Whether it can be played.
    #[prop(default = true)]
    can: bool,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let way = move |page: Page, name: &'static str, label: &'static str, primary: bool| {
        if !can {
            return view! {
                <span class="button" class:primary=primary aria-disabled="true" role="link" data-action=name>{label}</span>
            }
            .into_any();
        }
        let (placement, rules) = start;
        view! {
            <a
                class="button"
                class:primary=primary
                data-action=name
                href=navigation.path(page)
                on:click=move |_| set_pending_position(&placement, rules)
            >
                {label}
            </a>
        }
        .into_any()
    };
    view! {
        <div class="onward-row">
            {way(Page::Computer, "play-computer", words.setups_play_computer(), true)}
            {way(Page::Hotseat, "play-table", words.setups_play_hotseat(), false)}
            {way(Page::Friend, "play-friend", words.setups_play_friend(), false)}
        </div>
    }
}
