//! What games add to the explorer: a row for each position, move and class of games, with results counted.

use khet::{Color, Move, Position, Rules};
use khet_protocol::{RatingBand, SpeedClass};

/// So many moves of a game are counted. Behind them hardly any two games are alike, and each costs disk.
pub(crate) const PLIES: usize = 60;

/// Any fixed number: positions of the Czech rules are others.
const CZECH: u64 = 0x6373_6b79_9e37_79b9;

/// The number by which the explorer knows a position: pieces, side to move and rules. The same on every machine.
pub(crate) fn key(position: &Position) -> i64 {
    let rules = match position.rules() {
        Rules::Standard => 0,
        Rules::Czech => CZECH,
    };
    (position.key() ^ rules).cast_signed()
}

/// How strong and how quick: what can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Class(u8);

impl Class {
    pub(crate) fn new(band: RatingBand, pace: SpeedClass) -> Class {
        let place = SpeedClass::ALL.iter().position(|&known| known == pace).unwrap_or(0);
        Class((band as usize * SpeedClass::ALL.len() + place) as u8)
    }

    /// As it is kept.
    pub(crate) fn number(self) -> i64 {
        i64::from(self.0)
    }
}

/// A game that is over, as far as the explorer cares. The moves are legal.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) start: Position,
    pub(crate) moves: Vec<Move>,
    pub(crate) class: Class,
    pub(crate) winner: Option<Color>,
}

/// A game came to a position and went on from it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Visit {
    position: i64,
    mv: u16,
    class: Class,
    game: u32,
    winner: Option<Color>,
}

/// The visits of many games, small in memory.
#[derive(Debug, Default)]
pub(crate) struct Visits(Vec<Visit>);

/// Visits that are alike, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) position: i64,
    pub(crate) mv: u16,
    pub(crate) class: Class,
    pub(crate) silver: u32,
    pub(crate) draws: u32,
    pub(crate) red: u32,
    /// The last of the games.
    pub(crate) game: u32,
}

impl Visits {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a game by its number. A position that comes back counts once, with the move that was played first: numbers of games add up.
    pub(crate) fn add(&mut self, number: u64, game: &Played) {
        let first = self.0.len();
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let mut position = game.start;
        for &mv in game.moves.iter().take(PLIES) {
            let key = key(&position);
            if !self.0[first..].iter().any(|visit| visit.position == key) {
                self.0.push(Visit {
                    position: key,
                    mv: mv.to_bits(),
                    class: game.class,
                    game: number,
                    winner: game.winner,
                });
            }
            position.play_unchecked(mv);
        }
    }

    /// All rows in the order in which they are kept, so that each page of the database is touched once.
    pub(crate) fn rows(&mut self) -> impl Iterator<Item = Row> + '_ {
        self.0.sort_unstable();
        let place = |visit: &Visit| (visit.position, visit.mv, visit.class);
        self.0.chunk_by(move |one, other| place(one) == place(other)).map(|alike| {
            let Visit { position, mv, class, .. } = alike[0];
            let count = |winner| alike.iter().filter(|visit| visit.winner == winner).count() as u32;
            Row {
                position,
                mv,
                class,
                silver: count(Some(Color::Silver)),
                draws: count(None),
                red: count(Some(Color::Red)),
                game: alike.iter().map(|visit| visit.game).max().unwrap_or(0),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use khet::{Color, Move, Rules, Setup};
    use khet_protocol::{RatingBand, Speed, SpeedClass};

    use super::{Class, PLIES, Played, Visit, Visits, key};

    const CLASSIC: i64 = -7086169552329790429;

    fn played(moves: &[&str], winner: Option<Color>) -> Played {
        let moves = moves.iter().map(|mv| mv.parse::<Move>().unwrap()).collect();
        let class = Class::new(RatingBand::Unrated, SpeedClass::NoClock);
        Played { start: Setup::Classic.position(), moves, class, winner }
    }

    #[test]
    fn keys_are_those_that_databases_have() {
        let classic = Setup::Classic.position();
        assert_eq!(key(&classic), CLASSIC);
        assert_ne!(key(&classic.passed()), CLASSIC, "the side to move counts");
        assert_ne!(key(&classic.with_rules(Rules::Czech)), CLASSIC, "so do the rules");
    }

    #[test]
    fn every_class_is_another() {
        let all: HashSet<i64> = RatingBand::ALL
            .into_iter()
            .flat_map(|band| SpeedClass::ALL.map(|pace| Class::new(band, pace).number()))
            .collect();
        assert_eq!(all, (0..35).collect());
        let class = Class::new(RatingBand::From1600, SpeedClass::Clocked(Speed::Blitz));
        assert_eq!(class.number(), 22, "databases have it");
    }

    #[test]
    fn games_that_agree_share_rows() {
        let mut visits = Visits::default();
        visits.add(1, &played(&["h2+", "c7+"], Some(Color::Silver)));
        visits.add(2, &played(&["h2+", "c7-"], None));
        visits.add(3, &played(&["h2-"], Some(Color::Red)));
        let mut rows: Vec<_> = visits.rows().collect();
        assert!(rows.is_sorted_by_key(|row| (row.position, row.mv, row.class)));
        rows.retain(|row| row.position == key(&Setup::Classic.position()));
        rows.sort_unstable_by_key(|row| row.game);
        let counts: Vec<_> =
            rows.iter().map(|row| (row.silver, row.draws, row.red, row.game)).collect();
        assert_eq!(counts, [(1, 1, 0, 2), (0, 0, 1, 3)]);
        assert_eq!(Move::from_bits(rows[0].mv), "h2+".parse().ok());
    }

    #[test]
    fn a_position_that_comes_back_counts_once() {
        let there_and_back = ["f4+", "e5+", "f4+", "e5+", "h2+", "c7+"];
        let mut visits = Visits::default();
        visits.add(1, &played(&there_and_back, None));
        // The start stands before the first move and before the fifth.
        let of_start = visits.rows().filter(|row| row.position == key(&Setup::Classic.position()));
        let moves: Vec<_> = of_start.map(|row| Move::from_bits(row.mv).unwrap()).collect();
        assert_eq!(moves, ["f4+".parse().unwrap()]);
    }

    #[test]
    fn a_long_game_adds_no_more_than_its_beginning() {
        let moves: Vec<&str> =
            ["f4+", "e5+", "h2+", "c7+"].into_iter().cycle().take(10_000).collect();
        let mut visits = Visits::default();
        visits.add(1, &played(&moves, None));
        assert!(visits.len() <= PLIES);
        assert_eq!(size_of::<Visit>(), 16);
    }
}
