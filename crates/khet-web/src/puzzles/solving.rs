//! A puzzle that is being solved: the moves on the board, and what is right.

use khet::Color;
use khet_puzzles::{MoveJudgement, Puzzle};

use crate::board::{Hint, HintKind, Scene, SceneShot};

/// The stage of a puzzle on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SolvingStage {
    /// The solver is to move.
    SolverToMove,
    /// The opponent's reply follows the right move.
    ReplyFollows,
    /// A wrong move was played, and its refutation follows.
    WrongMove,
    /// The refutation was played; both moves are taken back next.
    Refuted,
    /// The solution is being shown.
    ShowingSolution,
    /// The solution is on the board.
    Done,
}

impl SolvingStage {
    /// Returns the name in attributes, for tests and style sheets.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            SolvingStage::SolverToMove => "solver",
            SolvingStage::ReplyFollows => "reply",
            SolvingStage::WrongMove => "wrong",
            SolvingStage::Refuted => "refuted",
            SolvingStage::ShowingSolution => "showing",
            SolvingStage::Done => "done",
        }
    }
}

/// The help that the solver has had.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PuzzleHelp {
    /// Nothing.
    Nothing,
    /// The piece that moves next.
    Piece,
    /// The next move.
    NextMove,
    /// The solution.
    Solution,
}

/// A puzzle and the moves played on its board.
#[derive(Clone, Debug)]
pub(crate) struct Solving {
    puzzle: Puzzle,
    position: khet::Position,
    /// The number of moves of the solution on the board.
    plies: usize,
    stage: SolvingStage,
    /// The last move and its shot.
    last: Option<(khet::Move, SceneShot)>,
    /// The number of the last shot. It never starts again, so that each shot is animated.
    shot_number: u32,
    /// The solver's moves, up to the first wrong one.
    moves: Vec<khet::Move>,
    has_erred: bool,
    /// The most that the solver was told.
    help: PuzzleHelp,
    /// The hint on the board, which the next move removes.
    hint: PuzzleHelp,
}

impl Solving {
    /// Returns a puzzle at its start. Its shots are numbered after `shot_number`.
    pub(crate) fn new(puzzle: Puzzle, shot_number: u32) -> Solving {
        Solving {
            position: *puzzle.line.start(),
            puzzle,
            plies: 0,
            stage: SolvingStage::SolverToMove,
            last: None,
            shot_number,
            moves: Vec::new(),
            has_erred: false,
            help: PuzzleHelp::Nothing,
            hint: PuzzleHelp::Nothing,
        }
    }

    pub(crate) fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    pub(crate) fn stage(&self) -> SolvingStage {
        self.stage
    }

    pub(crate) fn shot_number(&self) -> u32 {
        self.shot_number
    }

    /// Returns the side that solves the puzzle.
    pub(crate) fn solver(&self) -> Color {
        self.puzzle.line.solver()
    }

    pub(crate) fn position(&self) -> &khet::Position {
        &self.position
    }

    /// Returns the last move and its shot.
    pub(crate) fn last(&self) -> Option<&(khet::Move, SceneShot)> {
        self.last.as_ref()
    }

