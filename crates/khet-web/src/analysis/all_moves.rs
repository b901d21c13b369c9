//! All moves of the position, with what their shots would do.

use leptos::prelude::*;

use super::state::AnalysisState;
use super::study::all_moves;
use crate::board::hits_in_words;

/// The list.
#[component]
pub(super) fn AllMoves(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let game = analysis.game_now();
    let rows = move || {
        let moves = game.with(|game| match game.outcome() {
            Some(_) => Vec::new(),
            None => all_moves(game.position()),
        });
        let row = |(mv, shot): (khet::Move, khet::Shot)| {
            let told = match shot.hits.is_empty() {
                true => words.analysis_hits_nothing().to_owned(),
                false => hits_in_words(&shot, words),
            };
            let us = shot.by;
            let kind = match (shot.outcome, shot.hits.iter().any(|hit| hit.piece.color() != us)) {
                (Some(outcome), _) if outcome.winner == Some(us) => "wins",
                (Some(_), _) => "loses",
                (None, true) => "gains",
                (None, false) if !shot.hits.is_empty() => "costs",
                (None, false) => "quiet",
            };
            view! {
                <li>
                    <button type="button" class="move" data-move=mv.to_string() data-does=kind on:click=move |_| analysis.play(mv)>
                        <span>{mv.to_string()}</span>
                        <span class="move-does">{told}</span>
                    </button>
                </li>
            }
        };
        moves.into_iter().map(row).collect_view()
    };
    let count = move || {
        game.with(
            |game| if game.outcome().is_some() { 0 } else { game.position().legal_moves().len() },
        )
    };
    view! {
        <div class="all-moves">
            <p class="panel-head">{move || words.analysis_move_count(count())}</p>
            <ul>{rows}</ul>
        </div>
    }
}
