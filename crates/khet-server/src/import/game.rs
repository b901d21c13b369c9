//! An imported game: the parts of its record that are stored.

use khet::{AnyPosition, Color, GamePosition, GameResult, Move, Record, Variation, tower};
use khet_protocol::{GameId, ImportedId, RatingBand, Speed, SpeedClass, Start};
use sha2::{Digest, Sha256};
use sqlx::types::Text;

use crate::explorer::{GameClass, PlayedGame};
use crate::storage::{ImportedRow, StorageError};

/// Largest number of moves, counting both players'.
const MAX_MOVES: usize = 20_000;
/// Largest size of a record's tags, in bytes.
const MAX_TAGS_SIZE: usize = 8 * 1024;

/// Reason why a game can't be imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ImportError {
    /// The game has no result.
    #[error("the game has no result")]
    NoResult,
    /// The game has this many moves.
    #[error("the game has {0} moves; the limit is {MAX_MOVES}")]
    TooManyMoves(usize),
    /// The tags have this many bytes.
    #[error("the tags have {0} bytes; the limit is {MAX_TAGS_SIZE}")]
    TagsTooLong(usize),
}

/// A game that was played elsewhere. Comments and variations of its record are dropped.
#[derive(Clone, Debug)]
pub(crate) struct ImportedGame {
    pub(crate) id: ImportedId,
    pub(crate) start: AnyPosition,
    pub(crate) winner: Option<Color>,
    /// The tags that do not follow from the other fields, one per line: the name, a space, the
    /// value.
    pub(crate) tags: String,
    pub(crate) moves: Vec<Move<tower::Square>>,
}

impl ImportedGame {
    /// Reads a record.
    pub(crate) fn from_record(record: &Record<AnyPosition>) -> Result<ImportedGame, ImportError> {
        let winner = match record.result() {
            GameResult::SilverWins => Some(Color::Silver),
            GameResult::RedWins => Some(Color::Red),
            GameResult::Draw => None,
            GameResult::Unknown => return Err(ImportError::NoResult),
        };
        let moves: Vec<_> = record.main_line().plies.iter().map(|ply| ply.mv).collect();
        if moves.len() > MAX_MOVES {
            return Err(ImportError::TooManyMoves(moves.len()));
        }
        let mut tags = String::new();
        for (name, value) in record.free_tags() {
            // Values have no line break and names no space.
            tags.extend([name, " ", value, "\n"]);
        }
        if tags.len() > MAX_TAGS_SIZE {
            return Err(ImportError::TagsTooLong(tags.len()));
        }
        let start = *record.start();
        Ok(ImportedGame { id: hash_id(&start, winner, &tags, &moves), start, winner, tags, moves })
    }

    /// Returns the value of a tag.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tag_pairs().find(|&(known, _)| known == name).map(|(_, value)| value)
    }

    fn tag_pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.lines().filter_map(|line| line.split_once(' '))
    }

    /// Returns a player's rating, from either of the two usual tags.
    pub(crate) fn rating(&self, color: Color) -> Option<u16> {
        let names = match color {
            Color::Silver => ["SilverElo", "SilverRating"],
            Color::Red => ["RedElo", "RedRating"],
        };
        names.into_iter().find_map(|name| self.tag(name)?.parse().ok())
    }

    /// Returns the id of the game on the Khet server where it was played, perhaps this one.
    pub(crate) fn game_id(&self) -> Option<GameId> {
        self.tag("GameId")?.parse().ok()
    }

    /// Returns the data that the explorer counts.
    pub(crate) fn played(&self) -> PlayedGame {
        let [silver, red] = Color::ALL.map(|color| self.rating(color));
        let speed =
            SpeedClass::from(self.tag("TimeControl").and_then(|tag| Speed::of(tag.parse().ok()?)));
        PlayedGame {
            start: self.start,
            moves: self.moves.clone(),
            class: GameClass::new(RatingBand::of(silver, red), speed),
            winner: self.winner,
        }
    }

    /// Checks that the id is the hash of the game, as it was when the game was imported.
    pub(crate) fn check_id(&self) -> Result<(), StorageError> {
        if hash_id(&self.start, self.winner, &self.tags, &self.moves) == self.id {
            return Ok(());
        }
        Err(StorageError::Corrupt("the game is not the one that was imported".to_owned()))
    }

    /// Returns the game as a record.
    pub(crate) fn record(&self) -> Record<AnyPosition> {
        let mut record = Record::new(self.start);
        // The moves were legal when the game was imported.
        let _ = record.set_main_line(Variation::new(self.moves.iter().copied()));
        for (name, value) in self.tag_pairs() {
            // The tags come from a record, so they are valid.
            let _ = record.set_tag(name, value);
        }
        record.set_result(GameResult::from_winner(self.winner));
        record
    }
}