    /// Returns the solver's moves in notation, up to the first wrong one.
    pub(crate) fn moves_text(&self) -> String {
        self.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Returns whether the solver was told anything.
    pub(crate) fn is_helped(&self) -> bool {
        self.help > PuzzleHelp::Nothing
    }

    /// Returns whether the puzzle was solved without help and error, once that is known.
    pub(crate) fn result(&self) -> Option<bool> {
        if self.has_erred || self.is_helped() {
            return Some(false);
        }
        (self.stage == SolvingStage::Done).then_some(true)
    }

    /// Plays a move of the solver, and judges it; `None` if it is not the solver's turn.
    pub(crate) fn play(&mut self, mv: khet::Move) -> Option<MoveJudgement> {
        if self.stage != SolvingStage::SolverToMove {
            return None;
        }
        let mv = self.position.check(mv).ok()?;
        let judgement = self.puzzle.judge(self.plies, mv);
        if !self.has_erred {
            self.moves.push(mv);
        }
        self.make(mv);
        self.stage = match judgement {
            MoveJudgement::Right => SolvingStage::ReplyFollows,
            MoveJudgement::Solves => SolvingStage::Done,
            MoveJudgement::Wrong => SolvingStage::WrongMove,
        };
        match judgement {
            MoveJudgement::Wrong => self.has_erred = true,
            _ => self.plies += 1,
        }
        Some(judgement)
    }

    /// Makes a legal move on the board.
    fn make(&mut self, mv: khet::Move) {
        let before = self.position;
        let Ok(shot) = self.position.play(mv) else { return };
        self.shot_number += 1;
        let before_shot = before.before_shot(mv).into();
        let shot = SceneShot { number: self.shot_number, before_shot, shot: shot.into() };
        self.last = Some((mv, shot));
        self.hint = PuzzleHelp::Nothing;
    }

    /// Plays the opponent's reply of the solution.
    pub(crate) fn reply(&mut self) {
        if self.stage == SolvingStage::ReplyFollows
            && let Some(mv) = self.next_move()
        {
            self.make(mv);
            self.plies += 1;
            self.stage = SolvingStage::SolverToMove;
        }
    }

    /// Plays the opponent's best reply to a wrong move.
    pub(crate) fn refute(&mut self, mv: khet::Move) {
        if self.stage == SolvingStage::WrongMove && self.position.check(mv).is_ok() {
            self.make(mv);
            self.stage = SolvingStage::Refuted;
        }
    }

    /// Takes the wrong move and its refutation back.
    pub(crate) fn take_back(&mut self) {
        if matches!(self.stage, SolvingStage::WrongMove | SolvingStage::Refuted) {
            self.position = self.solution_position();
            self.last = None;
            self.stage = SolvingStage::SolverToMove;
        }
    }

    /// Returns the position after the moves of the solution that were played.
    fn solution_position(&self) -> khet::Position {
        match self.plies {
            0 => *self.puzzle.line.start(),
            plies => self.puzzle.line.plies()[plies - 1].after,
        }
    }

    /// Returns the next move of the solution.
    pub(crate) fn next_move(&self) -> Option<khet::Move> {
        self.puzzle.line.plies().get(self.plies).map(|ply| ply.mv)
    }

    /// Tells the solver the piece that moves, then the move.
    pub(crate) fn give_hint(&mut self) {
        if self.stage == SolvingStage::SolverToMove {
            self.hint = match self.hint {
                PuzzleHelp::Nothing => PuzzleHelp::Piece,
                _ => PuzzleHelp::NextMove,
            };
            self.help = self.help.max(self.hint);
        }
    }

    /// Returns the square of the piece that a hint names.
    pub(crate) fn hinted_square(&self) -> Option<khet::Square> {
        let mv = self.next_move().filter(|_| self.hint == PuzzleHelp::Piece)?;
        mv.squares().map(|[from, _]| from)
    }

    /// Starts to show the rest of the solution, which may begin with the opponent's reply.
    pub(crate) fn show_solution(&mut self) {
        self.take_back();
        if self.stage != SolvingStage::Done {
            self.help = PuzzleHelp::Solution;
            self.stage = SolvingStage::ShowingSolution;
        }
    }

    /// Plays the next move of the solution that is being shown.
    pub(crate) fn show_next_move(&mut self) {
        if self.stage == SolvingStage::ShowingSolution
            && let Some(mv) = self.next_move()
        {
            self.make(mv);
            self.plies += 1;
            if self.next_move().is_none() {
                self.stage = SolvingStage::Done;
            }
        }
    }

    /// Returns the scene on the board.
    pub(crate) fn scene(&self) -> Scene {
        let mut scene = Scene::of(self.position.into());
        scene.bottom = self.solver();
        scene.you = Some(self.solver());
        if self.stage == SolvingStage::SolverToMove {
            scene.moves = self.position.legal_moves().iter().map(|&mv| mv.into()).collect();
        }
        if let Some((mv, shot)) = &self.last {
            scene.last = Some((*mv).into());
            scene.shot = Some(shot.clone());
        }
        if self.hint == PuzzleHelp::NextMove
            && let Some(mv) = self.next_move()
        {
            scene.hints = vec![Hint { mv: mv.into(), kind: HintKind::Best }];
        }
        scene
    }
}

#[cfg(test)]
mod tests {
    use khet_puzzles::read_puzzle;

    use super::*;

