//! Proves the puzzles of a file again.

use std::fmt;

use khet::Move;

use crate::generator::{MoveChances, PROOF_NODES, PuzzleAnalyst, PuzzleMargins};
use crate::{
    MateSearch, Puzzle, PuzzleTheme, PuzzleThemes, SolutionGoal, is_pharaoh_threatened, themes_of,
};

/// A search that does not confirm a move is repeated with this many times as many nodes.
const DEEPER: u64 = 4;

/// The reason why a puzzle is not one.
#[derive(Clone, PartialEq, Debug)]
pub enum PuzzleFault {
    /// The move with this number, counted from 1, does not force a hit on the pharaoh in time.
    NotForced(usize),
    /// Instead of the move with this number another one also hits the pharaoh in time.
    SecondSolution(usize, Move),
    /// The pharaoh is hit sooner with another move than that with this number.
    ShorterSolution(usize),
    /// The engine prefers another move to that with this number.
    OtherMove(usize, Move),
    /// The move with this number is not far enough ahead of the second best: the winning chances
    /// after each, from 0 to 1.
    Margin {
        /// The number of the move.
        number: usize,
        /// The chances after the move.
        best: f64,
        /// The chances after the second best.
        second: f64,
    },
    /// A puzzle with the theme `defence` whose pharaoh is not threatened.
    NoThreat,
    /// The solution has other themes than the puzzle.
    Themes(PuzzleThemes),
    /// The puzzle has no theme that is an idea of the solution.
    NoMotif,
}

impl fmt::Display for PuzzleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PuzzleFault::NotForced(number) => {
                write!(f, "move {number} does not force a hit on the pharaoh in time")
            }
            PuzzleFault::SecondSolution(number, other) => {
                write!(f, "move {number}: {other} also hits the pharaoh in time")
            }
            PuzzleFault::ShorterSolution(number) => {
                write!(f, "move {number}: the pharaoh can be hit sooner")
            }
            PuzzleFault::OtherMove(number, other) => write!(f, "move {number}: {other} is better"),
            PuzzleFault::Margin { number, best, second } => write!(
                f,
                "move {number} is not far enough ahead: winning chances {best:.2}, of the second best move {second:.2}"
            ),
            PuzzleFault::NoThreat => f.write_str("a defence, but the pharaoh is not threatened"),
            PuzzleFault::Themes(themes) => write!(f, "the themes of the solution are: {themes}"),
            PuzzleFault::NoMotif => f.write_str("no theme is an idea of the solution"),
        }
    }
}

/// Proves puzzles again: forced hits on the pharaoh exhaustively, all others with the engine.
#[derive(Debug)]
pub struct PuzzleChecker {
    analyst: PuzzleAnalyst,
    mates: MateSearch,
}

impl Default for PuzzleChecker {
    fn default() -> PuzzleChecker {
        PuzzleChecker { analyst: PuzzleAnalyst::new(), mates: MateSearch::default() }
    }
}

impl PuzzleChecker {
    /// Proves a puzzle again, and finds its themes again.
    pub fn check(&mut self, puzzle: &Puzzle) -> Result<(), PuzzleFault> {
        let goal = goal(puzzle.themes);
        if goal == SolutionGoal::Pharaoh {
            self.check_pharaoh(puzzle)?;
        } else {
            self.check_chances(puzzle, goal)?;
        }
        let themes = themes_of(&puzzle.line, goal);
        if themes != puzzle.themes {
            return Err(PuzzleFault::Themes(themes));
        }
        let has_motif = themes.iter().any(PuzzleTheme::is_motif);
        if has_motif { Ok(()) } else { Err(PuzzleFault::NoMotif) }
    }

    /// Proves that each move is the only one that hits the pharaoh in time, and that none hits it
    /// sooner.
    fn check_pharaoh(&mut self, puzzle: &Puzzle) -> Result<(), PuzzleFault> {
        let line = &puzzle.line;
        for (index, (ply, _)) in line.solver_plies().enumerate() {
            let number = 2 * index + 1;
            let moves = (line.solver_moves() - index) as u32;
            if moves > 1 && self.mates.wins(&ply.before, moves - 1) {
                return Err(PuzzleFault::ShorterSolution(number));
            }
            let winning = self.mates.winning_moves(&ply.before, moves);
            if !winning.contains(&ply.mv) {
                return Err(PuzzleFault::NotForced(number));
            }
            if let Some(&other) = winning.iter().find(|&&mv| mv != ply.mv) {
                return Err(PuzzleFault::SecondSolution(number, other));
            }
        }
        Ok(())
    }

    /// Proves with the engine that each move is far ahead of every other one.
    fn check_chances(&mut self, puzzle: &Puzzle, goal: SolutionGoal) -> Result<(), PuzzleFault> {
        if goal == SolutionGoal::Rescue && !is_pharaoh_threatened(puzzle.line.start()) {
            return Err(PuzzleFault::NoThreat);
        }
        for (index, (ply, _)) in puzzle.line.solver_plies().enumerate() {
            let mut judged = Ok(());
            for nodes in [PROOF_NODES, DEEPER * PROOF_NODES] {
                self.analyst.clear();
                let chances = self.analyst.compare(&ply.before, nodes);
                judged = judge(2 * index + 1, ply.mv, chances, goal);
                if judged.is_ok() {
                    break;
                }
            }
            judged?;
        }
        Ok(())
    }
}

/// Judges a move by the result of a search.
fn judge(
    number: usize,
    mv: Move,
    chances: Option<MoveChances>,
    goal: SolutionGoal,
) -> Result<(), PuzzleFault> {
    let Some(chances) = chances else { return Err(PuzzleFault::NotForced(number)) };
    if chances.best != mv {
        return Err(PuzzleFault::OtherMove(number, chances.best));
    }
    if PuzzleMargins::KNOWN.is_only_move(&chances, goal) {
        return Ok(());
    }
    let (best, second) = (chances.best_chances, chances.second_chances);
    Err(PuzzleFault::Margin { number, best, second })
}

/// Returns the goal that the themes of a puzzle claim.
fn goal(themes: PuzzleThemes) -> SolutionGoal {
    if themes.iter().any(|theme| theme.moves_to_pharaoh().is_some()) {
        SolutionGoal::Pharaoh
    } else if themes.contains(PuzzleTheme::Defence) {
        SolutionGoal::Rescue
    } else {
        SolutionGoal::Advantage
    }
}
