//! The state of the analysis page: the tree, the display options, and the engine.

use khet::{Color, GamePosition, TreePath};
use khet_review::PositionEval;
use leptos::prelude::*;

use super::analysis_tree::AnalysisTree;
use super::engine_lines::{EngineLines, LineSearch};
use super::review::ReviewState;
use crate::board::Scene;
use crate::browser::storage;
use crate::engine::Engine;
use crate::game::analysis_handover::{PREVIOUS_TREE_KEY, TREE_KEY};
use crate::game_ui::move_navigation::Step;
use crate::game_ui::player_strip::color_name;
use crate::languages::Words;
use crate::rules::{Game, Move};
use crate::state_handle::StateHandle;

/// Storage key of the engine switch (`thinks` or `rests`) and the number of lines.
const ENGINE_SETTINGS: &str = "khet.analysis.choices";

/// The depth in plies that evaluations in records are assumed to have if it is not known.
const RECORDED_DEPTH: u32 = 10;

/// The panel beside the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tab {
    Tree,
    AllMoves,
    Explorer,
    Review,
}

/// The open dialog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AnalysisDialog {
    More,
    Record,
}

/// The state of the page.
pub(super) type AnalysisState = StateHandle<AnalysisSignals>;

/// The signals and stored values of the analysis page.
pub(super) struct AnalysisSignals {
    pub(super) words: Words,
    pub(super) tree: RwSignal<AnalysisTree>,
    /// The part of the address that the tree was loaded from, such as `game=7Hc0aWxz`; empty if it
    /// has no address.
    source: StoredValue<String>,
    /// The side that the user has played in the game, if the address says it.
    pub(super) played_side: StoredValue<Option<Color>>,
    /// Number of trees opened on the page, for tests.
    pub(super) opened: RwSignal<u32>,
    pub(super) bottom: RwSignal<Color>,
    /// The sides whose beams are shown.
    pub(super) beams: RwSignal<Vec<Color>>,
    /// True if the engine searches the current position.
    pub(super) engine_on: RwSignal<bool>,
    /// Number of engine lines.
    pub(super) line_count: RwSignal<usize>,
    /// True if the engine searches the threat of the other side.
    pub(super) threat: RwSignal<bool>,
    pub(super) engine_lines: RwSignal<EngineLines>,
    pub(super) engine: Engine,
    /// The engine could not be loaded.
    pub(super) engine_lost: RwSignal<bool>,
    pub(super) tab: RwSignal<Tab>,
    pub(super) dialog: RwSignal<Option<AnalysisDialog>>,
    pub(super) message: RwSignal<String>,
    pub(super) review_state: ReviewState,
    /// The id of the online game that is analysed.
    pub(super) game: RwSignal<Option<String>>,
    /// The page was opened without a tree, and that of the last visit can be continued.
    pub(super) may_continue: RwSignal<bool>,
}

impl AnalysisState {
    pub(super) fn new(words: Words, tree: AnalysisTree) -> AnalysisState {
        let settings = storage::load_or_empty(ENGINE_SETTINGS);
        let mut settings = settings.split(' ');
        let engine_on = settings.next() != Some("rests");
        let line_count = settings.next().and_then(|count| count.parse().ok()).unwrap_or(2);
        let analysis = StateHandle::allocate(AnalysisSignals {
            words,
            tree: RwSignal::new(tree),
            source: StoredValue::new(String::new()),
            played_side: StoredValue::new(None),
            opened: RwSignal::new(0),
            bottom: RwSignal::new(Color::Silver),
            beams: RwSignal::new(Vec::new()),
            engine_on: RwSignal::new(engine_on),
            line_count: RwSignal::new(usize::clamp(line_count, 1, super::engine_lines::MAX_LINES)),
            threat: RwSignal::new(false),
            engine_lines: RwSignal::new(EngineLines::default()),
            engine: Engine::new(),
            engine_lost: RwSignal::new(false),
            tab: RwSignal::new(Tab::Tree),
            dialog: RwSignal::new(None),
            message: RwSignal::new(String::new()),
            review_state: ReviewState::new(),
            game: RwSignal::new(None),
            may_continue: RwSignal::new(false),
        });
        analysis.run_effects();
        analysis
    }

