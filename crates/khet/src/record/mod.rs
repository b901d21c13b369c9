//! Game records: tags, moves, comments, variations, in the shape of chess's PGN.

mod comment;
mod place;
mod problem;
mod read;
mod tags;
mod write;

use crate::{Color, Game, Move, Position};

pub(crate) use comment::decimal;
pub use comment::{Comment, CommentError};
pub use place::{ParsePlaceError, Place};
pub use problem::{ParseRecordError, RecordProblem};
pub use read::{GameSplitter, MAX_NESTING, MAX_TAGS, Records};
pub use tags::TagError;

/// The score of a game as its record gives it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Score {
    /// `1-0`: Silver has won.
    SilverWins,
    /// `0-1`: Red has won.
    RedWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, or not known.
    #[default]
    Open,
}

impl Score {
    const ALL: [Score; 4] = [Score::SilverWins, Score::RedWins, Score::Draw, Score::Open];

    /// The score of a game that this player, or nobody, has won.
    pub fn of_winner(winner: Option<Color>) -> Score {
        match winner {
            Some(Color::Silver) => Score::SilverWins,
            Some(Color::Red) => Score::RedWins,
            None => Score::Draw,
        }
    }

    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Score::SilverWins => "1-0",
            Score::RedWins => "0-1",
            Score::Draw => "1/2-1/2",
            Score::Open => "*",
        }
    }
}

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
    score: Score,
}

impl Record {
    /// A record without moves.
    pub fn new(start: Position) -> Record {
        let mut record =
            Record { tags: Vec::new(), start, line: Line::default(), score: Score::Open };
        record.tag_start();
        record
    }

    /// The record of a game that was played.
    pub fn from_game(game: &Game) -> Record {
        let mut record = Record::new(*game.start());
        record.line.plies = game.moves().iter().map(|&mv| Ply::new(mv)).collect();
        record.set_score(
            game.outcome().map_or(Score::Open, |outcome| Score::of_winner(outcome.winner)),
        );
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

    /// The score.
    pub fn score(&self) -> Score {
        self.score
    }

    /// Replays the moves of the game itself. Resignations and agreed draws are not in a record, only
    /// their score.
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
