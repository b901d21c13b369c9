//! A review of the game that is looked into: made by the engine here or by the server, and what can be learnt from it.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use khet::{Color, Game, Move, Position, Record};
use khet_protocol::{GameReview, ReviewProgress};
use khet_review::{
    Judgement, PositionEval, Review, ReviewBuilder, ReviewedMove, SearchResult, annotate,
};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;

use super::state::AnalysisState;
use super::thinking::options;
use crate::api::{self, NOTHING};
use crate::board::{Hint, HintKind, Scene};
use crate::browser::storage;
use crate::engine::{Info, position_command};

/// So many positions the engine looks at for each question: a game of sixty moves is reviewed in half a minute at most.
const NODES: u64 = 100_000;

/// Where the last review is kept.
const REVIEW: &str = "khet.analysis.review";

/// How often the server is asked how far it is.
const ASK_AGAIN: Duration = Duration::from_millis(700);

/// What the server answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answered {
    Kept(Box<GameReview>),
    Progress(ReviewProgress),
}

/// A mistake that is to be made good.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Exercise {
    /// Which of them it is, from 0.
    pub(super) number: usize,
    pub(super) of: usize,
    pub(super) mistake: ReviewedMove,
    pub(super) position: Position,
    pub(super) state: Attempt,
}

/// How it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attempt {
    /// Nothing was tried yet.
    Open,
    /// The engine looks at what was tried.
    Judging(Move),
    /// It was no better.
    Failed(Move),
    /// It was good, or the best.
    Found(Move, Judgement),
    /// The solution was asked for.
    Shown,
}

/// The state of a review.
#[derive(Clone, Copy)]
pub(super) struct Reviewing {
    pub(super) review: RwSignal<Option<Review>>,
    /// Moves that are judged, and all moves, while it is made.
    pub(super) progress: RwSignal<Option<(usize, usize)>>,
    builder: StoredValue<Option<ReviewBuilder>>,
    /// Counts reviews, so that answers to an old one are not taken for the new one's.
    number: StoredValue<u32>,
    pub(super) exercise: RwSignal<Option<Exercise>>,
    /// Whose mistakes are retried; both players', if it is `None`.
    pub(super) whose: RwSignal<Option<Color>>,
}

impl Reviewing {
    pub(super) fn new() -> Reviewing {
        Reviewing {
            review: RwSignal::new(None),
            progress: RwSignal::new(None),
            builder: StoredValue::new(None),
            number: StoredValue::new(0),
            exercise: RwSignal::new(None),
            whose: RwSignal::new(None),
        }
    }

    /// Whether the engine is needed for something else than lines.
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

    pub(super) fn forget(self) {
        self.number.update_value(|number| *number += 1);
        self.builder.set_value(None);
        self.progress.set(None);
        self.review.set(None);
        self.exercise.set(None);
    }

    /// The board of an exercise, if one is done.
    pub(super) fn exercise_scene(self, bottom: Color) -> Option<Scene> {
        let exercise = self.exercise.get()?;
        let mut scene = Scene::of(exercise.position);
        scene.bottom = bottom;
        match exercise.state {
            Attempt::Open | Attempt::Failed(_) => {
                scene.moves = exercise.position.legal_moves().to_vec()
            }
            Attempt::Judging(_) => {}
            Attempt::Found(mv, _) => scene.hints = vec![Hint { mv, kind: HintKind::Best }],
            Attempt::Shown => {
                scene.hints = vec![Hint { mv: exercise.mistake.best, kind: HintKind::Best }]
            }
        }
        Some(scene)
    }
}

/// Whether a review is about the game of a record as it is now.
pub(super) fn fits(review: &Review, record: &Record) -> bool {
    let plies = &record.main_line().plies;
    review.start == record.start().placement()
        && review.moves.iter().all(|mv| plies.get(mv.ply - 1).is_some_and(|ply| ply.mv == mv.mv))
}

impl AnalysisState {
    /// The review of the game as it is now.
    pub(super) fn review(self) -> Memo<Option<Review>> {
        Memo::new(move |_| {
            let review = self.reviewing.review.get()?;
            self.study.with(|study| fits(&review, study.record())).then_some(review)
        })
    }

