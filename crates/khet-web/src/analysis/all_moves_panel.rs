//! The list of all legal moves with the hits of their shots.

use khet::GamePosition;
use leptos::prelude::*;

use super::analysis_tree::all_moves;
use super::state::AnalysisState;
use crate::board::hits_in_words;
use crate::rules::{Move, Shot};

/// The legal moves of the current position. A click plays the move.
#[component]
pub(super) fn AllMovesPanel(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let game = analysis.current_game();
    let rows = move || {
        let moves = game.with(|game| match game.outcome() {
            Some(_) => Vec::new(),
            None => all_moves(game.position()),
        });
        let row = |(mv, shot): (Move, Shot)| {
            let hits = match shot.hits.is_empty() {
                true => words.analysis_hits_nothing().to_owned(),
                false => hits_in_words(&shot, None, words),
            };
            let mover = shot.by;
            let effect =
                match (shot.outcome, shot.hits.iter().any(|hit| hit.piece.color() != mover)) {
                    (Some(outcome), _) if outcome.winner == Some(mover) => "wins",
                    (Some(_), _) => "loses",
                    (None, true) => "gains",
                    (None, false) if !shot.hits.is_empty() => "costs",
                    (None, false) => "quiet",
                };
            view! {
                <li>
                    <button type="button" class="move" data-move=mv.to_string() data-effect=effect
                        on:click=move |_| analysis.play(mv)>
                        <span>{mv.to_string()}</span>
                        <span class="move-effect">{hits}</span>
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