impl From<&ImportedGame> for ImportedRow {
    fn from(game: &ImportedGame) -> ImportedRow {
        ImportedRow {
            id: Text(game.id),
            start: Text(Start::from(game.start.placement())),
            rules: Text(game.start.rules()),
            winner: game.winner.map(Text),
            tags: game.tags.clone(),
            turns: packed_moves(&game.start, &game.moves).flatten().collect(),
        }
    }
}

impl TryFrom<ImportedRow> for ImportedGame {
    type Error = StorageError;

    fn try_from(row: ImportedRow) -> Result<ImportedGame, StorageError> {
        let Text(id) = row.id;
        let corrupt =
            |error: String| StorageError::Corrupt(format!("the imported game {id}: {error}"));
        let start = AnyPosition::new(&row.start.placement(), *row.rules)
            .map_err(|error| corrupt(error.to_string()))?;
        let moves = unpack_moves(&start, &row.turns)
            .ok_or_else(|| corrupt("its moves are not legal".to_owned()))?;
        let winner = row.winner.map(|winner| winner.0);
        Ok(ImportedGame { id, start, winner, tags: row.tags, moves })
    }
}

/// Returns the stored form of moves. Games with and without a tower have different ones.
fn packed_moves(
    start: &AnyPosition,
    moves: &[Move<tower::Square>],
) -> impl Iterator<Item = [u8; 2]> {
    // All moves are legal, so that each is encoded.
    moves.iter().filter_map(|&mv| start.move_to_bits(mv)).map(u16::to_be_bytes)
}

/// Returns the moves, if they are legal one after the other.
fn unpack_moves(start: &AnyPosition, bytes: &[u8]) -> Option<Vec<Move<tower::Square>>> {
    let mut position = *start;
    let (pairs, []) = bytes.as_chunks::<2>() else { return None };
    let next = |&pair: &[u8; 2]| {
        let mv = position.check(position.move_from_bits(u16::from_be_bytes(pair))?).ok()?;
        position.play_unchecked(mv);
        Some(mv)
    };
    pairs.iter().map(next).collect()
}

/// Returns the id of a game: the hash of all fields, independent of the order of tags.
fn hash_id(
    start: &AnyPosition,
    winner: Option<Color>,
    tags: &str,
    moves: &[Move<tower::Square>],
) -> ImportedId {
    let mut hash = Sha256::new();
    hash.update(format!("{}\n{}\n", start.placement(), start.rules()));
    hash.update(GameResult::from_winner(winner).text());
    let mut lines: Vec<&str> = tags.lines().collect();
    lines.sort_unstable();
    for line in lines {
        hash.update("\n");
        hash.update(line);
    }
    hash.update("\n\n");
    for bytes in packed_moves(start, moves) {
        hash.update(bytes);
    }
    let hash = hash.finalize();
    let number = hash.iter().take(16).fold(0, |number, &byte| number << 8 | u128::from(byte));
    ImportedId::from_number(number)
}

