//! The slim bar at the board's edge: who stands better, and by how much.

use khet::Color;
use khet_review::PositionEval;
use leptos::prelude::*;

use super::state::AnalysisState;

/// The bar. Its light part is Silver's, on the side where Silver sits.
#[component]
pub(super) fn EvaluationBar(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    // It stands still until something new is known.
    let worth = Memo::new(move |before: Option<&Option<PositionEval>>| {
        analysis.worth().or(before.copied().flatten())
    });
    let share = move || {
        let chances = worth.get().map_or(0.5, |worth| worth.winning_chances(Color::Silver));
        format!("{:.1}%", 100.0 * chances.clamp(0.02, 0.98))
    };
    let text = move || worth.get().map(|worth| format!("{worth:+}")).unwrap_or_default();
    let label = move || words.analysis_evaluation(text());
    view! {
        <div class="bar" role="img" aria-label=label data-worth=text
            class:red-below=move || analysis.bottom.get() == Color::Red style=("--share", share)>
            <div class="bar-silver"></div>
            <span class="bar-number" aria-hidden="true">{text}</span>
        </div>
    }
}
