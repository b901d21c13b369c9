//! The state of a page on which a puzzle is solved, with the delays of replies and refutations.

use std::time::Duration;

use khet_puzzles::{MoveJudgement, Puzzle};
use leptos::prelude::*;

use super::solving::{Solving, SolvingStage};
use crate::board::{BoardDescriber, Orientation, Scene, hits_in_words};
use crate::engine::{Engine, WorkerResult};
use crate::languages::Words;
use crate::rules::{Move, Position, classic, standard_move};
use crate::state_handle::StateHandle;

/// Search time for the refutation of a wrong move, in milliseconds.
const REFUTATION_TIME: u64 = 400;
/// Pause before the opponent's reply.
const REPLY_PAUSE: Duration = Duration::from_millis(250);
/// Pause between the moves of a solution that is shown.
const SOLUTION_PAUSE: Duration = Duration::from_millis(700);
/// Time for which a refuted move stays on the board.
const REFUTED_TIME: Duration = Duration::from_millis(1800);
/// In a series: the time from a move to the reply or the next puzzle, even if its shot still runs.
const SERIES_PAUSE: Duration = Duration::from_millis(450);

/// The signals and callbacks of a board on which puzzles are solved.
pub(crate) struct SolverSignals {
    pub(crate) words: Words,
    /// The puzzle, once it is loaded.
    pub(crate) solving: RwSignal<Option<Solving>>,
    /// The message under the board.
    pub(crate) message: RwSignal<String>,
    /// Everything that belongs to the last move has been shown. The result is not revealed earlier.
    pub(crate) is_settled: RwSignal<bool>,
    /// Puzzles follow each other quickly, and wrong moves are not refuted.
    is_series: bool,
    engine: Engine,
    /// Number of events on the board so far. A delayed action is dropped if it has changed.
    events: StoredValue<u32>,
    /// The shot of a wrong move has ended.
    shot_ended: StoredValue<bool>,
    /// The engine's reply to a wrong move; `Some(None)` if there is none.
    refutation: StoredValue<Option<Option<khet::Move>>>,
    /// Called after each move of the solver, and with [`MoveJudgement::Wrong`] after each help.
    on_judged: Callback<MoveJudgement>,
}

/// A handle to the state.
pub(crate) type Solver = StateHandle<SolverSignals>;

impl Solver {
    /// Creates the state without a puzzle. `on_judged` is called after each judged move, with
    /// [`MoveJudgement::Wrong`] also when the solver asks for help.
    pub(crate) fn new(words: Words, is_series: bool, on_judged: Callback<MoveJudgement>) -> Solver {
        Solver::allocate(SolverSignals {
            words,
            solving: RwSignal::new(None),
            message: RwSignal::new(String::new()),
            is_settled: RwSignal::new(true),
            is_series,
            engine: Engine::new(),
            events: StoredValue::new(0),
            shot_ended: StoredValue::new(false),
            refutation: StoredValue::new(None),
            on_judged,
        })
    }

    /// Puts a puzzle on the board.
    pub(crate) fn start(self, puzzle: Puzzle) {
        self.next_event();
        self.engine.stop();
        let shots = self.with(Solving::shot_number).unwrap_or_default();
        let solving = Solving::new(puzzle, shots);
        self.message.set(self.task(&solving));
        self.is_settled.set(true);
        self.solving.set(Some(solving));
    }

    /// Removes the puzzle, at the end of a series.
    pub(crate) fn stop(self) {
        self.next_event();
        self.engine.stop();
    }

    /// Returns a value of the puzzle, without tracking it.
    pub(crate) fn with<T>(self, get: impl FnOnce(&Solving) -> T) -> Option<T> {
        // The page may have been closed by then.
        self.solving.try_with_untracked(|solving| solving.as_ref().map(get)).flatten()
    }

    /// Returns the stage of the puzzle.
    pub(crate) fn stage(self) -> Option<SolvingStage> {
        self.solving.with(|solving| solving.as_ref().map(Solving::stage))
    }

    /// Returns the scene on the board.
    pub(crate) fn scene(self) -> Scene {
        self.solving.with(|solving| match solving {
            Some(solving) => solving.scene(),
            None => Scene::of(classic()),
        })
    }

    fn task(self, solving: &Solving) -> String {
        let words = self.words;
        match solving.solver() {
            khet::Color::Silver => words.puzzles_task_silver(),
            khet::Color::Red => words.puzzles_task_red(),
        }
        .to_owned()
    }

    fn update(self, change: impl FnOnce(&mut Solving)) {
        self.solving.update(|solving| {
            if let Some(solving) = solving {
                change(solving);
            }
        });
    }

    /// Counts an event, and returns its number.
    fn next_event(self) -> u32 {
        // The page may have been closed by then.
        let count = |events: &mut u32| {
            *events += 1;
            *events
        };
        self.events.try_update_value(count).unwrap_or_default()
    }

    /// Calls `act` after a pause, unless something else has happened by then.
    fn later(self, pause: Duration, act: impl FnOnce() + 'static) {
        let event = self.events.get_value();
        set_timeout(
            move || {
                if self.events.try_get_value() == Some(event) {
                    act();
                }
            },
            pause,
        );
    }

