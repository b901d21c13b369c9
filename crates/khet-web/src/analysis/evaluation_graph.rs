//! The graph of the evaluation over the moves of a reviewed game.

use khet::{Color, TreePath};
use khet_review::Mark;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{MouseEvent, SvgElement};

use super::state::AnalysisState;
use crate::rules::Review;

/// Width and height of the graph in SVG units.
const GRAPH_SIZE: (f64, f64) = (600.0, 120.0);

/// Returns a point per move from left to right. The first point is the start position, which counts
/// as even.
fn points(review: &Review) -> Vec<(f64, f64)> {
    let last = review.moves.last().map_or(1, |mv| mv.ply).max(1) as f64;
    let point = |ply: usize, chances: f64| {
        (GRAPH_SIZE.0 * ply as f64 / last, GRAPH_SIZE.1 * (1.0 - chances))
    };
    let moves = review.moves.iter().map(|mv| point(mv.ply, mv.eval.winning_chances(Color::Silver)));
    std::iter::once(point(0, 0.5)).chain(moves).collect()
}

/// The graph. A click goes to the move; for the keyboard there are the arrow keys of the page.
#[component]
pub(super) fn EvaluationGraph(analysis: AnalysisState, review: Review) -> impl IntoView {
    let words = analysis.words;
    let points = points(&review);
    let curve: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let curve = curve.join(" ");
    let area = format!("0,{} {curve} {},{}", GRAPH_SIZE.1, GRAPH_SIZE.0, GRAPH_SIZE.1);
    let last = review.moves.last().map_or(0, |mv| mv.ply);
    let dots = review.moves.iter().zip(points.iter().skip(1)).filter_map(|(mv, &(x, y))| {
        let class = match mv.mark.filter(|mark| *mark >= Mark::Mistake)? {
            Mark::Blunder => "dot blunder",
            _ => "dot mistake",
        };
        Some(view! { <path class=class d=format!("M{x:.1},{y:.1}h0.01")/> })
    });
    let dots = dots.collect_view();
    let current_x = move || {
        let plies = analysis.tree.with(|tree| tree.path().plies());
        GRAPH_SIZE.0 * plies.min(last) as f64 / last.max(1) as f64
    };
    let go_to_move = move |event: MouseEvent| {
        let Some(graph) =
            event.current_target().and_then(|target| target.dyn_into::<SvgElement>().ok())
        else {
            return;
        };
        let bounds = graph.get_bounding_client_rect();
        let share = (f64::from(event.client_x()) - bounds.left()) / bounds.width().max(1.0);
        analysis.go_to(TreePath::main_line((share.clamp(0.0, 1.0) * last as f64).round() as usize));
    };
    view! {
        <svg class="graph" viewBox=format!("0 0 {} {}", GRAPH_SIZE.0, GRAPH_SIZE.1) preserveAspectRatio="none"
            role="img" aria-label=words.review_graph() on:click=go_to_move>
            <rect class="graph-ground" width=GRAPH_SIZE.0 height=GRAPH_SIZE.1/>
            <polygon class="graph-silver" points=area/>
            <line class="graph-even" x1="0" x2=GRAPH_SIZE.0 y1=GRAPH_SIZE.1 / 2.0 y2=GRAPH_SIZE.1 / 2.0/>
            <polyline class="graph-curve" points=curve/>
            {dots}
            <line class="graph-now" x1=current_x x2=current_x y1="0" y2=GRAPH_SIZE.1/>
        </svg>
    }
}
