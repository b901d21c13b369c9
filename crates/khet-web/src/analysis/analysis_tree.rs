//! The analysed game: a record with variations, the current node, and changes that can be undone.

use khet::{Color, Comment, GamePosition, Rules, TreePath};

use crate::board::{Hint, Scene, SceneShot};
use crate::game::analysis_handover::tree_text;
use crate::game::game_text::{self, GameText};
use crate::game::save::GameTextError;
use crate::rules::{Game, GameError, Move, Position, Record, Shot};

/// Maximum number of moves, variations included: more than any game has, and few enough to display.
pub const MAX_MOVES: u64 = 4_000;

/// Maximum length of a comment in characters.
pub const MAX_COMMENT_LENGTH: usize = 2_000;

/// Maximum number of changes that can be undone.
const MAX_UNDO_STEPS: usize = 100;

/// A game record with variations, the path to the current node, and the undo history.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysisTree {
    record: Record,
    path: TreePath,
    /// The states to restore by undo, latest last.
    undo_stack: Vec<(Record, TreePath)>,
    /// Number of changes of the current node, by which the board recognises a new shot.
    visits: u32,
    /// True if the last step was not a move forward, so that its shot is not animated.
    still: bool,
}

/// The reason why a text cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpenError {
    /// It cannot be parsed.
    Invalid(GameTextError),
    /// It has too many moves.
    TooLong,
}

impl AnalysisTree {
    /// Creates a tree at the start of a record.
    pub fn new(record: Record) -> AnalysisTree {
        AnalysisTree {
            record,
            path: TreePath::default(),
            undo_stack: Vec::new(),
            visits: 0,
            still: true,
        }
    }

    /// Creates a tree without moves.
    pub fn from_position(position: Position) -> AnalysisTree {
        AnalysisTree::new(Record::new(position))
    }

    /// Parses a record, the name of an official setup, or a position.
    pub fn open(text: &str, rules: Rules) -> Result<AnalysisTree, OpenError> {
        match game_text::parse(text, rules).map_err(OpenError::Invalid)? {
            GameText::Record(record) if record.main_line().count_moves() > MAX_MOVES => {
                Err(OpenError::TooLong)
            }
            GameText::Record(record) => Ok(AnalysisTree::new(*record)),
            GameText::Position(position) => Ok(AnalysisTree::from_position(*position)),
        }
    }

    /// Formats the tree for storage: source and current path on a line each, then the record.
    pub fn to_stored(&self, source: &str) -> String {
        tree_text(source, &self.path, &self.record.to_string())
    }

    /// Parses a stored tree and its source. The maximum length is not checked, so that no stored
    /// tree is lost.
    pub fn from_stored(text: &str) -> Option<(String, AnalysisTree)> {
        let (source, rest) = text.split_once('\n')?;
        let (path, record) = rest.split_once('\n')?;
        let mut tree = AnalysisTree::new(record.parse().ok()?);
        let path = path.parse().ok().filter(|path| tree.record.variation_at(path).is_some());
        tree.path = path.unwrap_or_default();
        Some((source.to_owned(), tree))
    }

    /// Returns the record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the path to the current node.
    pub fn path(&self) -> &TreePath {
        &self.path
    }

    /// Returns the game up to the current node.
    pub fn game(&self) -> Game {
        self.record.game_at(&self.path).unwrap_or_else(|| Game::new(*self.record.start()))
    }

    /// Returns whether the tree has no moves and no history, so that nothing is lost with it.
    pub fn is_empty(&self) -> bool {
        self.record.main_line().plies.is_empty() && self.undo_stack.is_empty()
    }

    // --- navigation

    /// Goes to a node.
    pub fn go_to(&mut self, path: TreePath) {
        if self.record.variation_at(&path).is_none() || path == self.path {
            return;
        }
        self.still = path.parent().as_ref() != Some(&self.path);
        self.path = path;
        self.visits = self.visits.wrapping_add(1);
    }

    /// Goes one move back.
    pub fn go_back(&mut self) {
        if let Some(path) = self.path.parent() {
            self.go_to(path);
        }
    }

