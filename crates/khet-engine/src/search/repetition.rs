//! Repetitions in terms of the draw rule.

/// A node's repetition status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repetition {
    /// The side to move can't claim a draw.
    None,
    /// The position has occurred in the game so often that the side to move may claim a draw: its
    /// value is at least a draw.
    Claim,
    /// The position has occurred before. Scored as a draw at once, because both sides can repeat it
    /// again.
    Draw,
}

impl Repetition {
    /// Returns the status of the last of the arrangement keys. The first `game_length` of them
    /// belong to the game, the others to the path from the root. Only a repetition on the path is a
    /// draw at once.
    pub(crate) fn of_last(keys: &[u64], game_length: usize, draw_claim_at: usize) -> Repetition {
        let Some((key, before)) = keys.split_last() else { return Repetition::None };
        let (game, path) = before.split_at(game_length.min(before.len()));
        if path.contains(key) {
            return Repetition::Draw;
        }
        let occurrences = 1 + game.iter().filter(|&other| other == key).count();
        if occurrences >= draw_claim_at { Repetition::Claim } else { Repetition::None }
    }
}
