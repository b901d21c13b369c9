//! How far the best move must be ahead of every other one, in winning chances from 0 to 1.

use crate::SolutionGoal;
use crate::generator::MoveChances;

/// The limits that tell a puzzle from a position with several good moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PuzzleMargins {
    /// The least winning chances after the best move, if it wins.
    winning: f64,
    /// The most winning chances after any other move, if the best one wins.
    not_winning: f64,
    /// The least winning chances after the best move, if it saves the game.
    holding: f64,
    /// The most winning chances after any other move, if the best one saves the game.
    losing: f64,
}

impl PuzzleMargins {
    /// For the first, short search of a position, which misses much.
    pub(crate) const FIRST_LOOK: PuzzleMargins =
        PuzzleMargins { winning: 0.75, not_winning: 0.65, holding: 0.3, losing: 0.15 };
    /// For new puzzles.
    pub(crate) const NEW: PuzzleMargins =
        PuzzleMargins { winning: 0.85, not_winning: 0.55, holding: 0.38, losing: 0.07 };
    /// For puzzles that are proved again. Wider, so that a small change of the engine does not
    /// unsettle a puzzle that was clear when it was found.
    pub(crate) const KNOWN: PuzzleMargins =
        PuzzleMargins { winning: 0.78, not_winning: 0.62, holding: 0.3, losing: 0.13 };

    /// Returns whether only the best move wins.
    pub(crate) fn is_only_win(self, chances: &MoveChances) -> bool {
        chances.best_chances >= self.winning && chances.second_chances <= self.not_winning
    }

    /// Returns whether every move but the best one loses.
    pub(crate) fn is_only_rescue(self, chances: &MoveChances) -> bool {
        chances.best_chances >= self.holding && chances.second_chances <= self.losing
    }

    /// Returns whether the best move is the only good one, for a goal.
    pub(crate) fn is_only_move(self, chances: &MoveChances, goal: SolutionGoal) -> bool {
        match goal {
            SolutionGoal::Pharaoh | SolutionGoal::Advantage => self.is_only_win(chances),
            SolutionGoal::Rescue => self.is_only_rescue(chances),
        }
    }

    /// Returns the goal of a position whose best move is the only good one: a rescue if the
    /// opponent threatens the pharaoh and all other moves lose.
    pub(crate) fn goal(self, chances: &MoveChances, is_threatened: bool) -> Option<SolutionGoal> {
        if is_threatened && self.is_only_rescue(chances) {
            Some(SolutionGoal::Rescue)
        } else if self.is_only_win(chances) {
            Some(SolutionGoal::Advantage)
        } else {
            None
        }
    }
}
