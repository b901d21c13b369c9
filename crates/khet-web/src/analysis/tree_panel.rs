//! The panel with the move tree, and the annotation of the current move.

use khet::{Color, TreePath};
use leptos::html;
use leptos::prelude::*;

use super::analysis_tree::{AnalysisTree, MAX_COMMENT_LENGTH};
use super::move_rows::{MARKS, MoveEntry, MoveRow, VariationPart, move_rows};
use super::state::AnalysisState;
use crate::game_ui::move_list::keep_current_move_in_view;
use crate::game_ui::player_strip::color_name;

/// The move tree with the annotation tools below it.
#[component]
pub(super) fn TreePanel(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let rows = Memo::new(move |_| analysis.tree.with(|tree| move_rows(tree.record())));
    let path = Memo::new(move |_| analysis.tree.with(|tree| tree.path().clone()));
    let list = NodeRef::<html::Ol>::new();
    keep_current_move_in_view(list, move || {
        path.track();
        rows.track();
    });
    view! {
        <div class="tree">
            <ol class="tree-rows" node_ref=list tabindex="-1">
                <Show when=move || rows.with(Vec::is_empty)>
                    <li class="move-none">{words.analysis_no_moves()}</li>
                </Show>
                <For each=move || rows.get()
                    key=MoveRow::clone let:row>{row_view(analysis, row, path)}</For>
            </ol>
            <AnnotationTools analysis/>
        </div>
    }
}

fn row_view(analysis: AnalysisState, row: MoveRow, path: Memo<TreePath>) -> AnyView {
    match row {
        MoveRow::Moves { number, entries } => {
            let missing = entries.first().is_some_and(|entry| entry.by == Color::Red);
            view! {
                <li class="round">
                    <span class="round-number">{number}"."</span>
                    {missing.then(|| view! { <span class="move-missing">"…"</span> })}
                    {entries.into_iter().map(|entry| move_button(analysis, entry, path, false)).collect_view()}
                </li>
            }
            .into_any()
        }
        MoveRow::Comment(text) => view! { <li class="move-comment">{text}</li> }.into_any(),
        MoveRow::Variation { depth, parts } => {
            let parts = parts.into_iter().map(|part| match part {
                VariationPart::Move(entry) => move_button(analysis, entry, path, true).into_any(),
                VariationPart::Comment(text) => {
                    view! { <span class="move-comment">{text}</span> }.into_any()
                }
            });
            view! { <li class="variation" style=("--depth", depth.to_string())>{parts.collect_view()}</li> }.into_any()
        }
    }
}

fn move_button(
    analysis: AnalysisState,
    entry: MoveEntry,
    path: Memo<TreePath>,
    numbered: bool,
) -> impl IntoView {
    let target = entry.path.clone();
    let current = move || path.with(|path| *path == target).then_some("true");
    let target = entry.path.clone();
    let hits = entry.hits.into_iter().map(|(hit, color)| {
        view! { " " <span class="hit" data-color=color_name(color)>{hit}</span> }
    });
    let hits = hits.collect_view();
    let number = entry.number.filter(|_| numbered).map(|number| {
        view! { <span class="move-number">{number}</span> " " }
    });
    let marks =
        (!entry.marks.is_empty()).then(|| view! { <span class="move-marks">{entry.marks}</span> });
    view! {
        <button type="button" class="move" data-move=entry.mv.to_string()
            data-path=entry.path.to_string()
            data-color=color_name(entry.by) aria-current=current
            on:click=move |_| analysis.go_to(target.clone())>
            {number}{entry.mv.to_string()}{marks}{hits}
        </button>
    }
}

/// Buttons for marks and variations, and the comment field of the current move.
#[component]
fn AnnotationTools(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let comment = Memo::new(move |_| analysis.tree.with(AnalysisTree::comment));
    let at_move = Memo::new(move |_| analysis.tree.with(|tree| tree.path().plies() > 0));
    let in_variation = Memo::new(move |_| analysis.tree.with(|tree| !tree.path().is_main_line()));
    let names = [
        words.analysis_mark_good(),
        words.analysis_mark_mistake(),
        words.analysis_mark_brilliant(),
        words.analysis_mark_blunder(),
        words.analysis_mark_interesting(),
        words.analysis_mark_doubtful(),
    ];
    let mark = move |(number, (sign, name)): (u8, (&'static str, &'static str))| {
        let on = move || analysis.tree.with(|tree| tree.marks().contains(&number));
        view! {
            <button type="button" class="small-button" data-mark=sign title=name aria-label=name
                aria-pressed=move || on().to_string() disabled=move || !at_move.get()
                on:click=move |_| analysis.change(|tree| tree.toggle_mark(number))>{sign}</button>
        }
    };
    let field = NodeRef::<html::Textarea>::new();
    // Saves an unfinished comment when the page is left.
    let listener = window_event_listener_untyped("pagehide", move |_| {
        if let Some(field) = field.get_untracked() {
            analysis.change(|tree| tree.set_comment(&field.value()));
            analysis.save();
        }
    });
    on_cleanup(move || listener.remove());
    let marks = (1..).zip(MARKS.into_iter().zip(names)).map(mark).collect_view();
    view! {
        <div class="annotation">
            <div class="annotation-buttons" role="group" aria-label=words.analysis_marks()>
                {marks}
                <button type="button" class="small-button" data-action="promote"
                    title=words.analysis_promote()
                    aria-label=words.analysis_promote() disabled=move || !in_variation.get()
                    on:click=move |_| analysis.change(AnalysisTree::promote)>"↑"</button>
                <button type="button" class="small-button" data-action="delete"
                    title=words.analysis_delete()
                    aria-label=words.analysis_delete() disabled=move || !at_move.get()
                    on:click=move |_| analysis.change(AnalysisTree::delete)>"✕"</button>
                <button type="button" class="small-button" data-action="undo"
                    title=words.analysis_undo()
                    aria-label=words.analysis_undo()
                    disabled=move || analysis.tree.with(|tree| !tree.can_undo())
                    on:click=move |_| analysis.change(AnalysisTree::undo)>"↶"</button>
            </div>
            <textarea node_ref=field rows="2" data-field="comment" maxlength=MAX_COMMENT_LENGTH
                placeholder=words.analysis_comment()
                aria-label=words.analysis_comment() prop:value=move || comment.get()
                on:change=move |event| {
                    let text = event_target_value(&event);
                    analysis.change(|tree| tree.set_comment(&text));
                }></textarea>
        </div>
    }
}
