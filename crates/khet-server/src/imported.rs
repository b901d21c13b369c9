//! Games that were played elsewhere: what is kept of their records.

use std::fmt;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use khet::{Color, GameResult, Move, Ply, Position, Record};
use khet_protocol::{ApiError, ErrorCode, GameId, ImportedId, RatingBand, Speed, SpeedClass};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::archive;
use crate::explorer::{Class, Played};
use crate::refusal::Refusal;

/// The longest game that is taken, in turns of either player.
const LONGEST: usize = 20_000;
/// How much a record's tags may say, in bytes.
const TAGS_SIZE: usize = 8 * 1024;

/// Why a game is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotTaken {
    /// It has no result.
    Open,
    /// It has so many moves.
    TooLong(usize),
    /// Its tags have so many bytes.
    TooManyWords(usize),
}

impl fmt::Display for NotTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotTaken::Open => f.write_str("the game has no result"),
            NotTaken::TooLong(moves) => {
                write!(f, "the game has {moves} moves, and at most {LONGEST} are taken")
            }
            NotTaken::TooManyWords(size) => {
                write!(f, "the tags have {size} bytes, and at most {TAGS_SIZE} are taken")
            }
        }
    }
}

impl std::error::Error for NotTaken {}

/// A game that was played elsewhere. Comments and variations of its record are left behind.
#[derive(Clone, Debug)]
pub(crate) struct ImportedGame {
    pub(crate) id: ImportedId,
    pub(crate) start: Position,
    pub(crate) winner: Option<Color>,
    /// The tags that do not follow from the rest, one a line: the name, a space, the value.
    pub(crate) tags: String,
    pub(crate) moves: Vec<Move>,
}

impl ImportedGame {
    /// What is kept of a record.
    pub(crate) fn of_record(record: &Record) -> Result<ImportedGame, NotTaken> {
        let winner = match record.result() {
            GameResult::SilverWins => Some(Color::Silver),
            GameResult::RedWins => Some(Color::Red),
            GameResult::Draw => None,
            GameResult::Unknown => return Err(NotTaken::Open),
        };
        let moves: Vec<Move> = record.line().plies.iter().map(|ply| ply.mv).collect();
        if moves.len() > LONGEST {
            return Err(NotTaken::TooLong(moves.len()));
        }
        let mut tags = String::new();
        for (name, value) in record.free_tags() {
            // Values are one line, and names have no space.
            tags.extend([name, " ", value, "\n"]);
        }
        if tags.len() > TAGS_SIZE {
            return Err(NotTaken::TooManyWords(tags.len()));
        }
        let start = *record.start();
        Ok(ImportedGame { id: id(&start, winner, &tags, &moves), start, winner, tags, moves })
    }

    /// The value of a tag.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.pairs().find(|&(known, _)| known == name).map(|(_, value)| value)
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.lines().filter_map(|line| line.split_once(' '))
    }

    /// A player's rating, if the record says it in one of the two usual ways.
    pub(crate) fn rating(&self, color: Color) -> Option<u16> {
        let names = match color {
            Color::Silver => ["SilverElo", "SilverRating"],
            Color::Red => ["RedElo", "RedRating"],
        };
        names.into_iter().find_map(|name| self.tag(name)?.parse().ok())
    }

    /// The game of this or another Khet server that it may be.
    pub(crate) fn game_id(&self) -> Option<GameId> {
        self.tag("GameId")?.parse().ok()
    }

    /// The game as the explorer sees it.
    pub(crate) fn played(&self) -> Played {
        let [silver, red] = Color::ALL.map(|color| self.rating(color));
        let pace =
            SpeedClass::from(self.tag("TimeControl").and_then(|tag| Speed::of(tag.parse().ok()?)));
        Played {
            start: self.start,
            moves: self.moves.clone(),
            class: Class::new(RatingBand::of(silver, red), pace),
            winner: self.winner,
        }
    }

    /// The game as a record.
    fn record(&self) -> Record {
        let mut record = Record::new(self.start);
        for (name, value) in self.pairs() {
            // They were read from a record.
            let _ = record.set_tag(name, value);
        }
        record.line_mut().plies = self.moves.iter().map(|&mv| Ply::new(mv)).collect();
        record.set_result(GameResult::from_winner(self.winner));
        record
    }
}

