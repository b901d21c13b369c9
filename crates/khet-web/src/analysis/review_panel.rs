//! The review panel: progress, evaluation graph, player statistics, and exercises from mistakes.

use khet::{Color, TreePath};
use khet_review::{Judgement, PlayerSummary};
use leptos::prelude::*;

use super::evaluation_graph::EvaluationGraph;
use super::lines_panel::eval_text;
use super::review::{Exercise, ExerciseState};
use super::state::AnalysisState;
use crate::controls::fields;
use crate::languages::Words;
use crate::rules::{Review, ReviewedMove};

/// Maximum number of turning points that are shown.
const TURNING_POINTS: usize = 6;

/// The panel in its states: no review, running, finished, exercise.
#[component]
pub(super) fn ReviewPanel(analysis: AnalysisState) -> impl IntoView {
    let review = analysis.review();
    let progress = analysis.review_state.progress;
    let moves =
        Memo::new(move |_| analysis.tree.with(|tree| tree.record().main_line().plies.len()));
    view! {
        <div class="review"
            data-state=move || match (progress.get(), review.with(Option::is_some)) {
            (Some(_), _) => "running",
            (None, true) => "done",
            (None, false) => "none",
        }>
            {move || match (progress.get(), analysis.review_state.exercise.get()) {
                (Some((done, all)), _) => progress_view(analysis, done, all).into_any(),
                (None, Some(exercise)) => exercise_view(analysis, exercise).into_any(),
                (None, None) => match review.get() {
                    Some(review) => view! { <FinishedReview analysis review/> }.into_any(),
                    None => start_view(analysis, moves.get()).into_any(),
                },
            }}
        </div>
    }
}

/// The button that starts a review.
fn start_view(analysis: AnalysisState, moves: usize) -> impl IntoView {
    let words = analysis.words;
    view! {
        <p class="panel-head">
            {if moves == 0 { words.review_needs_moves() } else { words.review_about() }}
        </p>
        <button type="button" class="button primary" data-action="review" disabled=moves == 0
            on:click=move |_| analysis.request_review()>{words.review_start()}</button>
    }
}

fn progress_view(analysis: AnalysisState, done: usize, all: usize) -> impl IntoView {
    let words = analysis.words;
    view! {
        <label class="field">
            <span role="status">{words.review_progress(done, all)}</span>
            <progress max=all.max(1) value=done></progress>
        </label>
        <button type="button" class="button" data-action="stop-review"
            on:click=move |_| analysis.stop_review()>
            {words.review_stop()}
        </button>
    }
}

/// A finished review.
#[component]
fn FinishedReview(analysis: AnalysisState, review: Review) -> impl IntoView {
    let words = analysis.words;
    let points =
        review.turning_points(TURNING_POINTS).into_iter().map(|mv| turning_point(analysis, mv));
    let points = points.collect_view();
    let players =
        [(words.play_silver(), review.players.silver), (words.play_red(), review.players.red)];
    let no_points = review.turning_points(1).is_empty();
    let mistakes = {
        let review = review.clone();
        Memo::new(move |_| analysis.mistakes(&review).len())
    };
    view! {
        <EvaluationGraph analysis review=review.clone()/>
        <table class="summary">
            <thead>
                <tr>
                    <td></td>
                    <th scope="col">{words.review_accuracy()}</th>
                    <th scope="col"><abbr title=words.review_inaccuracies()>"?!"</abbr></th>
                    <th scope="col"><abbr title=words.review_mistakes()>"?"</abbr></th>
                    <th scope="col"><abbr title=words.review_blunders()>"??"</abbr></th>
                </tr>
            </thead>
            <tbody>{players.map(|(name, summary)| summary_row(name, summary, words)).into_iter().collect_view()}</tbody>
        </table>
        <p class="field-about">{judgement_legend(words)}</p>
        <MoveJudgement analysis review=review.clone()/>
        <h2>{words.review_turning_points()}</h2>
        {no_points.then(|| view! { <p>{words.review_no_turning_points()}</p> })}
        <ol class="turning-points">{points}</ol>
        <h2>{words.review_retry()}</h2>
        <div class="choice" role="radiogroup" aria-label=words.review_whose()>
            {[("both", None, words.review_both()), ("silver", Some(Color::Silver), words.play_silver()),
                ("red", Some(Color::Red), words.play_red())]
                .map(|(name, player, label)| fields::choice("whose", name, label, || false,
                    move || analysis.review_state.player.get() == player, move || analysis.review_state.player.set(player)))
                .into_iter().collect_view()}
        </div>
        <button type="button" class="button" data-action="retry"
            hidden=move || mistakes.get() == 0
            on:click=move |_| analysis.start_exercise(0)>
            {move || words.review_retry_count(mistakes.get())}
        </button>
        <button type="button" class="button quiet" data-action="review-again"
            on:click=move |_| analysis.start_review()>
            {words.review_again()}
        </button>
    }
}

