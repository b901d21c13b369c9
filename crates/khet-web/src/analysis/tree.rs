//! The moves with their variations, and what is written about the one that is looked at.

use khet::{Color, TreePath};
use leptos::html;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::rows::{Entry, MARKS, Part, Row, rows};
use super::state::AnalysisState;
use super::study::{LONGEST_COMMENT, Study};
use crate::game_ui::player_strip::color_name;

/// The tree.
#[component]
pub(super) fn Tree(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let all = Memo::new(move |_| analysis.study.with(|study| rows(study.record())));
    let place = Memo::new(move |_| analysis.study.with(|study| study.place().clone()));
    let list = NodeRef::<html::Ol>::new();
    // The move that is looked at stays in sight.
    Effect::new(move |_| {
        place.track();
        all.track();
        let Some(list) = list.get() else { return };
        request_animation_frame(move || {
            if let Ok(Some(current)) = list.query_selector("[aria-current=true]") {
                let options = ScrollIntoViewOptions::new();
                options.set_block(ScrollLogicalPosition::Nearest);
                current.scroll_into_view_with_scroll_into_view_options(&options);
            }
        });
    });
    view! {
        <div class="tree">
            <ol class="tree-rows" node_ref=list tabindex="-1">
                <Show when=move || all.with(Vec::is_empty)>
                    <li class="move-none">{words.analysis_no_moves()}</li>
                </Show>
                <For each=move || all.get() key=Row::clone let:row>{row_view(analysis, row, place)}</For>
            </ol>
            <Remarks analysis/>
        </div>
    }
}

fn row_view(analysis: AnalysisState, row: Row, place: Memo<TreePath>) -> AnyView {
    match row {
        Row::Moves { number, entries } => {
            let missing = entries.first().is_some_and(|entry| entry.by == Color::Red);
            view! {
                <li class="round">
                    <span class="round-number">{number}"."</span>
                    {missing.then(|| view! { <span class="move-missing">"…"</span> })}
                    {entries.into_iter().map(|entry| mv(analysis, entry, place, false)).collect_view()}
                </li>
            }
            .into_any()
        }
        Row::Remark(text) => view! { <li class="remark">{text}</li> }.into_any(),
        Row::Variation { depth, parts } => {
            let parts = parts.into_iter().map(|part| match part {
                Part::Move(entry) => mv(analysis, entry, place, true).into_any(),
                Part::Remark(text) => view! { <span class="remark">{text}</span> }.into_any(),
            });
            view! { <li class="variation" style=("--depth", depth.to_string())>{parts.collect_view()}</li> }.into_any()
        }
    }
}

fn mv(
    analysis: AnalysisState,
    entry: Entry,
    place: Memo<TreePath>,
    numbered: bool,
) -> impl IntoView {
    let there = entry.place.clone();
    let current = move || place.with(|place| *place == there).then_some("true");
    let there = entry.place.clone();
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
        <button type="button" class="move" data-move=entry.mv.to_string() data-place=entry.place.to_string()
            data-color=color_name(entry.by) aria-current=current on:click=move |_| analysis.look(there.clone())>
            {number}{entry.mv.to_string()}{marks}{hits}
        </button>
    }
}

/// Marks and words about the move that is looked at.
#[component]
fn Remarks(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let comment = Memo::new(move |_| analysis.study.with(Study::comment));
    let at_move = Memo::new(move |_| analysis.study.with(|study| study.place().plies() > 0));
    let in_variation =
        Memo::new(move |_| analysis.study.with(|study| !study.place().is_main_line()));
    let names = [
        words.analysis_mark_good(),
        words.analysis_mark_mistake(),
        words.analysis_mark_brilliant(),
        words.analysis_mark_blunder(),
        words.analysis_mark_interesting(),
        words.analysis_mark_doubtful(),
    ];
    let mark = move |(number, (sign, name)): (u8, (&'static str, &'static str))| {
        let on = move || analysis.study.with(|study| study.marks().contains(&number));
        view! {
            <button type="button" class="small-button" data-mark=sign title=name aria-label=name
                aria-pressed=move || on().to_string() disabled=move || !at_move.get()
                on:click=move |_| analysis.change(|study| study.toggle_mark(number))>{sign}</button>
        }
    };
    let field = NodeRef::<html::Textarea>::new();
    // Who leaves while writing has written.
    let left = window_event_listener_untyped("pagehide", move |_| {
        if let Some(field) = field.get_untracked() {
            analysis.change(|study| study.set_comment(&field.value()));
            analysis.save();
        }
    });
    on_cleanup(move || left.remove());
    let marks = (1..).zip(MARKS.into_iter().zip(names)).map(mark).collect_view();
    view! {
        <div class="remarks">
            <div class="remark-actions" role="group" aria-label=words.analysis_marks()>
                {marks}
                <button type="button" class="small-button" data-action="promote" title=words.analysis_promote()
                    aria-label=words.analysis_promote() disabled=move || !in_variation.get()
                    on:click=move |_| analysis.change(Study::promote)>"↑"</button>
                <button type="button" class="small-button" data-action="delete" title=words.analysis_delete()
                    aria-label=words.analysis_delete() disabled=move || !at_move.get()
                    on:click=move |_| analysis.change(Study::delete)>"✕"</button>
                <button type="button" class="small-button" data-action="undo" title=words.analysis_undo()
                    aria-label=words.analysis_undo() disabled=move || analysis.study.with(|study| !study.can_undo())
                    on:click=move |_| analysis.change(Study::undo)>"↶"</button>
            </div>
            <textarea node_ref=field rows="2" data-field="comment" maxlength=LONGEST_COMMENT placeholder=words.analysis_comment()
                aria-label=words.analysis_comment() prop:value=move || comment.get()
                on:change=move |event| {
                    let text = event_target_value(&event);
                    analysis.change(|study| study.set_comment(&text));
                }></textarea>
        </div>
    }
}
