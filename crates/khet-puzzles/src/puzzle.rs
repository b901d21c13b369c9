//! A puzzle: a position, its solution, and what is known about it.

use crate::{PuzzleId, PuzzleSource, PuzzleThemes, SolutionLine};

/// The lowest rating with which a puzzle starts.
pub const MIN_RATING: u16 = 600;
/// The highest rating with which a puzzle starts.
pub const MAX_RATING: u16 = 2600;

/// A position with one clearly best move, and the line that follows from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The start position and the solution. The side to move solves the puzzle.
    pub line: SolutionLine,
    /// Its themes, at least one.
    pub themes: PuzzleThemes,
    /// The rating with which it starts, on the scale of Glicko, from [`MIN_RATING`] to
    /// [`MAX_RATING`]: an estimate by the engine's levels.
    pub rating: u16,
    /// The game that it comes from.
    pub source: PuzzleSource,
}

impl Puzzle {
    /// Returns the identity of the puzzle, which depends only on its start position.
    pub fn id(&self) -> PuzzleId {
        PuzzleId::of(self.line.start())
    }
}
