//! The settings of the training: theme and difficulty, kept in the browser's storage.

use khet_protocol::{PuzzleQuery, Rating};
use khet_puzzles::{MAX_RATING, MIN_RATING, PuzzleIndex, PuzzleTheme};

use super::progress;
use super::puzzle_set::PuzzleChoice;
use crate::browser::storage;

const KEY: &str = "khet.puzzles.training";

/// How hard puzzles are, compared with the solver's rating.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum TrainingDifficulty {
    Easiest,
    Easier,
    #[default]
    Normal,
    Harder,
    Hardest,
}

impl TrainingDifficulty {
    pub(crate) const ALL: [TrainingDifficulty; 5] = [
        TrainingDifficulty::Easiest,
        TrainingDifficulty::Easier,
        TrainingDifficulty::Normal,
        TrainingDifficulty::Harder,
        TrainingDifficulty::Hardest,
    ];

    /// Returns the name in storage and in attributes.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            TrainingDifficulty::Easiest => "easiest",
            TrainingDifficulty::Easier => "easier",
            TrainingDifficulty::Normal => "normal",
            TrainingDifficulty::Harder => "harder",
            TrainingDifficulty::Hardest => "hardest",
        }
    }

    /// Returns the difference between the puzzle's rating and the solver's.
    const fn difference(self) -> i16 {
        match self {
            TrainingDifficulty::Easiest => -500,
            TrainingDifficulty::Easier => -250,
            TrainingDifficulty::Normal => 0,
            TrainingDifficulty::Harder => 250,
            TrainingDifficulty::Hardest => 500,
        }
    }

    /// Returns the difficulty of a name.
    pub(crate) fn from_name(name: &str) -> Option<TrainingDifficulty> {
        TrainingDifficulty::ALL.into_iter().find(|difficulty| difficulty.name() == name)
    }
}

/// The settings of the training.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TrainingChoice {
    /// `None` for all themes.
    pub(crate) theme: Option<PuzzleTheme>,
    pub(crate) difficulty: TrainingDifficulty,
}

impl TrainingChoice {
    /// Returns the last choice on this device.
    pub(crate) fn load() -> TrainingChoice {
        TrainingChoice::read(&storage::load_or_empty(KEY))
    }

    /// Stores the choice.
    pub(crate) fn store(self) {
        storage::store(KEY, &self.text());
    }

    fn text(self) -> String {
        let theme = self.theme.map_or("all", PuzzleTheme::name);
        format!("{theme} {}", self.difficulty.name())
    }

    fn read(text: &str) -> TrainingChoice {
        let (theme, difficulty) = text.split_once(' ').unwrap_or_default();
        TrainingChoice {
            theme: theme.parse().ok(),
            difficulty: TrainingDifficulty::from_name(difficulty).unwrap_or_default(),
        }
    }

    /// Removes a theme that no puzzle has: a link or an earlier edition of the set may name one.
    pub(crate) fn with_known_theme(self, index: &PuzzleIndex) -> TrainingChoice {
        TrainingChoice { theme: self.theme.filter(|&theme| index.count(theme) > 0), ..self }
    }

    /// Returns the question for the server's choice of a puzzle.
    pub(crate) fn query(self) -> PuzzleQuery {
        PuzzleQuery { theme: self.theme, difference: self.difficulty.difference() }
    }

    /// Returns the puzzle to look for, for a solver with this rating in the account, or that of
    /// this device.
    pub(crate) fn puzzle_choice(self, account_rating: Option<Rating>) -> PuzzleChoice {
        let rating = account_rating.unwrap_or_else(|| progress::load().rating());
        let rating = rating.value.saturating_add_signed(self.difficulty.difference());
        PuzzleChoice { theme: self.theme, rating: rating.clamp(MIN_RATING, MAX_RATING) }
    }
}

#[cfg(test)]
mod tests {
    use khet_puzzles::{Puzzle, SlicedPuzzles, read_puzzles};

    use super::*;

    #[test]
    fn theme_without_puzzles_is_removed() {
        let text = include_str!("../../../../data/puzzles.txt");
        let puzzle: Puzzle = read_puzzles(text).next().and_then(Result::ok).expect("a puzzle");
        let sliced = SlicedPuzzles::cut(std::slice::from_ref(&puzzle), 1, "", |_| String::new());
        for theme in PuzzleTheme::ALL {
            let choice = TrainingChoice { theme: Some(theme), ..TrainingChoice::default() };
            let is_known = puzzle.themes.contains(theme);
            let expected = if is_known { choice } else { TrainingChoice::default() };
            assert_eq!(choice.with_known_theme(&sliced.index), expected);
        }
    }

    #[test]
    fn choice_is_read_as_it_was_stored() {
        for difficulty in TrainingDifficulty::ALL {
            for theme in [None, Some(PuzzleTheme::Swap)] {
                let choice = TrainingChoice { theme, difficulty };
                assert_eq!(TrainingChoice::read(&choice.text()), choice);
            }
        }
        assert_eq!(TrainingChoice::read("nonsense"), TrainingChoice::default());
    }
}
