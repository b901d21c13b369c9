//! Turns games into the explorer's counts: one row per position, move and class.

use khet::{AnyPosition, Color, GamePosition, Move, Rules, tower};
use khet_protocol::{RatingBand, SpeedClass};

use crate::storage::ExplorerCount;

/// Number of plies of a game that are counted. Later positions hardly ever occur in two games, and
/// each costs disk space.
pub(crate) const MAX_PLIES: usize = 60;

/// An arbitrary constant that separates positions under the Czech rules. Stored keys depend on it.
const CZECH_KEY: u64 = 0x6373_6b79_9e37_79b9;

/// Returns the explorer's key of a position: a hash of pieces, tower, side to move and rules. It is
/// the same on every machine.
pub(crate) fn position_key(position: &AnyPosition) -> i64 {
    let rules = match position.rules() {
        Rules::Standard => 0,
        Rules::Czech => CZECH_KEY,
    };
    (position.key() ^ rules).cast_signed()
}

/// The band of ratings and the speed of a game, by which counts can be filtered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct GameClass(u8);

impl GameClass {
    pub(crate) fn new(band: RatingBand, speed: SpeedClass) -> GameClass {
        let speed_index = SpeedClass::ALL.iter().position(|&known| known == speed).unwrap_or(0);
        GameClass((band as usize * SpeedClass::ALL.len() + speed_index) as u8)
    }

    /// Returns the number by which it is stored.
    pub(crate) fn number(self) -> u8 {
        self.0
    }
}

/// The data of a finished game that the explorer counts. The moves are legal.
#[derive(Clone, Debug)]
pub(crate) struct PlayedGame {
    pub(crate) start: AnyPosition,
    pub(crate) moves: Vec<Move<tower::Square>>,
    pub(crate) class: GameClass,
    pub(crate) winner: Option<Color>,
}

/// A move played from a position in one game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Visit {
    position: i64,
    mv: u16,
    class: GameClass,
    game: u32,
    winner: Option<Color>,
}

impl Visit {
    fn row_key(&self) -> (i64, u16, GameClass) {
        (self.position, self.mv, self.class)
    }
}

/// The visits of many games, in little memory.
#[derive(Debug, Default)]
pub(crate) struct Visits(Vec<Visit>);

impl Visits {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a game by its number. A repeated position counts once, with the move played first, so
    /// that the counts are numbers of games.
    pub(crate) fn add(&mut self, number: u64, game: &PlayedGame) {
        let first = self.0.len();
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let mut position = game.start;
        for &mv in game.moves.iter().take(MAX_PLIES) {
            let key = position_key(&position);
            let Some(bits) = position.move_to_bits(mv) else { return };
            if !self.0[first..].iter().any(|visit| visit.position == key) {
                self.0.push(Visit {
                    position: key,
                    mv: bits,
                    class: game.class,
                    game: number,
                    winner: game.winner,
                });
            }
            position.play_unchecked(mv);
        }
    }

    /// Returns the counts in the order of the table's key, so that each page of the database is
    /// touched once.
    pub(crate) fn into_counts(self) -> impl Iterator<Item = ExplorerCount> + Send + 'static {
        let Visits(mut visits) = self;
        visits.sort_unstable();
        let mut start = 0;
        std::iter::from_fn(move || {
            let rest = &visits[start..];
            let first = rest.first()?;
            let length = rest.iter().take_while(|visit| visit.row_key() == first.row_key()).count();
            start += length;
            Some(count(&rest[..length]))
        })
    }
}

