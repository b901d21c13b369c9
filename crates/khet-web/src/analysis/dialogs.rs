//! The dialogs of the analysis page: more actions, the game record, the keys.

use leptos::prelude::*;

use super::analysis_tree::{AnalysisTree, OpenError};
use super::state::{AnalysisDialog, AnalysisState};
use super::{keyboard, tree_link};
use crate::controls::dialog::DialogOf;
use crate::routing::{Page, position_query, use_navigation};
use crate::{browser::clipboard::copy, game_ui::record_dialog::RecordDialog};

/// All dialogs of the page.
#[component]
pub(super) fn Dialogs(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let close = words.play_close();
    view! {
        <DialogOf open_dialog=analysis.dialog dialog=AnalysisDialog::More name="more"
            title=words.play_more().to_owned() close>
            <MoreActions analysis/>
        </DialogOf>
        <DialogOf open_dialog=analysis.dialog dialog=AnalysisDialog::Record name="record"
            title=words.play_record().to_owned() close>
            <TreeRecordDialog analysis/>
        </DialogOf>
        <DialogOf open_dialog=analysis.dialog dialog=AnalysisDialog::Keys name="keys"
            title=words.analysis_keys().to_owned() close>
            <table class="keys">
                <tbody>
                    {keyboard::key_descriptions(words).map(|(key, action)| view! {
                        <tr><th scope="row"><kbd>{key}</kbd></th><td>{action}</td></tr>
                    }).into_iter().collect_view()}
                </tbody>
            </table>
        </DialogOf>
    }
}

/// Actions that do not fit below the board.
#[component]
fn MoreActions(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let navigation = use_navigation();
    let note = RwSignal::new(String::new());
    let copy_link = move |_| {
        let origin = window().location().origin().unwrap_or_default();
        let path = Page::Analysis.path(navigation.language().get_untracked());
        match analysis.tree.with_untracked(|tree| tree_link::write(tree.record())) {
            Some(fragment) => copy(words, note, &format!("{origin}{path}#{fragment}")),
            None => note.set(words.analysis_link_too_long().to_owned()),
        }
    };
    let editor = move || {
        let position = analysis.tree.with(|tree| *tree.game().position());
        navigation.path(Page::Editor) + &position_query(&position.placement(), position.rules())
    };
    let previous = AnalysisState::previous_tree();
    view! {
        <div class="more">
            <button type="button" class="button" data-action="record"
                on:click=move |_| analysis.dialog.set(Some(AnalysisDialog::Record))>
                {words.play_record()}
            </button>
            <button type="button" class="button" data-action="copy-link"
                on:click=copy_link>{words.analysis_link()}</button>
            <a class="button" data-action="edit" href=editor>{words.analysis_edit()}</a>
            <button type="button" class="button" data-action="new-analysis" on:click=move |_| {
                analysis.open(AnalysisTree::from_position(khet::Setup::Classic.position()));
                navigation.set_query("");
                analysis.dialog.set(None);
            }>{words.analysis_new()}</button>
            {previous.map(|previous| view! {
                <button type="button" class="button" data-action="previous-analysis"
                    on:click=move |_| {
                    analysis.open(previous.clone());
                    navigation.set_query("");
                    analysis.dialog.set(None);
                }>{words.analysis_restore_previous()}</button>
            })}
            <button type="button" class="button" data-action="keys"
                on:click=move |_| analysis.dialog.set(Some(AnalysisDialog::Keys))>
                {words.analysis_keys()}
            </button>
            <p class="dialog-note" role="status">{move || note.get()}</p>
        </div>
    }
}

/// The dialog with the game record, including variations, and the position.
#[component]
fn TreeRecordDialog(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let record = analysis.tree.with_untracked(|tree| tree.record().to_string());
    let position =
        analysis.tree.with_untracked(|tree| tree.game().position().placement().to_string());
    let import = move |text: String| {
        let rules = analysis.tree.with_untracked(|tree| tree.record().start().rules());
        let tree = AnalysisTree::open(&text, rules).map_err(|problem| match problem {
            OpenError::Invalid(problem) => words.play_unreadable(problem),
            OpenError::TooLong => words.analysis_too_long().to_owned(),
        })?;
        analysis.open(tree);
        analysis.dialog.set(None);
        Ok(())
    };
    view! { <RecordDialog words record position on_import=Callback::new(import)/> }
}
