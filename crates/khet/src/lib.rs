//! The rules of Khet, the laser board game.
//!
//! Two players, Silver and Red, take turns on a board of ten files and eight ranks. A move moves or
//! rotates one piece; then the player's laser fires. Mirrors turn the beam, and what it ends on is
//! removed. Whoever's pharaoh is lit loses.
//!
//! # Playing
//!
//! A [`Position`] knows its legal [`Move`]s, and [`Position::play`] answers with the [`Shot`]:
//! every square that the beam visited, what it hit, and whether that ended the game.
//!
//! ```
//! use khet::{Color, BeamEnd, Setup, Square};
//!
//! let mut position = Setup::Classic.position();
//! assert_eq!(position.side_to_move(), Color::Silver);
//! assert_eq!(position.legal_moves().len(), 79);
//!
//! // Silver turns the pyramid on h2 clockwise. The beam is not changed by that:
//! let shot = position.play("h2+".parse()?)?;
//! let path: String = shot.beams[0].steps.iter().map(|step| format!("{} ", step.square)).collect();
//! assert_eq!(path, "j1 j2 j3 j4 i4 h4 h5 i5 j5 j6 j7 j8 ");
//! assert_eq!(shot.beams[0].end, BeamEnd::Wall);
//!
//! // Red takes its own mirror out of the beam, which now ends on Red's pyramid on a4:
//! let shot = position.play("a5b5".parse()?)?;
//! assert_eq!(shot.to_string(), "xa4");
//! assert_eq!(shot.hits[0].square, Square::A4);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # A bot
//!
//! Positions are small and `Copy`, so a bot tries each move on a copy. This one takes what it can:
//!
//! ```
//! use khet::{Color, Position, Setup, Move};
//!
//! /// How many pieces a colour has, its pharaoh counting for a hundred.
//! fn worth(position: &Position, color: Color) -> i32 {
//!     let pharaoh = if position.pharaoh(color).is_some() { 100 } else { 0 };
//!     position.of_color(color).len() as i32 + pharaoh
//! }
//!
//! fn best_move(position: &Position) -> Option<Move> {
//!     let me = position.side_to_move();
//!     let moves = position.legal_moves();
//!     moves.iter().copied().max_by_key(|&mv| {
//!         let mut next = *position;
//!         next.play_unchecked(mv);
//!         worth(&next, me) - worth(&next, !me)
//!     })
//! }
//!
//! let mut position = Setup::Classic.position();
//! for _ in 0..20 {
//!     let Some(mv) = best_move(&position) else { break };
//!     position.play(mv)?;
//! }
//! # Ok::<_, khet::IllegalMove>(())
//! ```
//!
//! Faster than copies is [`Position::aim`], which traces a beam once for all moves that leave it
//! alone.
//!
//! # Whole games
//!
//! A [`Game`] adds the history: repetition and draw claims, resignation, taking back. A [`Record`]
//! is a game on paper, with comments and variations; [`Records`] reads a file of them.
//!
//! ```
//! use khet::{Game, Record, Setup};
//!
//! let mut game = Game::new(Setup::Classic.position());
//! for mv in ["f4-", "e5+", "f4-", "e5+", "f4-", "e5+"] {
//!     game.play(mv.parse()?)?;
//! }
//! assert_eq!(game.repetitions(), 2);
//! assert!(!game.can_claim_draw());
//!
//! let record: Record = "[Setup \"Classic\"]\n\n1. h2+ {quiet} c7c6 *".parse()?;
//! assert_eq!(record.line().plies.len(), 2);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Editions, expansions, own setups
//!
//! The pieces on the board decide what is played: the standard game, Khet 2.0 with its sphinxes,
//! scarabs and Anubis, either with the Eye of Horus, or the standard game with sphinxes as lasers.
//! [`Rules`] chooses the edition. A [`Placement`] is any arrangement; it knows all that keeps it
//! from being played:
//!
//! ```
//! use khet::{Placement, Position, Rules};
//!
//! let text = "4k5/10/10/10/10/10/10/P18K s";
//! let placement: Placement = text.parse()?;
//! let faults: Vec<String> = placement.faults().iter().map(ToString::to_string).collect();
//! assert_eq!(faults, ["a1 is reserved for red, and a silver pyramid stands there"]);
//! assert!(Position::new(&placement, Rules::Czech).is_err());
//! # Ok::<_, khet::ParsePlacementError>(())
//! ```
//!
//! # Features
//!
//! * `serde`: [`Color`], [`Direction`], [`Piece`], [`PieceBox`], [`Placement`], [`Rules`], [`Setup`], [`Square`],
//!   [`Move`] and [`TimeControl`] as their notation; [`Shot`] and its parts and [`Outcome`] as plain data. A position is sent as
//!   its placement and its rules, and checked where it arrives.
//! * `small`: hash keys are computed, not kept in a table. For pages that are loaded over a network.

mod aim;
mod beam;
mod bitboard;
mod clock;
mod color;
mod detour;
mod direction;
mod eval;
mod excerpt;
mod faults;
mod game;
mod generate;
mod keys;
mod moves;
mod outcome;
mod perft;
mod piece;
mod piece_box;
mod placement;
mod position;
mod random_setup;
mod record;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod setups;
mod shot;
mod square;
mod termination;
mod time_control;

pub use aim::{Aim, Choice, Sweep};
pub use beam::{BeamEnd, BeamOrigin};
pub use bitboard::{Bitboard, Squares};
pub use clock::Clock;
pub use color::{Color, ParseColorError};
pub use detour::Worth;
pub use direction::{Direction, ParseDirectionError};
pub use eval::{MoverEval, ParseEvalError, SilverEval};
pub use faults::{Fault, Warning};
pub use game::{Game, GameError};
pub use generate::{BrokenRule, IllegalMove};
pub use moves::{Move, MoveList, ParseMoveError, Rotation};
pub use outcome::Outcome;
pub use perft::{divide, perft, perft_played};
pub use piece::{Corner, Diagonal, Kind, ParsePieceError, Piece, Role};
pub use piece_box::{ParsePieceBoxError, PieceBox};
pub use placement::{ParsePlacementError, Placement, PlacementProblem};
pub use position::{InvalidPosition, ParsePositionError, Position};
pub use random_setup::random_setup;
pub use record::{
    Comment, CommentError, GameResult, GameSplitter, Line, MAX_NESTING, MAX_TAGS, ParsePlaceError,
    ParseRecordError, Place, Ply, Record, RecordProblem, Records, TagError,
};
pub use rules::{ParseRulesError, Rules};
pub use setups::{ParseSetupError, Setup};
pub use shot::{Beam, BeamStep, Hit, Shot};
pub use square::{ParseSquareError, Square};
pub use termination::{ParseTerminationError, Termination};
pub use time_control::{ParseTimeControlError, TimeControl, TimeLimits};