    const IN_TWO: &str =
        "4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s\te1d1 b4+ j8+\tpharaoh-in-two\t900\tgames:1:2";

    fn solving() -> Solving {
        Solving::new(read_puzzle(IN_TWO).expect("a puzzle"), 0)
    }

    fn play(solving: &mut Solving, mv: &str) -> Option<MoveJudgement> {
        solving.play(mv.parse().expect("a move"))
    }

    #[test]
    fn right_moves_are_answered_until_the_puzzle_is_solved() {
        let mut solving = solving();
        assert_eq!(play(&mut solving, "e1d1"), Some(MoveJudgement::Right));
        assert_eq!(play(&mut solving, "j8+"), None, "the reply follows");
        solving.reply();
        assert_eq!(solving.stage(), SolvingStage::SolverToMove);
        assert_eq!(solving.last().map(|(mv, _)| mv.to_string()).as_deref(), Some("b4+"));
        assert_eq!(solving.result(), None);
        assert_eq!(play(&mut solving, "j8+"), Some(MoveJudgement::Solves));
        assert_eq!(solving.result(), Some(true));
        assert_eq!(solving.moves_text(), "e1d1 j8+");
        assert!(solving.scene().moves.is_empty());
    }

    #[test]
    fn another_move_that_wins_at_once_solves_the_puzzle() {
        let mut solving = solving();
        assert_eq!(play(&mut solving, "j8+"), Some(MoveJudgement::Solves));
        assert_eq!(solving.result(), Some(true));
    }

    #[test]
    fn wrong_move_is_refuted_and_taken_back() {
        let mut solving = solving();
        assert_eq!(play(&mut solving, "e1f1"), Some(MoveJudgement::Wrong));
        assert_eq!(solving.result(), Some(false));
        solving.refute("b4+".parse().expect("a move"));
        assert_eq!(solving.stage(), SolvingStage::Refuted);
        solving.take_back();
        assert_eq!(solving.position(), solving.puzzle().line.start());
        assert!(solving.scene().shot.is_none());
        assert_eq!(play(&mut solving, "e1d1"), Some(MoveJudgement::Right));
        assert_eq!(solving.moves_text(), "e1f1", "only up to the first wrong move");
        solving.reply();
        play(&mut solving, "j8+");
        assert_eq!(solving.result(), Some(false));
    }

    #[test]
    fn hints_name_the_piece_and_then_the_move() {
        let mut solving = solving();
        assert_eq!(solving.hinted_square(), None);
        solving.give_hint();
        assert_eq!(solving.hinted_square(), Some(khet::Square::E1));
        assert!(solving.scene().hints.is_empty());
        solving.give_hint();
        assert_eq!(solving.hinted_square(), None);
        assert_eq!(solving.scene().hints.len(), 1);
        assert_eq!(solving.result(), Some(false));
        play(&mut solving, "e1d1");
        assert!(solving.scene().hints.is_empty());
    }

    #[test]
    fn solution_goes_on_with_the_reply_that_was_about_to_follow() {
        let mut solving = solving();
        play(&mut solving, "e1d1");
        solving.show_solution();
        assert_eq!(solving.stage(), SolvingStage::ShowingSolution);
        assert_eq!(solving.result(), Some(false));
        solving.show_next_move();
        assert_eq!(solving.last().map(|(mv, _)| mv.to_string()).as_deref(), Some("b4+"));
        solving.show_next_move();
        assert_eq!(solving.stage(), SolvingStage::Done);
    }

    #[test]
    fn solution_is_not_shown_after_the_puzzle_was_solved() {
        let mut solving = solving();
        play(&mut solving, "j8+");
        solving.show_solution();
        assert_eq!((solving.stage(), solving.result()), (SolvingStage::Done, Some(true)));
    }

    #[test]
    fn solution_is_shown_to_its_end() {
        let mut solving = solving();
        play(&mut solving, "e1f1");
        solving.show_solution();
        for _ in 0..3 {
            assert_eq!(solving.stage(), SolvingStage::ShowingSolution);
            solving.show_next_move();
        }
        assert_eq!(solving.stage(), SolvingStage::Done);
        assert_eq!(solving.result(), Some(false));
        assert_eq!(solving.position(), solving.puzzle().line.end());
    }
}
