//! The pages of storm and streak.

use std::time::Duration;

use khet_protocol::{PuzzleRun, PuzzleRunKind};
use khet_puzzles::{MoveJudgement, Puzzle, PuzzleId};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::puzzle_set::{PuzzleChoice, choose_puzzle};
use super::series::PuzzleSeries;
use super::solver::Solver;
use super::solver_board::{SolverBoard, SolverMoveField};
use super::solving::{Solving, SolvingStage};
use super::{account, progress, show_title};
use crate::browser::focus::focus_if_lost;
use crate::browser::time::now;
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};
use crate::state_handle::StateHandle;

/// The interval at which the clock is read.
const TICK: Duration = Duration::from_millis(100);
/// The time from which the clock is shown as short.
const SHORT_TIME: u64 = 15;

/// The stage of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SeriesStage {
    Ready,
    Running,
    Over,
}

/// The signals of the page.
struct SeriesSignals {
    kind: PuzzleRunKind,
    words: Words,
    solver: Solver,
    stage: RwSignal<SeriesStage>,
    series: RwSignal<PuzzleSeries>,
    /// The seconds that the clock shows.
    seconds: RwSignal<Option<u64>>,
    /// The time that the last combo has earned, as text.
    earned: RwSignal<String>,
    /// The puzzle after the current one, loaded in advance.
    upcoming: StoredValue<Option<Puzzle>>,
    /// The next puzzle is shown as soon as it is loaded.
    is_waiting: StoredValue<bool>,
    /// A puzzle is being loaded.
    is_loading: StoredValue<bool>,
    /// The number of series so far. A puzzle that was loaded for an earlier one is dropped.
    started: StoredValue<u32>,
    /// The puzzles that were shown.
    used: StoredValue<Vec<PuzzleId>>,
    /// The series has ended because no puzzle could be loaded.
    has_failed: RwSignal<bool>,
    /// The series is the best of its kind on this device.
    is_best: RwSignal<bool>,
}

type SeriesState = StateHandle<SeriesSignals>;

impl SeriesState {
    fn new(words: Words, kind: PuzzleRunKind) -> SeriesState {
        let judged = RwSignal::new((0_u32, MoveJudgement::Right));
        let on_judged = Callback::new(move |judgement| {
            judged.update(|(count, last)| (*count, *last) = (*count + 1, judgement));
        });
        let state = SeriesState::allocate(SeriesSignals {
            kind,
            words,
            solver: Solver::new(words, true, on_judged),
            stage: RwSignal::new(SeriesStage::Ready),
            series: RwSignal::new(PuzzleSeries::new(kind)),
            seconds: RwSignal::new(None),
            earned: RwSignal::new(String::new()),
            upcoming: StoredValue::new(None),
            is_waiting: StoredValue::new(false),
            is_loading: StoredValue::new(false),
            started: StoredValue::new(0),
            used: StoredValue::new(Vec::new()),
            has_failed: RwSignal::new(false),
            is_best: RwSignal::new(false),
        });
        Effect::new(move |_| {
            let (count, judgement) = judged.get();
            if count > 0 {
                untrack(|| state.judge(judgement));
            }
        });
        state
    }

    /// Starts a series.
    fn start(self) {
        self.series.set(PuzzleSeries::new(self.kind));
        self.started.update_value(|started| *started += 1);
        self.used.set_value(Vec::new());
        self.upcoming.set_value(None);
        self.is_loading.set_value(false);
        self.has_failed.set(false);
        self.earned.set(String::new());
        self.stage.set(SeriesStage::Running);
        self.tick();
        self.show_next();
    }

    /// Shows the next puzzle, now or when it is loaded.
    fn show_next(self) {
        let upcoming = self.upcoming.try_update_value(Option::take).flatten();
        match upcoming {
            Some(puzzle) => self.show(puzzle),
            None => {
                self.is_waiting.set_value(true);
                self.load();
            }
        }
    }

    /// Shows a puzzle, and loads the one after it.
    fn show(self, puzzle: Puzzle) {
        if self.used.with_value(Vec::is_empty) {
            self.series.update(|series| series.start_clock(now()));
        }
        self.is_waiting.set_value(false);
        self.used.update_value(|used| used.push(puzzle.id()));
        self.solver.start(puzzle);
        self.tick();
        focus_if_lost(".puzzle-board [role=grid] [tabindex='0']".to_owned());
        self.load();
    }

