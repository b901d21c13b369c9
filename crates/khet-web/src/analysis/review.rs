//! The review of the analysed game, by the server or by the engine in the browser, and exercises
//! from its mistakes.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use khet::{Color, GamePosition};
use khet_protocol::{GameReview, ReviewProgress};
use khet_review::{Judgement, PositionEval, ReviewBuilder, SearchResult, annotate};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;

use super::engine_lines::options;
use super::state::AnalysisState;
use crate::api::{self, NO_BODY};
use crate::board::{Hint, HintKind, Scene};
use crate::browser::storage;
use crate::engine::{SearchInfo, position_command};
use crate::rules::{Game, Move, Position, Record, Review, ReviewedMove};

/// Nodes per search: a game of sixty moves is reviewed in half a minute at most.
const SEARCH_NODES: u64 = 100_000;

/// Storage key of the last review.
const REVIEW_KEY: &str = "khet.analysis.review";

/// Interval between requests for the progress of the server.
const POLL_INTERVAL: Duration = Duration::from_millis(700);

/// The server's response to a request for a review.
#[derive(Deserialize)]
#[serde(untagged)]
enum ReviewResponse {
    Finished(Box<GameReview>),
    Progress(ReviewProgress),
}

/// An exercise: the user looks for a better move than a mistake of the game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Exercise {
    /// Index of the exercise, from 0.
    pub(super) index: usize,
    /// Number of all exercises.
    pub(super) count: usize,
    pub(super) mistake: ReviewedMove,
    pub(super) position: Position,
    pub(super) state: ExerciseState,
}

/// The progress of an exercise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExerciseState {
    /// No move was tried yet.
    Open,
    /// The engine judges this move.
    Judging(Move),
    /// This move is not better than the mistake.
    Failed(Move),
    /// This move is good or best.
    Solved(Move, Judgement),
    /// The user asked for the solution.
    SolutionShown,
}

/// The review of the current game, its progress, and the exercises.
#[derive(Clone, Copy)]
pub(super) struct ReviewState {
    pub(super) review: RwSignal<Option<Review>>,
    /// The numbers of reviewed moves and of all moves, while the review is running.
    pub(super) progress: RwSignal<Option<(usize, usize)>>,
    builder: StoredValue<Option<ReviewBuilder<Position>>>,
    /// Number of the review, by which responses to an earlier review are recognised and ignored.
    number: StoredValue<u32>,
    pub(super) exercise: RwSignal<Option<Exercise>>,
    /// The player whose mistakes are exercises; `None` for both.
    pub(super) player: RwSignal<Option<Color>>,
}

impl ReviewState {
    pub(super) fn new() -> ReviewState {
        ReviewState {
            review: RwSignal::new(None),
            progress: RwSignal::new(None),
            builder: StoredValue::new(None),
            number: StoredValue::new(0),
            exercise: RwSignal::new(None),
            player: RwSignal::new(None),
        }
    }

    /// Returns whether the review or an exercise needs the engine.
    pub(super) fn uses_engine(self) -> bool {
        self.progress.get().is_some() || self.exercise.with(Option::is_some)
    }

    pub(super) fn is_exercising(self) -> bool {
        self.exercise.with_untracked(Option::is_some)
    }

    pub(super) fn end_exercises(self) {
        if self.is_exercising() {
            self.exercise.set(None);
        }
    }

    /// Discards the review and stops a running one.
    pub(super) fn reset(self) {
        self.number.update_value(|number| *number += 1);
        self.builder.set_value(None);
        self.progress.set(None);
        self.review.set(None);
        self.exercise.set(None);
    }

    /// Returns the board's scene of the current exercise.
    pub(super) fn exercise_scene(self, bottom: Color) -> Option<Scene> {
        let exercise = self.exercise.get()?;
        let mut scene = Scene::of(exercise.position);
        scene.bottom = bottom;
        match exercise.state {
            ExerciseState::Open | ExerciseState::Failed(_) => {
                scene.moves = exercise.position.legal_moves().to_vec()
            }
            ExerciseState::Judging(_) => {}
            ExerciseState::Solved(mv, _) => scene.hints = vec![Hint { mv, kind: HintKind::Best }],
            ExerciseState::SolutionShown => {
                scene.hints = vec![Hint { mv: exercise.mistake.best, kind: HintKind::Best }]
            }
        }
        Some(scene)
    }
}

/// Returns whether a review belongs to the main line of a record.
pub(super) fn matches_record(review: &Review, record: &Record) -> bool {
    let plies = &record.main_line().plies;
    review.start == record.start().placement()
        && review.moves.iter().all(|mv| plies.get(mv.ply - 1).is_some_and(|ply| ply.mv == mv.mv))
}

impl AnalysisState {
    /// Returns the review, if it still belongs to the main line.
    pub(super) fn review(self) -> Memo<Option<Review>> {
        Memo::new(move |_| {
            let review = self.review_state.review.get()?;
            self.tree.with(|tree| matches_record(&review, tree.record())).then_some(review)
        })
    }

