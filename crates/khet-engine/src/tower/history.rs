//! History heuristic: scores of quiet moves by how often they caused beta cutoffs.

use khet::Color;

use super::packed::PACKED_MOVES;
use crate::packed::PackedMove;

/// Bound of the absolute value of a history score.
const MAX_SCORE: i32 = 16_384;
/// Bonus per ply of depth for a quiet move that causes a beta cutoff.
const BONUS: i32 = 120;
/// Limit of the bonus.
const MAX_BONUS: i32 = 1_600;

/// Scores by side and packed move.
pub(super) struct History(Vec<[i32; PACKED_MOVES]>);

impl History {
    pub(super) fn new() -> History {
        History(vec![[0; PACKED_MOVES]; Color::ALL.len()])
    }

    pub(super) fn get(&self, side: Color, mv: PackedMove) -> i32 {
        self.0[side as usize][usize::from(mv.bits())]
    }

    /// Rewards the quiet move that caused a beta cutoff and penalizes the quiet moves tried before.
    pub(super) fn reward(
        &mut self,
        side: Color,
        best: PackedMove,
        tried: &[PackedMove],
        depth: i32,
    ) {
        let bonus = (BONUS * depth).min(MAX_BONUS);
        self.update(side, best, bonus);
        for &mv in tried {
            self.update(side, mv, -bonus);
        }
    }

    /// Adds a bonus with "gravity": the closer the score is to the limit, the less it changes.
    fn update(&mut self, side: Color, mv: PackedMove, bonus: i32) {
        let score = &mut self.0[side as usize][usize::from(mv.bits())];
        *score += bonus - *score * bonus.abs() / MAX_SCORE;
    }
}