    /// Shows the review that was made of this game on an earlier visit. Says whether there is one.
    pub(super) fn recall_review(self) -> bool {
        let kept: Option<Review> = serde_json::from_str(&storage::load_or_empty(REVIEW)).ok();
        let about_this = |review: &Review| {
            let all = self.study.with_untracked(|study| study.record().main_line().plies.len());
            review.moves.len() == all
                && self.study.with_untracked(|study| fits(review, study.record()))
        };
        let kept = kept.filter(about_this);
        let found = kept.is_some();
        if found {
            self.reviewing.review.set(kept);
        }
        found
    }

    /// Reviews the game: of a game that was played here online the server has a review, or makes one and keeps it.
    pub(super) fn ask_for_review(self) {
        let Some(id) = self.game.get_untracked() else { return self.start_review() };
        let reviewing = self.reviewing;
        reviewing.forget();
        let moves = self.study.with_untracked(|study| study.record().main_line().plies.len());
        reviewing.progress.set(Some((0, moves)));
        self.ask_server("POST", id, reviewing.number.get_value());
    }

    /// Asks the server until the review is made. If it makes none, the engine here does.
    fn ask_server(self, method: &'static str, id: String, number: u32) {
        spawn_local(async move {
            let answer: Result<Answered, _> =
                api::send(method, &format!("/api/games/{id}/review"), NOTHING).await;
            let reviewing = self.reviewing;
            if reviewing.number.try_get_value() != Some(number) {
                return;
            }
            match answer {
                Ok(Answered::Kept(kept)) => {
                    // Here the game may have been changed since.
                    if !self.study.with_untracked(|study| fits(&kept.review, study.record())) {
                        return self.start_review();
                    }
                    self.take_review(kept.review);
                }
                Ok(Answered::Progress(ReviewProgress { judged, moves, .. })) => {
                    reviewing.progress.set(Some((judged as usize, moves as usize)));
                    set_timeout(move || self.ask_server("GET", id, number), ASK_AGAIN);
                }
                Err(_) => self.start_review(),
            }
        });
    }

    /// Reviews the game with the engine of this browser.
    pub(super) fn start_review(self) {
        let game = self.study.with_untracked(|study| study.record().game());
        let reviewing = self.reviewing;
        reviewing.forget();
        let builder = ReviewBuilder::new(&game);
        reviewing.progress.set(Some(builder.progress()));
        reviewing.builder.set_value(Some(builder));
        self.ask_next(reviewing.number.get_value());
    }

    /// Ends a review before its time; what was judged is shown.
    pub(super) fn stop_review(self) {
        self.engine.stop();
        self.finish_review();
    }

    fn ask_next(self, number: u32) {
        let reviewing = self.reviewing;
        if reviewing.number.get_value() != number {
            return;
        }
        let asked = reviewing.builder.with_value(|builder| {
            let builder = builder.as_ref()?;
            let request = builder.next_search()?;
            Some(question_lines(builder.game(), request.only, request.depth))
        });
        let Some(lines) = asked else { return self.finish_review() };
        let (best, hear) = last_heard();
        self.engine.ask(lines, hear, move |reply| {
            if reviewing.number.get_value() != number {
                return;
            }
            if reply.is_none() {
                self.lost.set(true);
                reviewing.forget();
                return;
            }
            let result = best.take().map(|info| SearchResult {
                score: info.score,
                depth: info.depth,
                pv: info.moves,
            });
            reviewing.builder.update_value(|builder| {
                if let Some(builder) = builder {
                    builder.add_result(result);
                }
            });
            let progress = reviewing
                .builder
                .with_value(|builder| builder.as_ref().map(ReviewBuilder::progress));
            reviewing.progress.set(progress);
            self.ask_next(number);
        });
    }

    fn finish_review(self) {
        let reviewing = self.reviewing;
        let mut made = None;
        reviewing.builder.update_value(|builder| made = builder.take().map(ReviewBuilder::finish));
        reviewing.number.update_value(|number| *number += 1);
        match made.filter(|review| !review.moves.is_empty()) {
            Some(review) => self.take_review(review),
            None => reviewing.progress.set(None),
        }
    }

    /// Writes a review into the tree, and then shows it: one after the other, so that the page is never busy for long.
    pub(super) fn take_review(self, review: Review) {
        self.study.update(|study| study.annotate(|record| annotate(record, &review)));
        let reviewing = self.reviewing;
        let number = reviewing.number.get_value();
        let show = move || {
            if reviewing.number.try_get_value() != Some(number) {
                return;
            }
            storage::store(REVIEW, &serde_json::to_string(&review).unwrap_or_default());
            reviewing.review.set(Some(review));
            reviewing.progress.set(None);
        };
        set_timeout(show, Duration::ZERO);
    }