    /// Saves every change, and lets the engine search the current position.
    fn run_effects(self) {
        Effect::new(move |first: Option<()>| {
            self.tree.track();
            // The first run is not a change: it sees the tree that the page was created with.
            if first.is_some() {
                self.save();
            }
        });
        Effect::new(move |_| {
            let switch = if self.engine_on.get() { "thinks" } else { "rests" };
            storage::store(ENGINE_SETTINGS, &format!("{switch} {}", self.line_count.get()));
        });
        let game = self.current_game();
        let search = Memo::new(move |_| {
            let enabled = self.engine_on.get() && !self.review_state.uses_engine();
            enabled.then(|| {
                game.with(|game| LineSearch::new(game, self.line_count.get(), self.threat.get()))
            })?
        });
        Effect::new(move |previous: Option<Option<LineSearch>>| {
            let search = search.get();
            self.engine_lines.set(EngineLines::default());
            match search.clone() {
                Some(search) => self.start_search(search),
                // A review has already replaced the search.
                None if previous.flatten().is_some() && !self.review_state.uses_engine() => {
                    self.engine.stop()
                }
                None => {}
            }
            search
        });
    }

    fn start_search(self, LineSearch { commands, mover, .. }: LineSearch) {
        let on_info = move |info| self.engine_lines.update(|lines| lines.add(info, mover));
        self.engine.search(commands, on_info, move |reply| self.engine_lost.set(reply.is_none()));
    }

    /// Returns the game up to the current node.
    pub(super) fn current_game(self) -> Memo<Game> {
        Memo::new(move |_| self.tree.with(AnalysisTree::game))
    }

    /// Returns the evaluation of the current position, if it is known: that of the review until
    /// the engine has searched as deep, so that both agree while the game is stepped through.
    pub(super) fn eval(self) -> Option<PositionEval> {
        let over = self.tree.with(|tree| tree.game().outcome());
        if let Some(outcome) = over {
            return Some(PositionEval::GameOver(outcome.winner));
        }
        if self.threat.get() {
            return None;
        }
        let searched =
            self.engine_lines.with(|lines| lines.lines.first().map(|line| (line.eval, line.depth)));
        let recorded = self.recorded_eval();
        let surpasses = |&(eval, depth): &(PositionEval, u32)| {
            let is_proven = Color::ALL.into_iter().any(|color| eval.is_won(color));
            is_proven || recorded.is_none_or(|(_, recorded_depth)| depth >= recorded_depth)
        };
        searched.filter(surpasses).or(recorded).map(|(eval, _)| eval)
    }

    /// Returns the evaluation of the current position in the record, which a review has written
    /// there, and its depth.
    fn recorded_eval(self) -> Option<(PositionEval, u32)> {
        let (eval, ply) = self.tree.with(|tree| {
            let ply = tree.record().ply_at(tree.path())?;
            let eval = ply.comments.iter().find_map(khet::Comment::eval)?;
            Some((PositionEval::Ongoing(eval), tree.path().plies()))
        })?;
        let depth = self.review_state.review.with(|review| {
            let mut moves = review.iter().flat_map(|review| &review.moves);
            moves.find(|mv| mv.ply == ply && mv.eval == eval).map(|mv| mv.depth)
        });
        Some((eval, depth.filter(|&depth| depth > 0).unwrap_or(RECORDED_DEPTH)))
    }

    pub(super) fn scene(self) -> Scene {
        if let Some(scene) = self.review_state.exercise_scene(self.bottom.get()) {
            return scene;
        }
        let threat = self.threat.get();
        let hints = self.engine_lines.with(|lines| lines.hints(threat));
        let beams = self.beams.get();
        self.tree.with(|tree| tree.scene(self.bottom.get(), hints, &beams))
    }

    /// Handles a move on the board: plays it, or tries it in an exercise.
    pub(super) fn play(self, mv: Move) {
        if self.review_state.is_exercising() {
            self.try_move(mv);
            return;
        }
        self.threat.set(false);
        let plies = self.tree.with_untracked(|tree| tree.path().plies());
        self.tree.update(|tree| {
            // The board offers only legal moves.
            let _ = tree.play(mv);
        });
        let refused =
            self.tree.with_untracked(|tree| tree.path().plies() == plies && tree.is_full());
        self.message.set(if refused {
            self.words.analysis_too_long().to_owned()
        } else {
            String::new()
        });
    }

