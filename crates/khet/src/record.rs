//! Game records: tags, moves, comments and variations, in a format modelled on chess's PGN.

mod comment;
mod edit;
mod problem;
mod read;
mod result;
mod tags;
mod tree_path;
mod write;

use crate::{BoardSquare, Color, Game, GamePosition, Move, Outcome, Position, Square, Termination};

pub(crate) use comment::decimal;
pub use comment::{Comment, CommentError};
pub use edit::VariationError;
pub use problem::{ParseRecordError, RecordProblem};
pub use read::{GameSplitter, MAX_NESTING, MAX_TAGS, Records};
pub use result::GameResult;
pub use tags::TagError;
pub use tree_path::{ParseTreePathError, TreePath};

/// A move in a record, with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply<S: BoardSquare = Square> {
    /// The move. In a record it is legal in its position.
    pub mv: Move<S>,
    /// Numeric annotation glyphs as in PGN: 1 is `!`, 2 is `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub marks: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<Comment>,
    /// Alternatives to this move.
    pub variations: Vec<Variation<S>>,
}

impl<S: BoardSquare> Ply<S> {
    /// A move without annotations.
    pub fn new(mv: Move<S>) -> Ply<S> {
        Ply { mv, marks: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

/// A sequence of moves: the main line of a record, or an alternative to one of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation<S: BoardSquare = Square> {
    /// Comments before the first move.
    pub comments: Vec<Comment>,
    /// The moves.
    pub plies: Vec<Ply<S>>,
}

impl<S: BoardSquare> Default for Variation<S> {
    fn default() -> Variation<S> {
        Variation { comments: Vec::new(), plies: Vec::new() }
    }
}

impl<S: BoardSquare> Variation<S> {
    /// A variation of these moves, without annotations.
    pub fn new(moves: impl IntoIterator<Item = Move<S>>) -> Variation<S> {
        Variation { comments: Vec::new(), plies: moves.into_iter().map(Ply::new).collect() }
    }

    /// Returns the number of moves, including those of nested variations.
    pub fn count_moves(&self) -> u64 {
        let nested = |ply: &Ply<S>| ply.variations.iter().map(Variation::count_moves).sum::<u64>();
        self.plies.iter().map(|ply| 1 + nested(ply)).sum()
    }
}

/// A game record: tags, a starting position, a tree of moves, and a result.
///
/// All moves of the tree are legal, and its text can always be read again. The record of a game
/// with a tower is a `Record<tower::Position>`; a `Record<AnyPosition>` is that of either game.
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
pub struct Record<P: GamePosition = Position> {
    tags: Vec<(String, String)>,
    start: P,
    main_line: Variation<P::Square>,
    result: GameResult,
}

impl<P: GamePosition> Record<P> {
    /// A record without moves.
    pub fn new(start: P) -> Record<P> {
        let mut record = Record {
            tags: Vec::new(),
            start,
            main_line: Variation::default(),
            result: GameResult::Unknown,
        };
        record.tag_start();
        record
    }

    /// The record of a game, with its outcome.
    pub fn from_game(game: &Game<P>) -> Record<P> {
        let mut record = Record::new(*game.start());
        record.main_line = Variation::new(game.moves().iter().copied());
        if let Some(outcome) = game.outcome() {
            record.set_outcome(outcome);
        }
        record
    }

    /// The starting position, with the rules.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The moves of the game, with their variations.
    ///
    /// They are changed by methods that keep all moves legal: [`Record::play_at`],
    /// [`Record::set_main_line`], [`Record::add_variation`], [`Record::promote`] and
    /// [`Record::delete`]. Annotations are changed by [`Record::comments_mut`] and
    /// [`Record::marks_mut`].
    pub fn main_line(&self) -> &Variation<P::Square> {
        &self.main_line
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

    /// Replays the main line. The game is over only if its last position decides it: resignations
    /// and the like are in [`Record::outcome`].
    pub fn game(&self) -> Game<P> {
        let mut game = Game::new(self.start);
        for ply in &self.main_line.plies {
            if game.play(ply.mv).is_err() {
                break;
            }
        }
        game
    }
}
