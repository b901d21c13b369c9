//! The state of the page: what is looked into, how it is shown, and the engine beside it.

use khet::{Color, Game, Move, TreePath};
use khet_review::PositionEval;
use leptos::prelude::*;

use super::review::Reviewing;
use super::study::Study;
use super::thinking::{Question, Thought};
use crate::board::Scene;
use crate::browser::storage;
use crate::engine::Engine;
use crate::game::analysis_handover::{PREVIOUS_STUDY, STUDY};
use crate::game_ui::move_navigation::Step;
use crate::languages::Words;

const CHOICES: &str = "khet.analysis.choices";

/// What stands beside the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tab {
    Tree,
    AllMoves,
    Explorer,
    Review,
}

/// What is shown over the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OpenDialog {
    More,
    Record,
    Keys,
}

/// The state of the page.
#[derive(Clone, Copy)]
pub(super) struct AnalysisState {
    pub(super) words: Words,
    pub(super) study: RwSignal<Study>,
    /// Where it came from: what the address asked for.
    source: StoredValue<String>,
    /// Counts what was opened.
    pub(super) opened: RwSignal<u32>,
    pub(super) bottom: RwSignal<Color>,
    /// Whose beams are shown.
    pub(super) beams: RwSignal<Vec<Color>>,
    /// The engine thinks.
    pub(super) thinks: RwSignal<bool>,
    /// How many lines it shows.
    pub(super) lines: RwSignal<usize>,
    /// It is asked what the other side would do.
    pub(super) threat: RwSignal<bool>,
    pub(super) thought: RwSignal<Thought>,
    pub(super) engine: Engine,
    /// The engine could not be loaded.
    pub(super) lost: RwSignal<bool>,
    pub(super) tab: RwSignal<Tab>,
    pub(super) dialog: RwSignal<Option<OpenDialog>>,
    pub(super) message: RwSignal<String>,
    pub(super) reviewing: Reviewing,
    /// The id of the online game that is looked into.
    pub(super) game: RwSignal<Option<String>>,
}

impl AnalysisState {
    pub(super) fn new(words: Words, study: Study) -> AnalysisState {
        let choices = storage::load_or_empty(CHOICES);
        let mut choices = choices.split(' ');
        let thinks = choices.next() != Some("rests");
        let lines = choices.next().and_then(|lines| lines.parse().ok()).unwrap_or(2);
        let analysis = AnalysisState {
            words,
            study: RwSignal::new(study),
            source: StoredValue::new(String::new()),
            opened: RwSignal::new(0),
            bottom: RwSignal::new(Color::Silver),
            beams: RwSignal::new(Vec::new()),
            thinks: RwSignal::new(thinks),
            lines: RwSignal::new(usize::clamp(lines, 1, super::thinking::MOST_LINES)),
            threat: RwSignal::new(false),
            thought: RwSignal::new(Thought::default()),
            engine: Engine::new(),
            lost: RwSignal::new(false),
            tab: RwSignal::new(Tab::Tree),
            dialog: RwSignal::new(None),
            message: RwSignal::new(String::new()),
            reviewing: Reviewing::new(),
            game: RwSignal::new(None),
        };
        analysis.keep_up();
        analysis
    }

    /// Saves every change, and lets the engine think about the place that is looked at.
    fn keep_up(self) {
        Effect::new(move |first: Option<()>| {
            self.study.track();
            // The first one is what the page was opened for, or what stood there before that came.
            if first.is_some() {
                self.save();
            }
        });
        Effect::new(move |_| {
            let thinks = if self.thinks.get() { "thinks" } else { "rests" };
            storage::store(CHOICES, &format!("{thinks} {}", self.lines.get()));
        });
        let game = self.game_now();
        let question = Memo::new(move |_| {
            let asks = self.thinks.get() && !self.reviewing.uses_engine();
            asks.then(|| {
                game.with(|game| Question::new(game, self.lines.get(), self.threat.get()))
            })?
        });
        Effect::new(move |before: Option<Option<Question>>| {
            let question = question.get();
            self.thought.set(Thought::default());
            match question.clone() {
                Some(question) => self.think(question),
                // Who asks else has the engine already.
                None if before.flatten().is_some() && !self.reviewing.uses_engine() => {
                    self.engine.stop()
                }
                None => {}
            }
            question
        });
    }

    fn think(self, Question { lines, mover, .. }: Question) {
        let hear = move |info| self.thought.update(|thought| thought.hear(info, mover));
        self.engine.ask(lines, hear, move |reply| self.lost.set(reply.is_none()));
    }

    /// The game up to the place that is looked at.
    pub(super) fn game_now(self) -> Memo<Game> {
        Memo::new(move |_| self.study.with(Study::game))
    }