    /// Loads a puzzle that is a little harder than the last one, unless one is being loaded: two at
    /// the same time could be the same.
    fn load(self) {
        if self.is_loading.get_value() {
            return;
        }
        self.is_loading.set_value(true);
        let started = self.started.get_value();
        let rating = self.series.try_update(PuzzleSeries::next_rating).unwrap_or_default();
        spawn_local(async move {
            let choice = PuzzleChoice { theme: None, rating };
            let is_used = |id: PuzzleId| {
                self.used.try_with_value(|used| used.contains(&id)).unwrap_or_default()
            };
            let puzzle = choose_puzzle(choice, None, is_used).await;
            // The page may have been closed or another series started by then.
            if self.stage.try_get_untracked() != Some(SeriesStage::Running)
                || self.started.get_value() != started
            {
                return;
            }
            self.is_loading.set_value(false);
            match puzzle {
                Ok(Some(puzzle)) if self.is_waiting.get_value() => self.show(puzzle),
                Ok(Some(puzzle)) => self.upcoming.set_value(Some(puzzle)),
                _ if self.is_waiting.get_value() => {
                    self.has_failed.set(true);
                    self.finish();
                }
                // It is tried again when the puzzle is needed.
                _ => {}
            }
        });
    }

    /// Counts a move.
    fn judge(self, judgement: MoveJudgement) {
        if self.stage.get_untracked() != SeriesStage::Running || self.is_waiting.get_value() {
            return;
        }
        let Some((id, rating)) =
            self.solver.with(|solving| (solving.puzzle().id(), solving.puzzle().rating))
        else {
            return;
        };
        if judgement == MoveJudgement::Wrong {
            let goes_on = self.series.try_update(|series| series.count_wrong(id));
            self.earned.set(
                match self.kind {
                    PuzzleRunKind::Storm => self.words.puzzles_time_lost(),
                    PuzzleRunKind::Streak => "",
                }
                .to_owned(),
            );
            self.solver.after_series_pause(move || match goes_on {
                Some(true) => self.show_next(),
                _ => self.finish(),
            });
        } else {
            let earned = self.series.try_update(PuzzleSeries::count_right).flatten();
            let text = earned.map(|seconds| self.words.puzzles_time_earned(seconds));
            self.earned.set(text.unwrap_or_default());
            if judgement == MoveJudgement::Solves {
                self.series.update(|series| series.count_solved(rating));
                self.solver.after_series_pause(move || self.show_next());
            }
        }
        self.tick();
    }

    /// Skips the puzzle, once in a streak. A move that was made is not skipped: the pause after a
    /// wrong one would save the streak.
    fn skip(self) {
        let stage = self.solver.with(Solving::stage);
        if stage != Some(SolvingStage::SolverToMove) || self.is_waiting.get_value() {
            return;
        }
        self.series.update(|series| series.has_skip = false);
        self.show_next();
    }

    /// Shows the time, and ends the series when it is over.
    fn tick(self) {
        if self.stage.try_get_untracked() != Some(SeriesStage::Running) {
            return;
        }
        let left = self.series.with_untracked(|series| series.left(now()));
        let seconds = left.map(|left| left.as_millis().div_ceil(1000) as u64);
        if seconds != self.seconds.get_untracked() {
            self.seconds.set(seconds);
        }
        if left == Some(Duration::ZERO) {
            self.finish();
        }
    }

    /// Ends the series and keeps its result.
    fn finish(self) {
        if self.stage.try_get_untracked() != Some(SeriesStage::Running) {
            return;
        }
        self.solver.stop();
        let has_run = self.used.with_value(|used| !used.is_empty());
        let score = self.series.with_untracked(|series| series.solved);
        let run = PuzzleRun { kind: self.kind, at: progress::time_now(), score };
        let is_best = has_run && progress::change(|progress| progress.add_run(run));
        self.is_best.set(is_best && score > 0);
        self.stage.set(SeriesStage::Over);
        focus_if_lost(".puzzle-summary .button".to_owned());
        if has_run && account::is_signed_in() {
            spawn_local(account::send_progress());
        }
    }
}