    /// Loads the review of this game from an earlier visit. Returns whether there is one.
    pub(super) fn load_stored_review(self) -> bool {
        let stored: Option<Review> = serde_json::from_str(&storage::load_or_empty(REVIEW_KEY)).ok();
        let belongs_here = |review: &Review| {
            let move_count = self.tree.with_untracked(|tree| tree.record().main_line().plies.len());
            review.moves.len() == move_count
                && self.tree.with_untracked(|tree| matches_record(review, tree.record()))
        };
        let stored = stored.filter(belongs_here);
        let has_review = stored.is_some();
        if has_review {
            self.review_state.review.set(stored);
        }
        has_review
    }

    /// Reviews the game. The server reviews games that were played online and stores the reviews;
    /// other games are reviewed in the browser.
    pub(super) fn request_review(self) {
        let Some(id) = self.game.get_untracked() else { return self.start_review() };
        let review_state = self.review_state;
        review_state.reset();
        let moves = self.tree.with_untracked(|tree| tree.record().main_line().plies.len());
        review_state.progress.set(Some((0, moves)));
        self.poll_server("POST", id, review_state.number.get_value());
    }

    /// Polls the server until the review is finished. On an error, the browser reviews the game.
    fn poll_server(self, method: &'static str, id: String, number: u32) {
        spawn_local(async move {
            let response: Result<ReviewResponse, _> =
                api::send(method, &format!("/api/games/{id}/review"), NO_BODY).await;
            let review_state = self.review_state;
            if review_state.number.try_get_value() != Some(number) {
                return;
            }
            match response {
                Ok(ReviewResponse::Finished(stored)) => {
                    // The main line may have been changed here.
                    if !self
                        .tree
                        .with_untracked(|tree| matches_record(&stored.review, tree.record()))
                    {
                        return self.start_review();
                    }
                    self.show_review(stored.review);
                }
                Ok(ReviewResponse::Progress(ReviewProgress { judged, moves, .. })) => {
                    review_state.progress.set(Some((judged as usize, moves as usize)));
                    set_timeout(move || self.poll_server("GET", id, number), POLL_INTERVAL);
                }
                Err(_) => self.start_review(),
            }
        });
    }

    /// Reviews the game with the engine in the browser.
    pub(super) fn start_review(self) {
        let game = self.tree.with_untracked(|tree| tree.record().game());
        let review_state = self.review_state;
        review_state.reset();
        let builder = ReviewBuilder::new(&game);
        review_state.progress.set(Some(builder.progress()));
        review_state.builder.set_value(Some(builder));
        self.search_next(review_state.number.get_value());
    }

    /// Stops the review and shows the moves that are reviewed so far.
    pub(super) fn stop_review(self) {
        self.engine.stop();
        self.finish_review();
    }

    /// Starts the next search of the review, or finishes it.
    fn search_next(self, number: u32) {
        let review_state = self.review_state;
        if review_state.number.get_value() != number {
            return;
        }
        let commands = review_state.builder.with_value(|builder| {
            let builder = builder.as_ref()?;
            let request = builder.next_search()?;
            Some(search_commands(builder.game(), request.only, request.depth))
        });
        let Some(commands) = commands else { return self.finish_review() };
        let (last_info, on_info) = record_last_info();
        self.engine.search(commands, on_info, move |reply| {
            if review_state.number.get_value() != number {
                return;
            }
            if reply.is_none() {
                self.engine_lost.set(true);
                review_state.reset();
                return;
            }
            let result = last_info.take().map(|info| SearchResult {
                score: info.score,
                depth: info.depth,
                pv: info.moves,
            });
            review_state.builder.update_value(|builder| {
                if let Some(builder) = builder {
                    builder.add_result(result);
                }
            });
            let progress = review_state
                .builder
                .with_value(|builder| builder.as_ref().map(ReviewBuilder::progress));
            review_state.progress.set(progress);
            self.search_next(number);
        });
    }

    /// Shows the finished review and writes it into the tree.
    fn finish_review(self) {
        let review_state = self.review_state;
        let mut finished = None;
        review_state
            .builder
            .update_value(|builder| finished = builder.take().map(ReviewBuilder::finish));
        review_state.number.update_value(|number| *number += 1);
        match finished.filter(|review| !review.moves.is_empty()) {
            Some(review) => self.show_review(review),
            None => review_state.progress.set(None),
        }
    }

    /// Writes a review into the tree and shows it. The two steps run in separate tasks, to keep the
    /// page responsive.
    pub(super) fn show_review(self, review: Review) {
        self.tree.update(|tree| tree.annotate(|record| annotate(record, &review)));
        let review_state = self.review_state;
        let number = review_state.number.get_value();
        let show = move || {
            if review_state.number.try_get_value() != Some(number) {
                return;
            }
            storage::store(REVIEW_KEY, &serde_json::to_string(&review).unwrap_or_default());
            review_state.review.set(Some(review));
            review_state.progress.set(None);
        };
        set_timeout(show, Duration::ZERO);
    }