#[cfg(test)]
mod tests {
    use khet::{AnyPosition, Color, Record, Setup};
    use khet_protocol::{RatingBand, Speed, SpeedClass, Start};
    use sqlx::types::Text;

    use super::{ImportError, ImportedGame};
    use crate::explorer::GameClass;
    use crate::storage::{ImportedRow, StorageError};

    const GAME: &str = "[Event \"A <b>cup</b>\"]\n\
        [Silver \"O'Neil \\\"<script>\\\"\"]\n[Red \"\"]\n[Result \"0-1\"]\n\
        [Setup \"Khet2-Dynasty-Eye\"]\n[Rules \"czech\"]\n[TimeControl \"180+2\"]\n\
        [RedElo \"1700\"]\n[SilverRating \"1650\"]\n\n0-1\n";

    #[test]
    fn record_round_trip() {
        let record: Record<AnyPosition> = GAME.parse().unwrap();
        let game = ImportedGame::from_record(&record).unwrap();
        assert_eq!(game.record().to_string(), GAME);
        assert_eq!(game.tag("Silver"), Some("O'Neil \"<script>\""));
        assert_eq!(game.winner, Some(Color::Red));
        let class = GameClass::new(RatingBand::From1600, SpeedClass::Clocked(Speed::Blitz));
        assert_eq!(game.played().class, class);
        // Equal games have equal ids; any difference changes the id.
        assert_eq!(ImportedGame::from_record(&game.record()).unwrap().id, game.id);
        for (old, new) in
            [("0-1", "1-0"), ("cup", "cap"), ("Dynasty", "Imhotep"), ("czech", "standard")]
        {
            let other: Record<AnyPosition> = GAME.replace(old, new).parse().unwrap();
            assert_ne!(ImportedGame::from_record(&other).unwrap().id, game.id, "{new}");
        }
    }

    #[test]
    fn moves_with_a_tower_are_stored() {
        let text = "[Silver \"Anna\"]\n[Result \"1-0\"]\n\
            [Position \"4k5/10/10/10/10/10/10/4K5+e4:6/1p34/6/6/4P11/6 s\"]\n\
            [Rules \"standard\"]\n\n1. Te5 T+ 2. D4d4 e8d8 1-0\n";
        let record: Record<AnyPosition> = text.parse().unwrap();
        let game = ImportedGame::from_record(&record).unwrap();
        let row = ImportedRow::from(&game);
        assert_eq!(row.turns.len(), 2 * game.moves.len());
        let stored = ImportedGame::try_from(row).unwrap();
        stored.check_id().unwrap();
        assert_eq!(stored.record().to_string(), text);
        // In a game without a tower, these bytes encode other moves.
        let mut other = ImportedRow::from(&game);
        other.start = Text(Start::Setup(Setup::Classic.into()));
        assert!(matches!(ImportedGame::try_from(other), Err(StorageError::Corrupt(_))));
    }

    #[test]
    fn oversized_and_unfinished_games_are_rejected() {
        let open: Record<AnyPosition> = "[Setup \"Classic\"]\n\n1. h2+ *".parse().unwrap();
        assert_eq!(ImportedGame::from_record(&open).unwrap_err(), ImportError::NoResult);
        let mut long_tags: Record<AnyPosition> =
            "[Setup \"Classic\"]\n\n1. h2+ 1-0".parse().unwrap();
        long_tags.set_tag("Silver", &"long ".repeat(2000)).unwrap();
        assert_eq!(
            ImportedGame::from_record(&long_tags).unwrap_err(),
            ImportError::TagsTooLong(10_008)
        );
        let moves = ["f4+", "e5+"].into_iter().cycle().take(20_001).collect::<Vec<_>>().join(" ");
        let long: Record<AnyPosition> =
            format!("[Setup \"Classic\"]\n\n{moves} 1/2-1/2").parse().unwrap();
        assert_eq!(
            ImportedGame::from_record(&long).unwrap_err(),
            ImportError::TooManyMoves(20_001)
        );
    }
}
