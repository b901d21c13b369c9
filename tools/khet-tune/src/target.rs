//! The winning chances that an evaluation is fitted to.

use khet::{Color, GameResult, Position};

use crate::training_file::TrainingPosition;

/// Slope of the winning chances: an advantage of this number of hundredths of a pyramid multiplies
/// the odds by e.
pub(crate) const CHANCE_SCALE: f64 = 220.0;

/// Returns the position that the search would evaluate, and the winning chance of its side to move.
/// The chance is the result of the game by `result_share`, and the score of the search by the rest:
/// results alone are noisy, and scores alone teach nothing new. `None` if there is no result.
///
/// The search removes the pieces of the opponent that the beam already hits, before it evaluates.
pub(crate) fn target(training: &TrainingPosition, result_share: f64) -> Option<(Position, f64)> {
    let position = &training.position;
    let side = position.side_to_move();
    let result = match (training.result, side) {
        (GameResult::SilverWins, Color::Silver) | (GameResult::RedWins, Color::Red) => 1.0,
        (GameResult::SilverWins, Color::Red) | (GameResult::RedWins, Color::Silver) => 0.0,
        (GameResult::Draw, _) => 0.5,
        (GameResult::Unknown, _) => return None,
    };
    let predicted = sigmoid(f64::from(training.score));
    let chance = result_share * result + (1.0 - result_share) * predicted;
    let aim = position.aim();
    let removed = aim.shot_squares().removed;
    if !removed.is_empty() && removed == removed & position.of_color(!side) {
        return Some((aim.after(), 1.0 - chance));
    }
    Some((*position, chance))
}

/// Converts hundredths of a pyramid to a winning chance.
pub(crate) fn sigmoid(cents: f64) -> f64 {
    1.0 / (1.0 + (-cents / CHANCE_SCALE).exp())
}

/// Returns the loss of a predicted chance.
pub(crate) fn cross_entropy(chance: f64, result: f64) -> f64 {
    let chance = chance.clamp(1e-9, 1.0 - 1e-9);
    -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
}
