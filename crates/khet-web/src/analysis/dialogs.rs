//! The dialogs of the analysis page: more actions, the game record.

use khet::GamePosition;
use leptos::prelude::*;

use super::analysis_tree::{AnalysisTree, OpenError};
use super::state::{AnalysisDialog, AnalysisState};
use crate::controls::dialog::DialogOf;
use crate::game::tree_link;
use crate::game_ui::text_errors::game_text_error;
use crate::languages::Words;
use crate::routing::{Page, position_query, use_navigation};
use crate::rules::classic;
use crate::shortcuts::use_shortcuts;
use crate::{browser::share::share_link, game_ui::record_dialog::RecordDialog};

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
    }
}

/// Actions that do not fit below the board.
#[component]
fn MoreActions(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let navigation = use_navigation();
    let shortcuts = use_shortcuts();
    let note = RwSignal::new(String::new());
    let share = move |_| match analysis.tree.with_untracked(|tree| tree_link::write(tree.record()))
    {
        Some(fragment) => {
            let link = Page::Analysis.link_to_share("", &format!("#{fragment}"));
            share_link(words, note, words.analysis_title(), &link);
        }
        None => note.set(words.analysis_link_too_long().to_owned()),
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
            <button type="button" class="button" data-action="share"
                on:click=share>{words.shell_share()}</button>
            <a class="button" data-action="edit" href=editor>{words.analysis_edit()}</a>
            <button type="button" class="button" data-action="new-analysis" on:click=move |_| {
                analysis.open(AnalysisTree::from_position(classic()));
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
                on:click=move |_| {
                analysis.dialog.set(None);
                shortcuts.open();
            }>
                {words.shortcuts_title()}
            </button>
            <p class="dialog-note" role="status">{move || note.get()}</p>
        </div>
    }
}

/// Returns the message for a text that cannot be opened.
pub(super) fn open_error_message(words: Words, error: &OpenError) -> String {
    match error {
        OpenError::Invalid(error) => game_text_error(words, error),
        OpenError::TooLong => words.analysis_too_long().to_owned(),
    }
}

/// The dialog with the game record, including variations, and the position.
#[component]
fn TreeRecordDialog(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let navigation = use_navigation();
    let record = analysis.tree.with_untracked(|tree| tree.record().to_string());
    let position =
        analysis.tree.with_untracked(|tree| tree.game().position().placement().to_string());
    let import = move |text: String| {
        let rules = analysis.tree.with_untracked(|tree| tree.record().start().rules());
        let tree = AnalysisTree::open(&text, rules);
        let tree = tree.map_err(|error| open_error_message(words, &error))?;
        analysis.open(tree);
        navigation.set_query("");
        analysis.dialog.set(None);
        Ok(())
    };
    view! { <RecordDialog words record position on_import=Callback::new(import)/> }
}