/// Returns the meaning of the signs in the table as one line.
fn judgement_legend(words: Words) -> String {
    let [inaccuracies, mistakes, blunders] =
        [words.review_inaccuracies(), words.review_mistakes(), words.review_blunders()];
    format!("?! {inaccuracies} · ? {mistakes} · ?? {blunders}")
}

fn summary_row(name: &'static str, summary: PlayerSummary, words: Words) -> impl IntoView {
    // Decimals would suggest a precision that the few moves of a game do not have.
    let percent = |accuracy: f64| words.review_percent(accuracy.round() as usize);
    let accuracy = summary.accuracy.map_or("–".to_owned(), percent);
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td data-accuracy=name>{accuracy}</td>
            <td>{summary.inaccuracies}</td>
            <td>{summary.mistakes}</td>
            <td>{summary.blunders}</td>
        </tr>
    }
}

/// The judgement of the current move.
#[component]
fn MoveJudgement(analysis: AnalysisState, review: Review) -> impl IntoView {
    let words = analysis.words;
    let text = move || {
        let path = analysis.tree.with(|tree| tree.path().clone());
        let mv = review.moves.iter().find(|mv| path.is_main_line() && mv.ply == path.plies());
        mv.map_or_else(|| words.review_step_through().to_owned(), |mv| judgement_text(mv, words))
    };
    view! { <p class="move-judgement" role="status">{text}</p> }
}

fn judgement_text(mv: &ReviewedMove, words: Words) -> String {
    let played = mv.mv;
    match mv.judgement() {
        Judgement::Best => words.review_is_best(played),
        Judgement::Good => words.review_is_good(played, mv.best),
        Judgement::Bad(mark) => {
            let [best_eval, eval] = [mv.best_eval, mv.eval].map(|eval| eval_text(eval, words));
            let better = words.review_better(mv.best, best_eval, eval);
            let judgement = match mark {
                khet_review::Mark::Inaccuracy => words.review_is_inaccuracy(played),
                khet_review::Mark::Mistake => words.review_is_mistake(played),
                khet_review::Mark::Blunder => words.review_is_blunder(played),
            };
            // The engine's own search may have gone deeper and come to another evaluation.
            let depth = if mv.depth > 0 { words.review_depth(mv.depth) } else { String::new() };
            format!("{judgement} {better} {depth}")
        }
    }
}

/// A turning point with the better line. A click goes to the move.
fn turning_point(analysis: AnalysisState, mv: &ReviewedMove) -> impl IntoView + use<> {
    let words = analysis.words;
    let path = TreePath::main_line(mv.ply);
    let number = analysis.tree.with_untracked(|tree| tree.record().move_number_at(&path));
    let mark = mv.mark.map_or("", |mark| mark.text());
    let line: Vec<String> = mv.line.iter().take(5).map(ToString::to_string).collect();
    view! {
        <li>
            <button type="button" class="move" data-turning-point=mv.ply
                on:click=move |_| analysis.go_to(path.clone())>
                <span>{number}" "{mv.mv.to_string()}{mark}</span>
                <span class="move-effect">{words.review_instead(line.join(" "))}</span>
            </button>
        </li>
    }
}

/// The text and the buttons of an exercise.
fn exercise_view(analysis: AnalysisState, exercise: Exercise) -> impl IntoView {
    let words = analysis.words;
    let Exercise { index, count, mistake, state, .. } = exercise;
    let text = match state {
        ExerciseState::Open => words.review_task(mistake.mv),
        ExerciseState::Judging(mv) => words.review_judging(mv),
        ExerciseState::Failed(mv) => words.review_not_yet(mv),
        ExerciseState::Solved(mv, Judgement::Best) => words.review_found(mv),
        ExerciseState::Solved(mv, _) => words.review_found_other(mv, mistake.best),
        ExerciseState::SolutionShown => words.review_solution(mistake.best),
    };
    let solved = matches!(state, ExerciseState::Solved(..) | ExerciseState::SolutionShown);
    let last = index + 1 == count;
    let next = if last { words.review_done() } else { words.review_next() };
    view! {
        <div class="exercise" data-exercise=match state {
            ExerciseState::Open => "open",
            ExerciseState::Judging(_) => "judging",
            ExerciseState::Failed(_) => "failed",
            ExerciseState::Solved(..) => "solved",
            ExerciseState::SolutionShown => "shown",
        } data-best=mistake.best.to_string()>
            <p class="panel-head">{words.review_exercise(index + 1, count)}</p>
            <p role="status">{text}</p>
            <div class="dialog-actions">
                <button type="button" class="button" class:primary=solved
                    data-action="next-exercise"
                    on:click=move |_| if last { analysis.review_state.end_exercises() } else { analysis.start_exercise(index + 1) }>
                    {if solved { next } else { words.review_skip() }}
                </button>
                {(!solved).then(|| view! {
                    <button type="button" class="button" data-action="solution"
                        on:click=move |_| analysis.show_solution()>{words.review_show()}</button>
                })}
                <button type="button" class="button quiet" data-action="end-exercises"
                    on:click=move |_| analysis.review_state.end_exercises()>
                    {words.review_end()}
                </button>
            </div>
        </div>
    }
}
