//! What is shown over the board: more to do, the papers, the keys.

use leptos::prelude::*;

use super::state::{AnalysisState, OpenDialog};
use super::study::{Study, Unreadable};
use super::{keys, link};
use crate::controls::dialog::DialogOf;
use crate::routing::{Page, position_search, use_navigation};
use crate::{browser::clipboard::copy, game_ui::record_dialog::RecordDialog};

/// All of them.
#[component]
pub(super) fn Dialogs(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let close = words.play_close();
    view! {
        <DialogOf open_dialog=analysis.dialog dialog=OpenDialog::More name="more" title=words.play_more().to_owned() close>
            <More analysis/>
        </DialogOf>
        <DialogOf open_dialog=analysis.dialog dialog=OpenDialog::Record name="record" title=words.play_record().to_owned() close>
            <StudyRecordDialog analysis/>
        </DialogOf>
        <DialogOf open_dialog=analysis.dialog dialog=OpenDialog::Keys name="keys" title=words.analysis_keys().to_owned() close>
            <table class="keys">
                <tbody>
                    {keys::table(words).map(|(key, does)| view! {
                        <tr><th scope="row"><kbd>{key}</kbd></th><td>{does}</td></tr>
                    }).into_iter().collect_view()}
                </tbody>
            </table>
        </DialogOf>
    }
}

#[component]
fn More(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let navigation = use_navigation();
    let note = RwSignal::new(String::new());
    let copy_link = move |_| {
        let origin = window().location().origin().unwrap_or_default();
        let path = Page::Analysis.path(navigation.language().get_untracked());
        match analysis.study.with_untracked(|study| link::write(study.record())) {
            Some(tree) => copy(words, note, &format!("{origin}{path}#{tree}")),
            None => note.set(words.analysis_link_too_long().to_owned()),
        }
    };
    let editor = move || {
        let position = analysis.study.with(|study| *study.game().position());
        navigation.path(Page::Editor) + &position_search(&position.placement(), position.rules())
    };
    let before = AnalysisState::before();
    view! {
        <div class="more">
            <button type="button" class="button" data-action="record" on:click=move |_| analysis.dialog.set(Some(OpenDialog::Record))>
                {words.play_record()}
            </button>
            <button type="button" class="button" data-action="copy-link" on:click=copy_link>{words.analysis_link()}</button>
            <a class="button" data-action="edit" href=editor>{words.analysis_edit()}</a>
            <button type="button" class="button" data-action="new-study" on:click=move |_| {
                analysis.open(Study::of(khet::Setup::Classic.position()));
                navigation.note("");
                analysis.dialog.set(None);
            }>{words.analysis_new()}</button>
            {before.map(|before| view! {
                <button type="button" class="button" data-action="before" on:click=move |_| {
                    analysis.open(before.clone());
                    navigation.note("");
                    analysis.dialog.set(None);
                }>{words.analysis_restore_previous()}</button>
            })}
            <button type="button" class="button" data-action="keys" on:click=move |_| analysis.dialog.set(Some(OpenDialog::Keys))>
                {words.analysis_keys()}
            </button>
            <p class="dialog-note" role="status">{move || note.get()}</p>
        </div>
    }
}

/// The record with its variations, and the position.
#[component]
fn StudyRecordDialog(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let record = analysis.study.with_untracked(|study| study.record().to_string());
    let position =
        analysis.study.with_untracked(|study| study.game().position().placement().to_string());
    let open = move |text: String| {
        let rules = analysis.study.with_untracked(|study| study.record().start().rules());
        let study = Study::open(&text, rules).map_err(|problem| match problem {
            Unreadable::Wrong(problem) => words.play_unreadable(problem),
            Unreadable::TooLong => words.analysis_too_long().to_owned(),
        })?;
        analysis.open(study);
        analysis.dialog.set(None);
        Ok(())
    };
    view! { <RecordDialog words record position on_import=Callback::new(open)/> }
}
