//! Puzzles, attempts at them, and a solver's dashboard.
//!
//! Positions and moves are in notation. `khet-puzzles` replays a solution and has the themes.

use khet_puzzles::{PuzzleId, PuzzleTheme};
use serde::{Deserialize, Serialize};

use crate::{Rating, RatingChange, RatingPoint};

/// A puzzle: `GET /api/puzzles/daily`, `GET /api/puzzles/next`, `GET /api/puzzles/{id}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleInfo {
    /// The name of the puzzle.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "rk4mDs"))]
    pub id: PuzzleId,
    /// The start; the side to move solves the puzzle.
    pub position: String,
    /// The solution: the solver's moves, with the opponent's replies between them, separated by spaces.
    pub moves: String,
    /// Its themes.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>, example = json!(["swap"])))]
    pub themes: Vec<PuzzleTheme>,
    /// Its rating.
    pub rating: Rating,
    /// Number of attempts by accounts.
    pub attempts: u32,
    /// Number of people who recommend it.
    pub upvotes: u32,
    /// Number of people who advise against it.
    pub downvotes: u32,
    /// The vote of the account that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_vote: Option<PuzzleVote>,
}

/// What `GET /api/puzzles/next` may be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(default, deny_unknown_fields)]
pub struct PuzzleQuery {
    /// Only puzzles with this theme.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "swap"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<PuzzleTheme>,
    /// The wanted difference between the puzzle's rating and one's own, −600 to 600.
    #[cfg_attr(feature = "openapi", param(required = false, example = 100))]
    pub difference: i16,
}

impl PuzzleQuery {
    /// The largest difference between the puzzle's rating and one's own, in either direction.
    pub const MAX_DIFFERENCE: i16 = 600;
}

/// An attempt at a puzzle: `POST /api/puzzles/{id}/attempt`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleAttempt {
    /// The solver's own moves, separated by spaces, up to the first wrong one. The server compares
    /// them with the solution: the attempt is solved if none is wrong and none is missing.
    pub moves: String,
    /// Whether a hint was used or the solution shown. Such an attempt is not solved.
    #[serde(default)]
    pub helped: bool,
}

/// The result of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleAttemptResult {
    /// Whether the attempt solved the puzzle.
    pub solved: bool,
    /// How the solver's rating changed. Only the first attempt at a puzzle is rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingChange>,
    /// The puzzle's rating after the attempt.
    pub puzzle: Rating,
}

/// An opinion about a puzzle: `PUT /api/puzzles/{id}/vote`, whose body is this as a JSON text, or
/// `DELETE` for no opinion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleVote {
    /// Recommended.
    Up,
    /// Advised against.
    Down,
}

/// The kind of a series of puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleRunKind {
    /// As many puzzles as possible in three minutes.
    Storm,
    /// Until the first wrong move.
    Streak,
}

/// A finished series of puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleRun {
    /// The kind.
    pub kind: PuzzleRunKind,
    /// When it ended, in milliseconds since 1970.
    pub at: u64,
    /// Number of solved puzzles.
    pub score: u16,
}

/// An attempt that a guest made on this device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeviceAttempt {
    /// The puzzle.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "rk4mDs"))]
    pub puzzle: PuzzleId,
    /// When it ended, in milliseconds since 1970.
    pub at: u64,
    /// Whether the puzzle was solved.
    pub solved: bool,
}

/// The progress of a device, added to the account: `POST /api/me/puzzles`. The server keeps the
/// first attempt at each puzzle and the best score of each kind of series, so it does not matter how
/// often something is sent. Attempts made as a guest never change a rating.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct DevicePuzzles {
    /// Attempts, at most 200 in one request.
    pub attempts: Vec<DeviceAttempt>,
    /// Finished series, at most 50 in one request.
    pub runs: Vec<PuzzleRun>,
}

impl DevicePuzzles {
    /// The largest number of attempts in one request.
    pub const MAX_ATTEMPTS: usize = 200;
    /// The largest number of finished series in one request.
    pub const MAX_RUNS: usize = 50;
}

/// One's own puzzles: `GET /api/me/puzzles`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleDashboard {
    /// The rating as a solver.
    pub rating: Rating,
    /// Number of puzzles that were tried.
    pub attempts: u32,
    /// Number of puzzles that were solved in the first attempt.
    pub solved: u32,
    /// Most puzzles solved in a storm.
    pub best_storm: u16,
    /// Most puzzles solved in a streak.
    pub best_streak: u16,
    /// Results by theme, only of themes that were tried.
    pub themes: Vec<ThemeScore>,
    /// A point for each rated attempt of the last 90 days, the oldest first.
    pub points: Vec<RatingPoint>,
    /// The days of the last 90 on which puzzles were tried, the oldest first.
    #[serde(default)]
    pub days: Vec<PuzzleDay>,
    /// The last 50 attempts, the newest first. Only the first attempt at each puzzle counts.
    pub history: Vec<PuzzleHistoryEntry>,
}

impl PuzzleDashboard {
    /// The number of puzzles of a theme from which on its performance is known.
    pub const MIN_ATTEMPTS_FOR_PERFORMANCE: u32 = 10;
    /// A theme is weak if its performance is this much below the rating.
    const WEAKNESS: u16 = 75;

    /// Returns the themes in which the solver is clearly weaker than elsewhere, the weakest first.
    pub fn weak_themes(&self) -> Vec<ThemeScore> {
        let limit = self.rating.value.saturating_sub(PuzzleDashboard::WEAKNESS);
        let is_weak = |score: &&ThemeScore| score.performance.is_some_and(|value| value <= limit);
        let mut weak: Vec<ThemeScore> = self.themes.iter().filter(is_weak).copied().collect();
        weak.sort_by_key(|score| score.performance);
        weak
    }
}

/// The puzzles of one day, in UTC.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleDay {
    /// Number of days since 1 January 1970.
    pub day: u32,
    /// Number of puzzles that were tried for the first time.
    pub attempts: u32,
    /// Number of those that were solved.
    pub solved: u32,
}

/// The results in puzzles of one theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ThemeScore {
    /// The theme.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "swap"))]
    pub theme: PuzzleTheme,
    /// Number of puzzles that were tried.
    pub attempts: u32,
    /// Number of puzzles that were solved in the first attempt.
    pub solved: u32,
    /// The rating at which a solver has these results, if enough puzzles were tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub performance: Option<u16>,
}

/// A past attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleHistoryEntry {
    /// The puzzle.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "rk4mDs"))]
    pub puzzle: PuzzleId,
    /// When it ended, in milliseconds since 1970.
    pub at: u64,
    /// Whether the puzzle was solved.
    pub solved: bool,
    /// How the solver's rating changed, if the attempt was rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingChange>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_themes_are_far_below_the_rating() {
        let score = |theme, performance| ThemeScore { theme, attempts: 20, solved: 9, performance };
        let dashboard = PuzzleDashboard {
            rating: Rating { value: 1500, deviation: 80 },
            attempts: 80,
            solved: 40,
            best_storm: 0,
            best_streak: 0,
            themes: vec![
                score(PuzzleTheme::Swap, Some(1425)),
                score(PuzzleTheme::Defence, Some(1200)),
                score(PuzzleTheme::Sacrifice, Some(1426)),
                score(PuzzleTheme::LongBeam, None),
            ],
            points: Vec::new(),
            days: Vec::new(),
            history: Vec::new(),
        };
        let weak = dashboard.weak_themes().into_iter().map(|score| score.theme);
        assert!(weak.eq([PuzzleTheme::Defence, PuzzleTheme::Swap]));
    }
}