    pub(super) fn go_to(self, path: TreePath) {
        self.review_state.end_exercises();
        self.tree.update(|tree| tree.go_to(path));
    }

    pub(super) fn step(self, step: Step) {
        self.review_state.end_exercises();
        self.tree.update(|tree| match step {
            Step::First => tree.go_to_start(),
            Step::Back => tree.go_back(),
            Step::Forward => tree.go_forward(),
            Step::Last => tree.go_to_end(),
        });
    }

    /// Changes the tree. Does nothing during an exercise, in which the tree is hidden.
    pub(super) fn change(self, change: impl FnOnce(&mut AnalysisTree)) {
        if !self.review_state.is_exercising() {
            self.tree.update(change);
        }
    }

    pub(super) fn flip(self) {
        self.bottom.update(|bottom| *bottom = !*bottom);
    }

    /// Switches between the beams of no side, of the side to move, and of both sides.
    pub(super) fn cycle_beams(self) {
        let mover = self.tree.with_untracked(|tree| tree.game().position().side_to_move());
        self.beams.update(|beams| {
            *beams = match beams.len() {
                0 => vec![mover],
                1 => Color::ALL.to_vec(),
                _ => Vec::new(),
            };
        });
    }

    /// Returns the query string of the page's address that loads this tree again.
    pub(super) fn search(self) -> String {
        let mut search = self.source.get_value();
        if search.starts_with(['#', 'p']) {
            search.clear();
        }
        if let Some(color) = self.played_side.get_value() {
            let separator = if search.is_empty() { "" } else { "&" };
            search += &format!("{separator}side={}", color_name(color));
        }
        if search.is_empty() { search } else { format!("?{search}") }
    }

    /// Shows the board as the player of a side had it, and exercises from this player's mistakes.
    pub(super) fn set_played_side(self, side: Color) {
        self.played_side.set_value(Some(side));
        self.bottom.set(side);
        self.review_state.player.set(Some(side));
    }

    /// Saves the tree in local storage.
    pub(super) fn save(self) {
        let text = self.tree.with_untracked(|tree| tree.to_stored(&self.source.get_value()));
        if !storage::store(TREE_KEY, &text) {
            self.message.set(self.words.play_not_saved().to_owned());
        }
    }

    /// Shows the tree that the page was opened for. The tree of an earlier visit can be restored.
    pub(super) fn start(self, tree: AnalysisTree, source: &str) {
        if let Some((_, stored)) = stored_tree() {
            store_previous(&stored, &tree);
        }
        self.source.set_value(source.to_owned());
        self.tree.set(tree);
        self.save();
    }

    /// Replaces the tree. The old one can be restored.
    pub(super) fn open(self, tree: AnalysisTree) {
        self.tree.with_untracked(|previous| store_previous(previous, &tree));
        self.source.set_value(String::new());
        self.review_state.reset();
        self.threat.set(false);
        self.game.set(None);
        self.played_side.set_value(None);
        self.review_state.player.set(None);
        self.message.set(String::new());
        self.tree.set(tree);
        self.save();
        self.opened.update(|opened| *opened += 1);
    }

    /// Returns the tree that the current one has replaced.
    pub(super) fn previous_tree() -> Option<AnalysisTree> {
        AnalysisTree::from_stored(&storage::load_or_empty(PREVIOUS_TREE_KEY)).map(|(_, tree)| tree)
    }
}

/// Returns the source and the tree of the last visit.
pub(super) fn stored_tree() -> Option<(String, AnalysisTree)> {
    AnalysisTree::from_stored(&storage::load_or_empty(TREE_KEY))
}

/// Returns the tree of the last visit, if it has this source.
pub(super) fn stored_tree_from(source: &str) -> Option<AnalysisTree> {
    stored_tree().filter(|(stored, _)| stored == source).map(|(_, tree)| tree)
}

/// Stores a tree as the previous one if another replaces it.
fn store_previous(tree: &AnalysisTree, other: &AnalysisTree) {
    if !tree.is_empty() && tree.record() != other.record() {
        storage::store(PREVIOUS_TREE_KEY, &tree.to_stored(""));
    }
}
