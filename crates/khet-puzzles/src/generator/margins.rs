//! How far the best move must be ahead of every other one, in winning chances from 0 to 1.
//!
//! In a review, a move that loses 0.16 is a blunder (`??`). The margin of a new puzzle is wider:
//! every move but one would be worse than that.

use crate::SolutionGoal;
use crate::generator::MoveChances;

/// The limits that tell a puzzle from a position with several good moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PuzzleMargins {
    /// For moves that win, or get a clear advantage.
    win: GoalMargins,
    /// For moves that save the pharaoh.
    rescue: GoalMargins,
}

/// The limits for one goal.
#[derive(Clone, Copy, Debug)]
struct GoalMargins {
    /// The least winning chances after the best move.
    best: f64,
    /// The most winning chances after any other move.
    second: f64,
    /// The least difference between the two.
    margin: f64,
}

impl PuzzleMargins {
    /// For the first, short search of a position, which misses much.
    pub(crate) const FIRST_LOOK: PuzzleMargins = PuzzleMargins {
        win: GoalMargins { best: 0.57, second: 0.6, margin: 0.1 },
        rescue: GoalMargins { best: 0.15, second: 0.3, margin: 0.08 },
    };
    /// For new puzzles.
    pub(crate) const NEW: PuzzleMargins = PuzzleMargins {
        win: GoalMargins { best: 0.63, second: 0.5, margin: 0.18 },
        rescue: GoalMargins { best: 0.22, second: 0.1, margin: 0.2 },
    };
    /// For puzzles that are proved again. Wider, so that a small change of the engine does not
    /// unsettle a puzzle that was clear when it was found; but every other move is still a blunder.
    pub(crate) const KNOWN: PuzzleMargins = PuzzleMargins {
        win: GoalMargins { best: 0.6, second: 0.55, margin: 0.16 },
        rescue: GoalMargins { best: 0.18, second: 0.14, margin: 0.16 },
    };

    /// Returns whether the best move is the only good one, for a goal.
    pub(crate) fn is_only_move(self, chances: &MoveChances, goal: SolutionGoal) -> bool {
        let MoveChances { best_chances: best, second_chances: second, .. } = *chances;
        let limits = match goal {
            SolutionGoal::Pharaoh | SolutionGoal::Advantage => self.win,
            SolutionGoal::Rescue => self.rescue,
        };
        best >= limits.best && second <= limits.second && best - second >= limits.margin
    }

    /// Returns the goal of a position whose best move is the only good one: a rescue if the
    /// opponent threatens the pharaoh and all other moves lose.
    pub(crate) fn goal(self, chances: &MoveChances, is_threatened: bool) -> Option<SolutionGoal> {
        if is_threatened && self.is_only_move(chances, SolutionGoal::Rescue) {
            Some(SolutionGoal::Rescue)
        } else if self.is_only_move(chances, SolutionGoal::Advantage) {
            Some(SolutionGoal::Advantage)
        } else {
            None
        }
    }
}
