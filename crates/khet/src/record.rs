//! Game records: tags, moves, comments, variations, in the shape of chess's PGN.

mod comment;
mod place;
mod problem;
mod read;
mod result;
mod tags;
mod write;

use crate::{Color, Game, Move, Outcome, Position, Termination};

pub(crate) use comment::decimal;
pub use comment::{Comment, CommentError};
pub use place::{ParsePlaceError, Place};
pub use problem::{ParseRecordError, RecordProblem};
pub use read::{GameSplitter, MAX_NESTING, MAX_TAGS, Records};
pub use result::GameResult;
pub use tags::TagError;

/// A move of a record, with what was written about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move. It is legal where it stands in the record.
    pub mv: Move,
    /// Marks by their PGN numbers: 1 is `!`, 2 is `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub marks: Vec<u8>,
    /// What follows the move in braces.
    pub comments: Vec<Comment>,
    /// What could have been played instead of this move.
    pub variations: Vec<Line>,
}

impl Ply {
    /// A move without any remarks.
    pub fn new(mv: Move) -> Ply {
        Ply { mv, marks: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

/// Moves one after the other: the game itself, or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<Comment>,
    /// The moves.
    pub plies: Vec<Ply>,
}

impl Line {
    /// How many turns the line has, those of its variations included.
    pub fn count_legal_moves(&self) -> u64 {
        let within = |ply: &Ply| ply.variations.iter().map(Line::count_legal_moves).sum::<u64>();
        self.plies.iter().map(|ply| 1 + within(ply)).sum()
    }
}

/// A game on paper.
///
/// ```
/// use khet::{Color, Game, Record, Setup};
///
/// let mut game = Game::new(Setup::Classic.position());
/// game.play("h2+".parse()?)?;
/// game.resign(Color::Red)?;
///
/// let mut record = Record::from_game(&game);
/// record.set_tag("Silver", "Anna")?;
/// let text = record.to_string();
/// assert_eq!(text, r#"[Silver "Anna"]
/// [Result "1-0"]
/// [Setup "Classic"]
/// [Rules "standard"]
/// [Termination "resignation"]
///
/// 1. h2+ 1-0
/// "#);
/// assert_eq!(text.parse::<Record>()?, record);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    tags: Vec<(String, String)>,
    start: Position,
    line: Line,
    result: GameResult,
}

impl Record {
    /// A record without moves.
    pub fn new(start: Position) -> Record {
        let mut record =
            Record { tags: Vec::new(), start, line: Line::default(), result: GameResult::Unknown };
        record.tag_start();
        record
    }

    /// The record of a game that was played.
    pub fn from_game(game: &Game) -> Record {
        let mut record = Record::new(*game.start());
        record.line.plies = game.moves().iter().map(|&mv| Ply::new(mv)).collect();
        if let Some(outcome) = game.outcome() {
            record.set_outcome(outcome);
        }
        record
    }

    /// The starting position, with the rules.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The game as it was played, with its variations.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// For adding comments, marks, moves and variations. What is put there must be what a reader
    /// takes: moves that are legal where they stand, as [`Position::check`] spells them, and
    /// variations that have a move and are nested at most [`MAX_NESTING`] deep.
    pub fn line_mut(&mut self) -> &mut Line {
        &mut self.line
    }

    /// The result.
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// The end of the game: the result, and the termination that the last position or else the tag
    /// `Termination` gives. A tag that contradicts the result or the last position is ignored.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.game().outcome() {
            return Some(outcome);
        }
        let termination = self.tagged_termination().unwrap_or(Termination::Unspecified);
        let winner = match self.result {
            GameResult::SilverWins => Some(Color::Silver),
            GameResult::RedWins => Some(Color::Red),
            GameResult::Draw => None,
            GameResult::Unknown => {
                return (termination == Termination::Aborted).then_some(Outcome::ABORTED);
            }
        };
        let contradicts = termination.is_on_board() || termination == Termination::Aborted;
        let termination = if contradicts { Termination::Unspecified } else { termination };
        Some(Outcome { winner, termination })
    }

    /// Replays the moves of the game itself. It ends only where the board decides: resignations and
    /// the like are in [`Record::outcome`].
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for ply in &self.line.plies {
            if game.play(ply.mv).is_err() {
                break;
            }
        }
        game
    }
}
