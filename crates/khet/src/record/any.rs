//! Records of games with and without a tower, as files mix them.

use std::fmt;

use super::{GameResult, Ply, Record, Variation};
use crate::{AnyPosition, BoardSquare, GamePosition, Move, Outcome, Position, tower};

/// The record of a game with or without a tower.
///
/// ```
/// use khet::AnyRecord;
///
/// let text = "[Position \"4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/P15 s\"]\n\n1. C2+ Te5 *\n";
/// let record: AnyRecord = text.parse()?;
/// assert!(matches!(record, AnyRecord::Tower(_)));
/// # Ok::<_, khet::ParseRecordError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant)] // the starting position; the moves of a record take more
pub enum AnyRecord {
    /// A game without a tower.
    Standard(Record<Position>),
    /// A game with a tower.
    Tower(Record<tower::Position>),
}

impl AnyRecord {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        match self {
            AnyRecord::Standard(record) => record.tag(name),
            AnyRecord::Tower(record) => record.tag(name),
        }
    }

    /// The result.
    pub fn result(&self) -> GameResult {
        match self {
            AnyRecord::Standard(record) => record.result(),
            AnyRecord::Tower(record) => record.result(),
        }
    }

    /// The end of the game; see [`Record::outcome`].
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            AnyRecord::Standard(record) => record.outcome(),
            AnyRecord::Tower(record) => record.outcome(),
        }
    }
}

impl From<AnyRecord> for Record<AnyPosition> {
    /// Returns the same record, as one type for both games.
    fn from(record: AnyRecord) -> Record<AnyPosition> {
        match record {
            AnyRecord::Standard(record) => into_any(record),
            AnyRecord::Tower(record) => into_any(record),
        }
    }
}

fn into_any<P: GamePosition + Into<AnyPosition>>(record: Record<P>) -> Record<AnyPosition>
where
    Move<P::Square>: Into<Move<tower::Square>>,
{
    let Record { tags, start, main_line, result } = record;
    Record { tags, start: start.into(), main_line: with_tower_squares(main_line), result }
}

/// Returns a variation with its moves as those of a board with a tower.
fn with_tower_squares<S: BoardSquare>(variation: Variation<S>) -> Variation<tower::Square>
where
    Move<S>: Into<Move<tower::Square>>,
{
    let Variation { comments, plies } = variation;
    let plies = plies.into_iter().map(|Ply { mv, marks, comments, variations }| Ply {
        mv: mv.into(),
        marks,
        comments,
        variations: variations.into_iter().map(with_tower_squares).collect(),
    });
    Variation { comments, plies: plies.collect() }
}

impl fmt::Display for AnyRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyRecord::Standard(record) => record.fmt(f),
            AnyRecord::Tower(record) => record.fmt(f),
        }
    }
}