    /// Goes one move forward along the line.
    pub fn go_forward(&mut self) {
        let children = self.record.children(&self.path);
        if let Some(path) = children.into_iter().next() {
            self.go_to(path);
        }
    }

    /// Goes to the start.
    pub fn go_to_start(&mut self) {
        self.go_to(TreePath::default());
    }

    /// Goes to the end of the line.
    pub fn go_to_end(&mut self) {
        self.go_to(self.record.variation_end(&self.path));
    }

    /// Goes to the next or the previous alternative to the current move.
    pub fn go_to_sibling(&mut self, next: bool) {
        let Some(parent) = self.path.parent() else { return };
        let children = self.record.children(&parent);
        let Some(at) = children.iter().position(|child| *child == self.path) else { return };
        let count = children.len();
        let at = if next { (at + 1) % count } else { (at + count - 1) % count };
        self.go_to(children[at].clone());
        // This is not a step along the game, so no shot is animated.
        self.still = true;
    }

    // --- changes

    /// Returns whether the maximum number of moves is reached. Existing moves can still be played.
    pub fn is_full(&self) -> bool {
        self.record.main_line().count_moves() >= MAX_MOVES
    }

    /// Plays a move at the current node, as a new variation if the record has another move there.
    pub fn play(&mut self, mv: Move) -> Result<(), GameError> {
        let children = self.record.children(&self.path);
        let has_move = |child: &TreePath| self.record.ply_at(child).is_some_and(|ply| ply.mv == mv);
        if self.is_full() && !children.iter().any(has_move) {
            return Ok(());
        }
        let before = (self.record.clone(), self.path.clone());
        let path = self.record.play_at(&self.path, mv)?;
        self.push_undo(before);
        self.go_to(path);
        self.still = false;
        Ok(())
    }

    /// Promotes the current variation: it trades places with the line that it branches from.
    pub fn promote(&mut self) {
        self.change(|record, path| record.promote(path));
    }

    /// Deletes the current move and all moves after it.
    pub fn delete(&mut self) {
        self.change(|record, path| record.delete(path));
    }

    /// Changes the record by a function, for example to add a review.
    pub fn annotate(&mut self, write: impl FnOnce(&mut Record)) {
        self.change(|record, path| {
            write(record);
            path.clone()
        });
        if self.record.variation_at(&self.path).is_none() {
            self.path = TreePath::default();
        }
    }

    /// Adds a mark to the current move, or removes it.
    pub fn toggle_mark(&mut self, mark: u8) {
        self.change(|record, path| {
            if let Some(marks) = record.marks_mut(path) {
                match marks.iter().position(|&other| other == mark) {
                    Some(at) => drop(marks.remove(at)),
                    None => {
                        // The marks 1 to 6 (good to dubious) exclude each other.
                        marks.retain(|other| !(1..=6).contains(other));
                        marks.push(mark);
                    }
                }
            }
            path.clone()
        });
    }

    /// Returns the marks of the current move.
    pub fn marks(&self) -> &[u8] {
        self.record.ply_at(&self.path).map_or(&[], |ply| &ply.marks)
    }

    /// Returns the comment on the current move, or on the game at the start, without commands.
    pub fn comment(&self) -> String {
        let comments = match self.record.ply_at(&self.path) {
            Some(ply) => &ply.comments,
            None => &self.record.main_line().comments,
        };
        comment_text(comments)
    }

    /// Sets the comment. Commands such as `[%eval 0.35]` are kept.
    pub fn set_comment(&mut self, text: &str) {
        if text == self.comment() {
            return;
        }
        let text: String = text.chars().take(MAX_COMMENT_LENGTH).collect();
        self.change(|record, path| {
            let Some(comments) = record.comments_mut(path) else { return path.clone() };
            let commands =
                comments.iter().map(|comment| split_commands(comment.text()).0).collect::<String>();
            let texts =
                [commands.as_str(), text.trim()].into_iter().filter(|text| !text.is_empty());
            *comments = texts.map(Comment::new_lossy).collect();
            path.clone()
        });
    }

