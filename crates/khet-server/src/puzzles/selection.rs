//! Chooses the next puzzle for a solver.

use std::collections::HashMap;

use khet_protocol::PuzzleQuery;
use khet_puzzles::PuzzleId;

use super::published_puzzles::{NamedPuzzle, PublishedPuzzles};

/// Number of puzzles of which chance chooses one, so that solvers of the same rating see different
/// ones.
const CHOICE: usize = 10;

/// A puzzle that may be chosen.
struct RankedPuzzle<'a> {
    named: &'a NamedPuzzle,
    /// Difference between its rating and the wanted one.
    distance: u32,
    /// Time of the solver's last attempt.
    tried: Option<u64>,
}

/// Returns a puzzle near a rating that the solver has not tried. If all are tried, it is one whose
/// last attempt is long ago. `None` if no puzzle has the theme.
///
/// `ratings` has the ratings of the puzzles that accounts have tried, `tried` the times of the
/// solver's last attempts.
pub(super) fn next_puzzle<'a>(
    set: &'a PublishedPuzzles,
    query: PuzzleQuery,
    solver: u16,
    ratings: &HashMap<PuzzleId, f64>,
    tried: &HashMap<PuzzleId, u64>,
    random: u128,
) -> Option<&'a NamedPuzzle> {
    let wanted = i32::from(solver) + i32::from(query.difference);
    let has_theme =
        |named: &&NamedPuzzle| query.theme.is_none_or(|theme| named.puzzle.themes.contains(theme));
    let candidate = |named: &'a NamedPuzzle| {
        let rating = ratings.get(&named.id).copied().unwrap_or(named.puzzle.rating.into());
        let distance = (rating.round() as i32).abs_diff(wanted);
        RankedPuzzle { named, distance, tried: tried.get(&named.id).copied() }
    };
    let mut candidates: Vec<RankedPuzzle<'a>> =
        set.puzzles().iter().filter(has_theme).map(candidate).collect();
    // Untried ones come first, the nearest before all others; then those that were tried longest ago.
    candidates.sort_by_key(|one| (one.tried, one.distance, one.named.id));
    let untried = candidates.iter().filter(|one| one.tried.is_none()).count();
    // At most half of the tried ones, so that the last puzzle does not come again at once.
    let available = if untried > 0 { untried } else { candidates.len().div_ceil(2) };
    candidates.truncate(available.min(CHOICE));
    let index = random.checked_rem(candidates.len() as u128)?;
    candidates.get(index as usize).map(|one| one.named)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use khet_protocol::PuzzleQuery;
    use khet_puzzles::PuzzleTheme;

    use super::{CHOICE, next_puzzle};
    use crate::puzzles::published_puzzles::{NamedPuzzle, PublishedPuzzles};

    const ANY: PuzzleQuery = PuzzleQuery { theme: None, difference: 0 };

    /// Returns the ratings of all puzzles that chance can choose.
    fn choices(query: PuzzleQuery, solver: u16) -> Vec<&'static NamedPuzzle> {
        let (set, none) = (PublishedPuzzles::get(), HashMap::new());
        let choose =
            |random| next_puzzle(set, query, solver, &HashMap::new(), &none, random).unwrap();
        (0..CHOICE as u128).map(choose).collect()
    }

    #[test]
    fn puzzles_are_near_the_wanted_rating() {
        for (solver, difference, wanted) in
            [(1500, 0, 1500_u16), (1200, 200, 1400), (1600, -600, 1000)]
        {
            for named in choices(PuzzleQuery { difference, ..ANY }, solver) {
                let distance = named.puzzle.rating.abs_diff(wanted);
                assert!(distance < 50, "{wanted}: {}", named.puzzle.rating);
            }
        }
        // Beyond all puzzles, the hardest ones are nearest.
        assert_eq!(choices(ANY, 4000).len(), CHOICE);
    }

    #[test]
    fn puzzles_have_the_theme() {
        for theme in [PuzzleTheme::Swap, PuzzleTheme::Defence] {
            let query = PuzzleQuery { theme: Some(theme), ..ANY };
            assert!(choices(query, 1500).iter().all(|named| named.puzzle.themes.contains(theme)));
        }
    }

    #[test]
    fn ratings_by_play_replace_the_estimates() {
        let set = PublishedPuzzles::get();
        let far = set.puzzles().iter().max_by_key(|named| named.puzzle.rating).unwrap();
        let ratings = HashMap::from([(far.id, 100.0)]);
        let found = (0..CHOICE as u128)
            .filter_map(|random| next_puzzle(set, ANY, 100, &ratings, &HashMap::new(), random));
        assert!(found.into_iter().any(|named| named.id == far.id));
    }

    #[test]
    fn tried_puzzles_come_again_after_all_others() {
        let set = PublishedPuzzles::get();
        let query = PuzzleQuery { theme: Some(PuzzleTheme::Swap), ..ANY };
        let mut tried = HashMap::new();
        let mut last = None;
        let count = set.puzzles().iter();
        let count = count.filter(|named| named.puzzle.themes.contains(PuzzleTheme::Swap)).count();
        for time in 0..3 * count as u64 {
            let random = u128::from(time) * 7919;
            let named = next_puzzle(set, query, 1500, &HashMap::new(), &tried, random).unwrap();
            assert_ne!(last, Some(named.id));
            let before = tried.insert(named.id, time);
            assert_eq!(before.is_none(), time < count as u64);
            last = Some(named.id);
        }
    }
}