    // --- exercises

    /// The mistakes that are to be retried.
    pub(super) fn mistakes(self, review: &Review) -> Vec<ReviewedMove> {
        let whose = self.reviewing.whose.get();
        let own = |mv: &&ReviewedMove| {
            mv.mark.is_some() && whose.is_none_or(|color| review.player(mv) == color)
        };
        review.moves.iter().filter(own).cloned().collect()
    }

    /// Begins with an exercise.
    pub(super) fn exercise(self, number: usize) {
        let Some(review) = self.reviewing.review.get_untracked() else { return };
        let mistakes = untrack(|| self.mistakes(&review));
        let of = mistakes.len();
        let Some(mistake) = mistakes.into_iter().nth(number) else {
            self.reviewing.exercise.set(None);
            return;
        };
        let place = khet::TreePath::main_line(mistake.ply - 1);
        let game = self.study.with_untracked(|study| study.record().game_at(&place));
        let Some(game) = game else { return };
        let position = *game.position();
        self.study.update(|study| study.look(place));
        self.bottom.set(position.side_to_move());
        self.engine.stop();
        self.reviewing.exercise.set(Some(Exercise {
            number,
            of,
            mistake,
            position,
            state: Attempt::Open,
        }));
    }

    /// Gives up on an exercise.
    pub(super) fn show_solution(self) {
        self.set_attempt(Attempt::Shown);
    }

    fn set_attempt(self, state: Attempt) {
        self.reviewing.exercise.update(|exercise| {
            if let Some(exercise) = exercise {
                exercise.state = state;
            }
        });
    }

    /// A move was tried.
    pub(super) fn attempt(self, mv: Move) {
        let Some(exercise) = self.reviewing.exercise.get_untracked() else { return };
        let mistake = exercise.mistake;
        if mv == mistake.best {
            return self.set_attempt(Attempt::Found(mv, Judgement::Best));
        }
        if mv == mistake.mv {
            return self.set_attempt(Attempt::Failed(mv));
        }
        self.set_attempt(Attempt::Judging(mv));
        let place = khet::TreePath::main_line(mistake.ply - 1);
        let Some(game) = self.study.with_untracked(|study| study.record().game_at(&place)) else {
            return;
        };
        let mover = game.position().side_to_move();
        let mut next = *game.position();
        let over = next.play(mv).ok().and_then(|shot| shot.outcome);
        let judge = move |worth: PositionEval| match mistake.judge_alternative(mover, worth) {
            judgement @ (Judgement::Best | Judgement::Good) => Attempt::Found(mv, judgement),
            Judgement::Bad(_) => Attempt::Failed(mv),
        };
        if let Some(outcome) = over {
            return self.set_attempt(judge(PositionEval::GameOver(outcome.winner)));
        }
        let (best, hear) = last_heard();
        self.engine.ask(question_lines(&game, Some(mv), None), hear, move |_| {
            let attempted = self
                .reviewing
                .exercise
                .with_untracked(|exercise| exercise.as_ref().map(|now| now.state));
            if attempted != Some(Attempt::Judging(mv)) {
                return;
            }
            let worth = best
                .take()
                .map(|info| PositionEval::from_mover(info.score, mover).after_best_move(mover));
            self.set_attempt(worth.map_or(Attempt::Failed(mv), &judge));
        });
    }
}

/// What the engine says last, and what listens to it. It outlives the component in which it is asked.
fn last_heard() -> (Rc<Cell<Option<Info>>>, impl Fn(Info) + 'static) {
    let last = Rc::new(Cell::new(None));
    let heard = last.clone();
    (last, move |info| heard.set(Some(info)))
}

/// A question of a review in the engine's protocol.
fn question_lines(game: &Game, only: Option<Move>, depth: Option<u32>) -> Vec<String> {
    let mut lines = options(game.position(), 1);
    let mut go = format!("go nodes {NODES}");
    if let Some(depth) = depth {
        go += &format!(" depth {depth}");
    }
    if let Some(mv) = only {
        go += &format!(" searchmoves {mv}");
    }
    lines.extend([position_command(game), go]);
    lines
}