/// The page of a kind of series.
#[component]
pub(crate) fn SeriesPage(kind: PuzzleRunKind) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let (title, about) = match kind {
        PuzzleRunKind::Storm => (words.puzzles_storm(), words.puzzles_storm_about()),
        PuzzleRunKind::Streak => (words.puzzles_streak(), words.puzzles_streak_about()),
    };
    show_title(words, title);
    let state = SeriesState::new(words, kind);
    let timer = set_interval_with_handle(move || state.tick(), TICK);
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
    let stage = move || match state.stage.get() {
        SeriesStage::Ready => "ready",
        SeriesStage::Running => "running",
        SeriesStage::Over => "over",
    };
    let panel = move || {
        match state.stage.get() {
        SeriesStage::Ready => view! {
            <p>{about}</p>
            <p class="puzzle-next">
                <button type="button" class="button primary" data-action="start" on:click=move |_| state.start()>
                    {words.puzzles_start()}
                </button>
            </p>
        }
        .into_any(),
        SeriesStage::Running => view! { <Score state/> }.into_any(),
        SeriesStage::Over => view! { <SeriesSummary state/> }.into_any(),
    }
    };
    view! {
        <div
            class="puzzle-page"
            data-place=match kind {
                PuzzleRunKind::Storm => "storm",
                PuzzleRunKind::Streak => "streak",
            }
            data-state=stage
            data-score=move || state.series.with(|series| series.solved)
            data-puzzle=move || {
                let id = state.solver.solving.with(|solving| solving.as_ref().map(|it| it.puzzle().id()));
                id.map(|id| id.to_string())
            }
        >
            // The board is inert before the start and after the end.
            <div class="puzzle-stage" inert=move || state.stage.get() != SeriesStage::Running>
                <SolverBoard solver=state.solver/>
            </div>
            <section class="puzzle-panel" aria-labelledby="puzzle-title">
                <h1 id="puzzle-title">{title}</h1>
                {panel}
                <p class="puzzle-more"><a href=navigation.path(Page::Puzzles)>{words.puzzles_all()}</a></p>
            </section>
        </div>
    }
}

/// The clock, the number of solved puzzles and the combo, while a series runs.
#[component]
fn Score(state: SeriesState) -> impl IntoView {
    let words = state.words;
    let clock = move || {
        state.seconds.get().map(|seconds| {
            let text = format!("{}:{:02}", seconds / 60, seconds % 60);
            view! {
                <p class="puzzle-clock" class:short=seconds < SHORT_TIME role="timer" aria-label=words.puzzles_time_left()>
                    {text}
                </p>
            }
        })
    };
    let skip = move || {
        state.series.with(|series| series.has_skip).then(|| view! {
            <button type="button" class="button" data-action="skip" on:click=move |_| state.skip()>
                {words.puzzles_skip()}
            </button>
        })
    };
    view! {
        {clock}
        <dl class="puzzle-numbers">
            <div>
                <dt>{words.puzzles_solved_count()}</dt>
                <dd>{move || state.series.with(|series| series.solved)}</dd>
            </div>
            <div>
                <dt>{words.puzzles_combo()}</dt>
                <dd>{move || state.series.with(|series| series.combo)}</dd>
            </div>
        </dl>
        <p class="puzzle-message" role="status">
            {move || state.solver.message.get()} " " <strong>{move || state.earned.get()}</strong>
        </p>
        {skip}
        <SolverMoveField solver=state.solver/>
    }
}

/// The result of a series, with the puzzles that were not solved.
#[component]
fn SeriesSummary(state: SeriesState) -> impl IntoView {
    let words = state.words;
    let navigation = use_navigation();
    let series = state.series.get_untracked();
    let moves = u32::from(series.right) + u32::from(series.wrong);
    let accuracy = (u32::from(series.right) * 100).checked_div(moves).unwrap_or(0);
    let highest =
        (series.highest > 0).then(|| (words.puzzles_highest(), series.highest.to_string()));
    let numbers = [
        (words.puzzles_solved_count(), series.solved.to_string()),
        (words.puzzles_accuracy(), words.puzzles_percent(accuracy)),
        (words.puzzles_best_combo(), series.best_combo.to_string()),
    ];
    let numbers = numbers.into_iter().chain(highest).map(|(name, number)| {
        view! { <div><dt>{name}</dt><dd>{number}</dd></div> }
    });
    let missed = series.missed.iter().enumerate().map(|(index, id)| {
        let path = navigation.path_of(Page::Puzzle, &id.to_string());
        view! { <li><a href=path>{words.puzzles_number(index + 1)}</a></li> }
    });
    let missed = (!series.missed.is_empty()).then(|| {
        view! {
            <h2>{words.puzzles_missed()}</h2>
            <ul class="puzzle-themes">{missed.collect_view()}</ul>
        }
    });
    let failure = state.has_failed.get_untracked().then(|| words.puzzles_unreachable());
    view! {
        <div class="puzzle-summary">
            <p class="puzzle-message" role="status">
                {failure} " " {words.puzzles_series_over(usize::from(series.solved))}
                " "
                {state.is_best.get_untracked().then(|| view! { <strong>{words.puzzles_record()}</strong> })}
            </p>
            <dl class="puzzle-numbers">{numbers.collect_view()}</dl>
            {missed}
            <div class="puzzle-next">
                <button type="button" class="button primary" data-action="start" on:click=move |_| state.start()>
                    {words.puzzles_start_again()}
                </button>
                <a class="button" href=navigation.path_of(Page::Puzzle, "dashboard")>{words.puzzles_progress()}</a>
            </div>
        </div>
    }
}