    /// Changes the record and the current path, and makes the change undoable.
    fn change(&mut self, change: impl FnOnce(&mut Record, &TreePath) -> TreePath) {
        let before = (self.record.clone(), self.path.clone());
        let path = change(&mut self.record, &self.path);
        self.push_undo(before);
        self.still = true;
        if path != self.path {
            self.path = path;
            self.visits = self.visits.wrapping_add(1);
        }
    }

    /// Adds a state to the undo stack, unless the record has not changed.
    fn push_undo(&mut self, before: (Record, TreePath)) {
        if before.0 == self.record {
            return;
        }
        if self.undo_stack.len() == MAX_UNDO_STEPS {
            self.undo_stack.remove(0);
        }
        self.undo_stack.push(before);
    }

    /// Returns whether there is a change to undo.
    pub fn can_undo(&self) -> bool {
        !self.undo_stack.is_empty()
    }

    /// Undoes the last change.
    pub fn undo(&mut self) {
        let Some((record, path)) = self.undo_stack.pop() else { return };
        (self.record, self.path) = (record, path);
        self.visits = self.visits.wrapping_add(1);
        self.still = true;
    }

    // --- display

    /// Returns the board's scene with this side at the bottom, hints, and the beams of these sides.
    pub fn scene(&self, bottom: Color, hints: Vec<Hint>, beams: &[Color]) -> Scene {
        let game = self.game();
        let mut scene = Scene::of(*game.position());
        scene.bottom = bottom;
        if game.outcome().is_none() {
            scene.moves = game.position().legal_moves().to_vec();
            scene.previews = beams.to_vec();
        }
        if let Some((&mv, before)) = game.moves().last().zip(game.positions().iter().rev().nth(1)) {
            let before_shot = before.before_shot(mv);
            let shot = before_shot.fire(before.side_to_move());
            scene.last = Some(mv);
            scene.shot = Some(SceneShot { number: self.visits, before_shot, shot });
        }
        scene.still = self.still;
        scene.hints = hints;
        scene
    }
}

/// Returns all legal moves with their shots, best shot first: wins, then by pieces hit minus own
/// pieces lost, losses last.
pub fn all_moves(position: &Position) -> Vec<(Move, Shot)> {
    let mover = position.side_to_move();
    let with_shot = |&mv: &Move| {
        let mut next = *position;
        next.play(mv).ok().map(|shot| (mv, shot))
    };
    let mut moves: Vec<(Move, Shot)> =
        position.legal_moves().iter().filter_map(with_shot).collect();
    moves.sort_by_key(|(_, shot)| {
        let hits = |color| shot.hits.iter().filter(|hit| hit.piece.color() == color).count() as i32;
        let wins = shot.outcome.is_some_and(|outcome| outcome.winner == Some(mover));
        let loses = shot.outcome.is_some_and(|outcome| outcome.winner == Some(!mover));
        (10 * (i32::from(loses) - i32::from(wins)), hits(mover) - hits(!mover))
    });
    moves
}