/// The id of a game: the hash of all that is kept of it, in whatever order the tags are.
fn id(start: &Position, winner: Option<Color>, tags: &str, moves: &[Move]) -> ImportedId {
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
    for mv in moves {
        hash.update(mv.to_bits().to_be_bytes());
    }
    let hash = hash.finalize();
    let number = hash.iter().take(16).fold(0, |number, &byte| number << 8 | u128::from(byte));
    ImportedId::from_number(number)
}

/// The record of a game that was played elsewhere, without comments and variations.
#[utoipa::path(
    get, path = "/api/imported/{id}", operation_id = "imported", tag = "games",
    params(("id" = ImportedId, Path, description = "The game", example = "m4Xq0ZbT81cW")),
    responses(
        (status = 200, description = "The record", body = String, content_type = "text/plain"),
        (status = 404, description = "There is no such game", body = ApiError),
    ),
)]
pub(crate) async fn one(
    State(app): State<App>,
    id: Result<Path<ImportedId>, PathRejection>,
) -> Result<Response, Refusal> {
    let Path(id) = id?;
    let Some(game) = app.store.imported(id).await? else {
        return Err(Refusal::new(ErrorCode::NotFound, "there is no such game"));
    };
    Ok(archive::file(&format!("khet-{id}.kgn"), Body::from(game.record().to_string())))
}

#[cfg(test)]
mod tests {
    use khet::{Color, Record};
    use khet_protocol::{RatingBand, Speed, SpeedClass};

    use super::{ImportedGame, NotTaken};
    use crate::explorer::Class;

    const GAME: &str = "[Event \"A <b>cup</b>\"]\n[Silver \"O'Neil \\\"<script>\\\"\"]\n[Red \"\"]\n[Result \"0-1\"]\n\
        [Setup \"Khet2-Dynasty-Eye\"]\n[Rules \"czech\"]\n[TimeControl \"180+2\"]\n[RedElo \"1700\"]\n[SilverRating \"1650\"]\n\n0-1\n";

    #[test]
    fn a_record_comes_back_as_it_was() {
        let record: Record = GAME.parse().unwrap();
        let game = ImportedGame::of_record(&record).unwrap();
        assert_eq!(game.record().to_string(), GAME);
        assert_eq!(game.tag("Silver"), Some("O'Neil \"<script>\""));
        assert_eq!(game.winner, Some(Color::Red));
        let class = Class::new(RatingBand::From1600, SpeedClass::Clocked(Speed::Blitz));
        assert_eq!(game.played().class, class);
        // The same id for what came back, another for anything else.
        assert_eq!(ImportedGame::of_record(&game.record()).unwrap().id, game.id);
        for (old, new) in
            [("0-1", "1-0"), ("cup", "cap"), ("Dynasty", "Imhotep"), ("czech", "standard")]
        {
            let other: Record = GAME.replace(old, new).parse().unwrap();
            assert_ne!(ImportedGame::of_record(&other).unwrap().id, game.id, "{new}");
        }
    }

    #[test]
    fn what_is_too_much_is_not_taken() {
        let open: Record = "[Setup \"Classic\"]\n\n1. h2+ *".parse().unwrap();
        assert_eq!(ImportedGame::of_record(&open).unwrap_err(), NotTaken::Open);
        let mut wordy: Record = "[Setup \"Classic\"]\n\n1. h2+ 1-0".parse().unwrap();
        wordy.set_tag("Silver", &"long ".repeat(2000)).unwrap();
        assert_eq!(ImportedGame::of_record(&wordy).unwrap_err(), NotTaken::TooManyWords(10_008));
        let moves = ["f4+", "e5+"].into_iter().cycle().take(20_001).collect::<Vec<_>>().join(" ");
        let long: Record = format!("[Setup \"Classic\"]\n\n{moves} 1/2-1/2").parse().unwrap();
        assert_eq!(ImportedGame::of_record(&long).unwrap_err(), NotTaken::TooLong(20_001));
    }
}
