//! The evaluation bar at the edge of the board.

use khet::Color;
use khet_review::PositionEval;
use leptos::prelude::*;

use super::lines_panel::eval_text;
use super::state::AnalysisState;

/// The bar. Its light part is Silver's share, at Silver's side of the board.
#[component]
pub(super) fn EvaluationBar(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    // Keeps the last evaluation until a new one is known, so that the bar does not flicker.
    let eval = Memo::new(move |before: Option<&Option<PositionEval>>| {
        analysis.eval().or(before.copied().flatten())
    });
    let chances = move || eval.get().map_or(0.5, |eval| eval.winning_chances(Color::Silver));
    let share = move || format!("{:.1}%", 100.0 * chances().clamp(0.02, 0.98));
    let text = move || eval.get().map(|eval| eval_text(eval, words)).unwrap_or_default();
    let label = move || words.analysis_evaluation(text());
    view! {
        <div class="bar" role="img" aria-label=label data-eval=text
            class:red-leads=move || chances() < 0.5
            class:red-below=move || analysis.bottom.get() == Color::Red style=("--share", share)>
            <div class="bar-silver"></div>
            <span class="bar-number" aria-hidden="true">{text}</span>
        </div>
    }
}