/// Counts visits of the same position, move and class. There must be at least one.
fn count(visits: &[Visit]) -> ExplorerCount {
    let Visit { position, mv, class, .. } = visits[0];
    let wins = |winner| visits.iter().filter(|visit| visit.winner == winner).count() as u32;
    ExplorerCount {
        position,
        mv,
        class: class.number(),
        silver: wins(Some(Color::Silver)),
        draws: wins(None),
        red: wins(Some(Color::Red)),
        last_game: visits.iter().map(|visit| visit.game).max().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use khet::{AnyPosition, Color, GamePosition, Move, Rules, Setup};
    use khet_protocol::{RatingBand, Speed, SpeedClass};

    use super::{GameClass, MAX_PLIES, PlayedGame, Visit, Visits, position_key};

    const CLASSIC: i64 = -7086169552329790429;
    const TOWER: &str = "4k5/10/10/10/10/10/10/4K5+e4:6/1p34/6/6/4P11/6 s";
    const TOWER_KEY: i64 = 1967415402565187955;

    fn classic() -> AnyPosition {
        Setup::Classic.position().into()
    }

    fn played(moves: &[&str], winner: Option<Color>) -> PlayedGame {
        let moves = moves.iter().map(|mv| mv.parse().unwrap()).collect();
        let class = GameClass::new(RatingBand::Unrated, SpeedClass::NoClock);
        PlayedGame { start: classic(), moves, class, winner }
    }

    #[test]
    fn keys_match_stored_ones() {
        assert_eq!(position_key(&classic()), CLASSIC);
        let other_side = Setup::Classic.position().after_null_move().into();
        assert_ne!(position_key(&other_side), CLASSIC, "the side to move counts");
        assert_ne!(position_key(&classic().with_rules(Rules::Czech)), CLASSIC, "so do the rules");
        let with_tower: AnyPosition = TOWER.parse().unwrap();
        assert_eq!(position_key(&with_tower), TOWER_KEY);
        let shifted = |square: &str| {
            let mut position = with_tower;
            position.play_unchecked(square.parse().unwrap());
            position_key(&position)
        };
        assert_ne!(shifted("Te5"), shifted("Te3"), "so does the place of the tower");
    }

    #[test]
    fn every_class_has_its_own_number() {
        let all: HashSet<u8> = RatingBand::ALL
            .into_iter()
            .flat_map(|band| SpeedClass::ALL.map(|speed| GameClass::new(band, speed).number()))
            .collect();
        assert_eq!(all, (0..35).collect());
        let class = GameClass::new(RatingBand::From1600, SpeedClass::Clocked(Speed::Blitz));
        assert_eq!(class.number(), 22, "stored in databases");
    }

    #[test]
    fn equal_moves_share_a_row() {
        let mut visits = Visits::default();
        visits.add(1, &played(&["h2+", "c7+"], Some(Color::Silver)));
        visits.add(2, &played(&["h2+", "c7-"], None));
        visits.add(3, &played(&["h2-"], Some(Color::Red)));
        let mut rows: Vec<_> = visits.into_counts().collect();
        assert!(rows.is_sorted_by_key(|row| (row.position, row.mv, row.class)));
        rows.retain(|row| row.position == position_key(&classic()));
        rows.sort_unstable_by_key(|row| row.last_game);
        let counts: Vec<_> =
            rows.iter().map(|row| (row.silver, row.draws, row.red, row.last_game)).collect();
        assert_eq!(counts, [(1, 1, 0, 2), (0, 0, 1, 3)]);
        assert_eq!(Move::from_bits(rows[0].mv), "h2+".parse().ok());
    }

    #[test]
    fn repeated_position_counts_once() {
        let moves_and_back = ["f4+", "e5+", "f4+", "e5+", "h2+", "c7+"];
        let mut visits = Visits::default();
        visits.add(1, &played(&moves_and_back, None));
        // The start position occurs before the first move and before the fifth.
        let of_start = visits.into_counts().filter(|row| row.position == position_key(&classic()));
        let moves: Vec<_> = of_start.map(|row| Move::from_bits(row.mv).unwrap()).collect();
        assert_eq!(moves, ["f4+".parse().unwrap()]);
    }

    #[test]
    fn only_the_first_plies_count() {
        let moves: Vec<&str> =
            ["f4+", "e5+", "h2+", "c7+"].into_iter().cycle().take(10_000).collect();
        let mut visits = Visits::default();
        visits.add(1, &played(&moves, None));
        assert!(visits.len() <= MAX_PLIES);
        assert_eq!(size_of::<Visit>(), 16);
    }
}