    /// Plays a move of the solver.
    pub(crate) fn play(self, mv: Move) {
        let Some(mv) = standard_move(mv) else { return };
        let mut judgement = None;
        self.update(|solving| judgement = solving.play(mv));
        let Some(judgement) = judgement else { return };
        self.next_event();
        self.is_settled.set(false);
        let words = self.words;
        self.message.set(match judgement {
            MoveJudgement::Right => words.puzzles_right().to_owned(),
            MoveJudgement::Solves => String::new(),
            MoveJudgement::Wrong => words.puzzles_wrong(mv),
        });
        if self.is_series && judgement == MoveJudgement::Right {
            self.later(SERIES_PAUSE, move || self.reply());
        }
        if !self.is_series && judgement == MoveJudgement::Wrong {
            self.search_refutation();
        }
        self.on_judged.run(judgement);
    }

    /// Calls `act` when the next puzzle of a series may follow the last one.
    pub(crate) fn after_series_pause(self, act: impl FnOnce() + 'static) {
        self.later(SERIES_PAUSE, act);
    }

    /// Plays the reply of the solution.
    fn reply(self) {
        self.next_event();
        self.update(Solving::reply);
    }

    /// Handles the end of a shot.
    pub(crate) fn end_shot(self) {
        match self.with(Solving::stage) {
            Some(SolvingStage::ReplyFollows) if !self.is_series => {
                self.later(REPLY_PAUSE, move || self.reply());
            }
            Some(SolvingStage::WrongMove) => {
                self.shot_ended.set_value(true);
                self.refute();
            }
            Some(SolvingStage::Refuted) => self.later(REFUTED_TIME, move || self.take_back()),
            Some(SolvingStage::ShowingSolution) => {
                self.later(SOLUTION_PAUSE, move || self.show_next_move());
            }
            Some(SolvingStage::Done | SolvingStage::SolverToMove) => self.is_settled.set(true),
            _ => {}
        }
    }

    // --- wrong moves

    /// Lets the engine search for the best reply to a wrong move.
    fn search_refutation(self) {
        self.shot_ended.set_value(false);
        self.refutation.set_value(None);
        let Some(position) = self.with(|solving| *solving.position()) else { return };
        if position.outcome().is_some() {
            self.refutation.set_value(Some(None));
            return;
        }
        let commands = vec![
            "setoption name Level value 10".to_owned(),
            format!("position fen {position}"),
            format!("go movetime {REFUTATION_TIME}"),
        ];
        let event = self.events.get_value();
        let on_result = move |result: Option<WorkerResult>| {
            if self.events.try_get_value() == Some(event) {
                let mv = result.and_then(|result| result.mv).and_then(standard_move);
                self.refutation.set_value(Some(mv));
                self.refute();
            }
        };
        self.engine.search(commands, |_| {}, on_result);
    }

    /// Plays the refutation, once it is known and the shot of the wrong move has ended.
    fn refute(self) {
        let Some(reply) = self.refutation.get_value().filter(|_| self.shot_ended.get_value())
        else {
            return;
        };
        let wrong = self.with(|solving| solving.last().map(|(mv, shot)| (*mv, shot.clone())));
        let Some((wrong, shot)) = wrong.flatten() else { return };
        self.next_event();
        let (words, you) = (self.words, self.with(Solving::solver));
        let Some(reply) = reply else {
            // The game is over, or the engine can't be loaded.
            let hits = hits_in_words(&shot.shot, you, words);
            self.message.set(join(words.puzzles_wrong(wrong), &hits));
            return self.later(REFUTED_TIME, move || self.take_back());
        };
        self.update(|solving| solving.refute(reply));
        let hits = self.with(|solving| {
            let last = solving.last();
            last.map(|(_, shot)| hits_in_words(&shot.shot, you, words)).unwrap_or_default()
        });
        let text = words.puzzles_refuted(wrong, reply);
        self.message.set(join(text, &hits.unwrap_or_default()));
    }

    /// Takes the wrong move back.
    fn take_back(self) {
        self.next_event();
        self.update(Solving::take_back);
        self.is_settled.set(true);
        let message = self.message.get_untracked();
        self.message.set(join(message, self.words.puzzles_try_again()));
    }

    // --- help

    /// Marks the piece that moves, then the move.
    pub(crate) fn give_hint(self) {
        self.update(Solving::give_hint);
        let square = self.with(Solving::hinted_square).flatten();
        let words = self.words;
        self.message.set(match square {
            Some(square) => words.puzzles_hint_piece(square),
            None => self.next_move_in_words(),
        });
        self.on_judged.run(MoveJudgement::Wrong);
    }

    /// Describes the move that the arrow shows, for those who can't see it.
    fn next_move_in_words(self) -> String {
        let text = self.with(|solving| {
            let (solver, mv) = (solving.solver(), solving.next_move()?);
            let position = Position::from(*solving.position());
            let describer = BoardDescriber {
                words: self.words,
                orientation: Orientation::new(solver),
                you: Some(solver),
            };
            describer.mv(mv.into(), Some(&position), &solving.position().before_shot(mv).into())
        });
        text.flatten().unwrap_or_default()
    }

    /// Starts to show the solution.
    pub(crate) fn show_solution(self) {
        self.next_event();
        self.engine.stop();
        self.update(Solving::show_solution);
        self.message.set(self.words.puzzles_solution_shown().to_owned());
        self.is_settled.set(false);
        self.on_judged.run(MoveJudgement::Wrong);
        self.later(SOLUTION_PAUSE, move || self.show_next_move());
    }

    fn show_next_move(self) {
        self.next_event();
        self.update(Solving::show_next_move);
    }
}

/// Joins two sentences.
fn join(first: String, second: &str) -> String {
    if second.is_empty() { first } else { format!("{first} {second}") }
}