    /// What is thought of it, if anything is.
    pub(super) fn worth(self) -> Option<PositionEval> {
        let over = self.study.with(|study| study.game().outcome());
        if let Some(outcome) = over {
            return Some(PositionEval::GameOver(outcome.winner));
        }
        if self.threat.get() {
            return None;
        }
        let thought = self.thought.with(|thought| thought.found.first().map(|found| found.eval));
        // What the record says is better than nothing.
        let written = move || {
            self.study.with(|study| {
                let ply = study.record().ply_at(study.place())?;
                ply.comments.iter().find_map(khet::Comment::eval).map(PositionEval::Ongoing)
            })
        };
        thought.or_else(written)
    }

    pub(super) fn scene(self) -> Scene {
        if let Some(scene) = self.reviewing.exercise_scene(self.bottom.get()) {
            return scene;
        }
        let threat = self.threat.get();
        let hints = self.thought.with(|thought| thought.hints(threat));
        let beams = self.beams.get();
        self.study.with(|study| study.scene(self.bottom.get(), hints, &beams))
    }

    /// A move was made on the board.
    pub(super) fn play(self, mv: Move) {
        if self.reviewing.is_exercising() {
            self.attempt(mv);
            return;
        }
        self.threat.set(false);
        let plies = self.study.with_untracked(|study| study.place().plies());
        self.study.update(|study| {
            // The board offers only moves that can be made.
            let _ = study.play(mv);
        });
        let stays =
            self.study.with_untracked(|study| study.place().plies() == plies && study.is_full());
        self.message.set(if stays {
            self.words.analysis_too_long().to_owned()
        } else {
            String::new()
        });
    }

    pub(super) fn look(self, place: TreePath) {
        self.reviewing.end_exercises();
        self.study.update(|study| study.look(place));
    }

    pub(super) fn step(self, step: Step) {
        self.reviewing.end_exercises();
        self.study.update(|study| match step {
            Step::First => study.first(),
            Step::Back => study.back(),
            Step::Forward => study.forth(),
            Step::Last => study.last(),
        });
    }

    /// Changes the tree. While an exercise is done, it is not seen, and stays as it is.
    pub(super) fn change(self, change: impl FnOnce(&mut Study)) {
        if !self.reviewing.is_exercising() {
            self.study.update(change);
        }
    }

    pub(super) fn flip(self) {
        self.bottom.update(|bottom| *bottom = !*bottom);
    }

    /// Shows the beam of the side to move, of both, or of none.
    pub(super) fn next_beams(self) {
        let mover = self.study.with_untracked(|study| study.game().position().side_to_move());
        self.beams.update(|beams| {
            *beams = match beams.len() {
                0 => vec![mover],
                1 => Color::ALL.to_vec(),
                _ => Vec::new(),
            };
        });
    }

    /// What the address asks for to come back here.
    pub(super) fn search(self) -> String {
        let source = self.source.get_value();
        match source.starts_with(['#', 'p']) || source.is_empty() {
            true => String::new(),
            false => format!("?{source}"),
        }
    }

    /// Keeps what is looked into.
    pub(super) fn save(self) {
        let text = self.study.with_untracked(|study| study.keep(&self.source.get_value()));
        if !storage::store(STUDY, &text) {
            self.message.set(self.words.play_not_saved().to_owned());
        }
    }

    /// Looks into what the page was opened for. What was looked into on an earlier visit can be had back.
    pub(super) fn begin(self, study: Study, source: &str) {
        if let Some((_, kept)) = kept() {
            set_aside(&kept, &study);
        }
        self.source.set_value(source.to_owned());
        self.study.set(study);
        self.save();
    }

    /// Looks into something else. What was there can be had back.
    pub(super) fn open(self, study: Study) {
        self.study.with_untracked(|before| set_aside(before, &study));
        self.source.set_value(String::new());
        self.reviewing.forget();
        self.threat.set(false);
        self.game.set(None);
        self.message.set(String::new());
        self.study.set(study);
        self.save();
        self.opened.update(|opened| *opened += 1);
    }

    /// The study before this one, if there is one.
    pub(super) fn before() -> Option<Study> {
        Study::kept(&storage::load_or_empty(PREVIOUS_STUDY)).map(|(_, study)| study)
    }
}

/// What was looked into last, and where it came from.
pub(super) fn kept() -> Option<(String, Study)> {
    Study::kept(&storage::load_or_empty(STUDY))
}

/// What was looked into last, if it came from there.
pub(super) fn kept_from(source: &str) -> Option<Study> {
    kept().filter(|(known, _)| known == source).map(|(_, study)| study)
}

/// Keeps a study for coming back, if another takes its place.
fn set_aside(study: &Study, other: &Study) {
    if !study.is_untouched() && study.record() != other.record() {
        storage::store(PREVIOUS_STUDY, &study.keep(""));
    }
}