    // --- exercises

    /// Returns the mistakes of the chosen player.
    pub(super) fn mistakes(self, review: &Review) -> Vec<ReviewedMove> {
        let player = self.review_state.player.get();
        let is_mistake = |mv: &&ReviewedMove| {
            mv.mark.is_some() && player.is_none_or(|color| review.player(mv) == color)
        };
        review.moves.iter().filter(is_mistake).cloned().collect()
    }

    /// Starts the exercise of an index, or ends the exercises after the last one.
    pub(super) fn start_exercise(self, index: usize) {
        let Some(review) = self.review_state.review.get_untracked() else { return };
        let mistakes = untrack(|| self.mistakes(&review));
        let count = mistakes.len();
        let Some(mistake) = mistakes.into_iter().nth(index) else {
            self.review_state.exercise.set(None);
            return;
        };
        let path = khet::TreePath::main_line(mistake.ply - 1);
        let game = self.tree.with_untracked(|tree| tree.record().game_at(&path));
        let Some(game) = game else { return };
        let position = *game.position();
        self.tree.update(|tree| tree.go_to(path));
        self.bottom.set(position.side_to_move());
        self.engine.stop();
        self.review_state.exercise.set(Some(Exercise {
            index,
            count,
            mistake,
            position,
            state: ExerciseState::Open,
        }));
        // The task is at the top of the panel, whose button may have been far below.
        if let Some(panel) = document().get_element_by_id("panel") {
            panel.set_scroll_top(0);
        }
    }

    /// Shows the solution of the exercise.
    pub(super) fn show_solution(self) {
        self.set_exercise_state(ExerciseState::SolutionShown);
    }

    fn set_exercise_state(self, state: ExerciseState) {
        self.review_state.exercise.update(|exercise| {
            if let Some(exercise) = exercise {
                exercise.state = state;
            }
        });
    }

    /// Judges a move that the user tries in the exercise.
    pub(super) fn try_move(self, mv: Move) {
        let Some(exercise) = self.review_state.exercise.get_untracked() else { return };
        let mistake = exercise.mistake;
        if mv == mistake.best {
            return self.set_exercise_state(ExerciseState::Solved(mv, Judgement::Best));
        }
        if mv == mistake.mv {
            return self.set_exercise_state(ExerciseState::Failed(mv));
        }
        self.set_exercise_state(ExerciseState::Judging(mv));
        let path = khet::TreePath::main_line(mistake.ply - 1);
        let Some(game) = self.tree.with_untracked(|tree| tree.record().game_at(&path)) else {
            return;
        };
        let mover = game.position().side_to_move();
        let mut next = *game.position();
        let outcome = next.play(mv).ok().and_then(|shot| shot.outcome);
        let judge = move |eval: PositionEval| match mistake.judge_alternative(mover, eval) {
            judgement @ (Judgement::Best | Judgement::Good) => ExerciseState::Solved(mv, judgement),
            Judgement::Bad(_) => ExerciseState::Failed(mv),
        };
        if let Some(outcome) = outcome {
            return self.set_exercise_state(judge(PositionEval::GameOver(outcome.winner)));
        }
        let (last_info, on_info) = record_last_info();
        self.engine.search(search_commands(&game, Some(mv), None), on_info, move |_| {
            let current = self
                .review_state
                .exercise
                .with_untracked(|exercise| exercise.as_ref().map(|exercise| exercise.state));
            if current != Some(ExerciseState::Judging(mv)) {
                return;
            }
            let eval = last_info
                .take()
                .map(|info| PositionEval::from_mover(info.score, mover).after_best_move(mover));
            self.set_exercise_state(eval.map_or(ExerciseState::Failed(mv), &judge));
        });
    }
}

/// Returns a cell and a callback that stores the engine's last report in it. Not a signal, because
/// a search may outlive the component that started it.
fn record_last_info() -> (Rc<Cell<Option<SearchInfo>>>, impl Fn(SearchInfo) + 'static) {
    let last = Rc::new(Cell::new(None));
    let writer = last.clone();
    (last, move |info| writer.set(Some(info)))
}

/// Returns the engine commands for a search of a review.
fn search_commands(game: &Game, only: Option<Move>, depth: Option<u32>) -> Vec<String> {
    let mut commands = options(game.position(), 1);
    let mut go = format!("go nodes {SEARCH_NODES}");
    if let Some(depth) = depth {
        go += &format!(" depth {depth}");
    }
    if let Some(mv) = only {
        go += &format!(" searchmoves {mv}");
    }
    commands.extend([position_command(game), go]);
    commands
}