/// Returns the text of comments without commands.
pub(super) fn comment_text(comments: &[Comment]) -> String {
    let texts = comments.iter().map(|comment| split_commands(comment.text()).1);
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Separates the commands of a comment, such as `[%eval 0.35]`, from the text around them.
fn split_commands(text: &str) -> (String, String) {
    let (mut commands, mut plain) = (String::new(), String::new());
    let mut rest = text;
    while let Some((before, rest_of_command)) = rest.split_once("[%") {
        let Some((command, after)) = rest_of_command.split_once(']') else { break };
        plain.push_str(before);
        commands.push_str(&format!("[%{command}]"));
        rest = after;
    }
    plain.push_str(rest);
    (commands, plain.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    fn tree(moves: &str) -> AnalysisTree {
        let text = format!("[Setup \"Classic\"]\n\n{moves} *\n");
        AnalysisTree::open(&text, Rules::Standard).expect("a record")
    }

    #[test]
    fn moves_are_played_and_undone() {
        let mut tree = tree("1. h2+ c7c6 (1... c7c8) 2. h2-");
        tree.go_forward();
        tree.go_forward();
        assert_eq!(tree.game().moves(), [mv("h2+"), mv("c7c6")]);
        tree.go_to_sibling(true);
        assert_eq!(tree.game().moves(), [mv("h2+"), mv("c7c8")]);
        tree.play(mv("h2g2")).expect("legal");
        assert_eq!(tree.record().main_line().count_moves(), 5);
        tree.promote();
        assert!(tree.path().is_main_line());
        tree.undo();
        tree.undo();
        assert_eq!(tree.record().main_line().count_moves(), 4);
        assert!(!tree.can_undo());
        tree.go_to_end();
        tree.go_to_start();
        assert_eq!(tree.path().plies(), 0);
    }

    #[test]
    fn only_a_move_forward_animates_its_shot() {
        let mut tree = tree("1. h2+ c7c6 2. h2-");
        let still = |tree: &AnalysisTree| tree.scene(Color::Silver, Vec::new(), &[]).still;
        tree.go_forward();
        assert!(!still(&tree));
        tree.go_back();
        assert!(still(&tree));
        tree.go_to_end();
        assert!(still(&tree));
    }

    #[test]
    fn a_stored_tree_is_restored_with_its_path() {
        let mut tree = tree("1. h2+ {[%eval 0.35] quiet} c7c6 (1... c7c8 $1)");
        tree.go_forward();
        tree.go_forward();
        tree.go_to_sibling(true);
        let (source, stored) =
            AnalysisTree::from_stored(&tree.to_stored("game=7Hc0aWxz")).expect("a stored tree");
        assert_eq!((stored.record(), stored.path()), (tree.record(), tree.path()));
        assert_eq!(source, "game=7Hc0aWxz");
        for broken in ["", "0", "\n0\nx", "[Setup \"Classic\"]\n\n*\n"] {
            assert_eq!(AnalysisTree::from_stored(broken), None);
        }
        let elsewhere = tree.to_stored("").replace("1.0/1", "7.0/1");
        assert_eq!(
            AnalysisTree::from_stored(&elsewhere).expect("a stored tree").1.path(),
            &TreePath::default()
        );
    }

    #[test]
    fn a_new_comment_keeps_the_commands() {
        let mut tree = tree("1. h2+ {[%eval 0.35] quiet} {[%clk 0:01:00]}");
        tree.go_forward();
        assert_eq!(tree.comment(), "quiet");
        tree.set_comment("a } better one");
        assert!(
            tree.record().to_string().contains("{[%eval 0.35][%clk 0:01:00]} {a ) better one}")
        );
        tree.set_comment("");
        assert!(tree.record().to_string().contains("1. h2+ {[%eval 0.35][%clk 0:01:00]} *"));
        tree.go_to_start();
        tree.set_comment("about it all");
        assert_eq!(tree.comment(), "about it all");
    }

    #[test]
    fn move_marks_exclude_each_other() {
        let mut tree = tree("1. h2+ $1 $14");
        tree.go_forward();
        tree.toggle_mark(4);
        assert_eq!(tree.marks(), [14, 4]);
        tree.toggle_mark(4);
        assert_eq!(tree.marks(), [14]);
    }

    #[test]
    fn invalid_and_too_long_texts_are_rejected() {
        let open = |text: &str| AnalysisTree::open(text, Rules::Standard);
        assert!(matches!(open("hello"), Err(OpenError::Invalid(_))));
        assert!(matches!(open("[Setup \"NotFound\"]\n\n*"), Err(OpenError::Invalid(_))));
        let there_and_back = "h2+ c7c6 h2- c6c7 ".repeat(1001);
        let long = format!("[Setup \"Classic\"]\n\n{there_and_back}*\n");
        assert_eq!(open(&long), Err(OpenError::TooLong));
        assert!(open("khet2-imhotep-eye").is_ok());
    }

    #[test]
    fn best_shots_are_listed_first_and_own_losses_last() {
        let position: Position = "10/10/10/10/4k4P2/10/10/4K5 s".parse().expect("a position");
        let moves = all_moves(&position);
        assert_eq!(moves[0].0, mv("j4+"));
        assert_eq!(moves.len(), position.legal_moves().len());
    }
}
