//! The rules of Khet, the laser board game: positions, legal moves, shots, game records.
//!
//! Two players, Silver and Red, move in turn on a board of ten files and eight ranks. A move steps,
//! rotates, swaps, stacks or unstacks a piece; then the player's laser fires. Mirrors reflect the
//! beam, and a piece that it hits is removed. The player whose pharaoh is hit loses.
//!
//! The crate has no dependencies, does no I/O, and also builds for the browser.
//!
//! # Moves and shots
//!
//! A [`Position`] lists its legal [`Move`]s. [`Position::play`] returns the [`Shot`]: the path of
//! every beam, the pieces that were hit, and the outcome if the shot ended the game.
//!
//! ```
//! use khet::{BeamEnd, Color, Setup, Square};
//!
//! let mut position = Setup::Classic.position();
//! assert_eq!(position.side_to_move(), Color::Silver);
//! assert_eq!(position.legal_moves().len(), 79);
//!
//! // Silver rotates the pyramid on h2 clockwise, which does not change the beam:
//! let shot = position.play("h2+".parse()?)?;
//! let path: Vec<String> = shot.beams[0].steps.iter().map(|step| step.square.to_string()).collect();
//! assert_eq!(path.join(" "), "j1 j2 j3 j4 i4 h4 h5 i5 j5 j6 j7 j8");
//! assert_eq!(shot.beams[0].end, BeamEnd::Wall);
//!
//! // Red moves a mirror out of the path of Red's own beam, which now hits Red's pyramid on a4:
//! let shot = position.play("a5b5".parse()?)?;
//! assert_eq!(shot.to_string(), "xa4");
//! assert_eq!(shot.hits[0].square, Square::A4);
//!
//! // Illegal moves name the rule that they break:
//! let error = position.play("e1e3".parse()?).unwrap_err();
//! assert_eq!(error.to_string(), "e1e3: e3 is not next to e1");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Position::fire`] shows what a laser would do now, for previews.
//!
//! # A bot
//!
//! Positions are small and `Copy`, so a bot tries each move on a copy. This one plays the move
//! after which it has most pieces compared with the other side:
//!
//! ```
//! use khet::{Color, Move, Position, Setup};
//!
//! /// Counts the pieces of a side; the pharaoh counts as a hundred.
//! fn material(position: &Position, side: Color) -> i32 {
//!     let pharaoh = if position.pharaoh(side).is_some() { 100 } else { 0 };
//!     position.of_color(side).len() as i32 + pharaoh
//! }
//!
//! fn best_move(position: &Position) -> Option<Move> {
//!     let side = position.side_to_move();
//!     let moves = position.legal_moves();
//!     moves.iter().copied().max_by_key(|&mv| {
//!         let mut next = *position;
//!         next.play_unchecked(mv);
//!         material(&next, side) - material(&next, !side)
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
//! Faster than [`Position::play_unchecked`] is [`Position::aim`], which traces the beam once for
//! all moves that do not touch it.
//!
//! # Whole games
//!
//! A [`Game`] adds the history: repetitions and draw claims, resignation, takebacks. A [`Record`]
//! is a game record with comments and variations; [`Records`] reads a file of them.
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
//! assert_eq!(record.main_line().plies.len(), 2);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Editions, expansions and custom setups
//!
//! The pieces on the board decide which game is played: the standard game, Khet 2.0 with its
//! sphinxes, scarabs and Anubis, either of them with the Eye of Horus, or the standard game with
//! sphinxes as lasers. [`Rules`] selects the edition of the rules. A [`Placement`] may hold any
//! pieces on any squares, and lists all faults that make it unplayable:
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
//! # The Tower of Kadesh
//!
//! The module [`tower`] has the game on two levels: its squares, placements, positions, and moves of
//! the tower. [`Move`], [`Shot`], [`Fault`], [`Game`] and [`Record`] are the same types with another
//! parameter, and code for both games is generic over [`GamePosition`] or [`BoardSquare`].
//! [`AnyPosition`] is a position of either game, so that a `Game<AnyPosition>` and a `Record<AnyPosition>` are games and
//! records of either; [`AnyGame`] is a game of either that takes no more memory than its own kind.
//!
//! # Features
//!
//! * `serde`: serializes [`Color`], [`Direction`], [`Piece`], [`PieceBox`], [`Placement`], [`AnyPlacement`], [`Rules`],
//!   [`Setup`], [`AnySetup`], [`Square`], [`Move`] and [`TimeControl`] as their notation, those of [`tower`] too, and [`Shot`] with its
//!   parts and [`Outcome`] as plain data. Send a position as its placement and its rules, so that it
//!   is checked on arrival.
//! * `small`: computes hash keys instead of storing a table of 40 KB, for web pages.
//!
//! # Modules
//!
//! From the bottom up:
//!
//! | module | content |
//! |---|---|
//! | `color`, `direction`, `square`, `piece` | small values |
//! | `bitboard`, `zobrist` | sets of squares; random numbers for hash keys |
//! | `rules`, `piece_box` | the editions of the rules and of the box |
//! | `placement`, `faults` | unchecked pieces and side to move; faults that make them unplayable |
//! | `position` | a playable placement with the rules |
//! | `board_square`, `game_position` | what squares and positions of both games have in common |
//! | `any_placement`, `any_position`, `any_setup`, `any_game` | a choice of either game |
//! | `moves`, `generate` | moves and their notation; the legal ones |
//! | `beam`, `shot` | the beam tracer; the full report of a shot |
//! | `aim`, `disturbed_shots`, `perft` | many moves of one position, quickly |
//! | `setups`, `random_setup` | named and random starting positions |
//! | `outcome`, `termination`, `game` | a game with its history and its end |
//! | `time_control`, `clock`, `eval` | time controls, clocks, evaluations |
//! | `record` | game records: reading, writing, editing |
//! | `tower` | the game on two levels |
//! | `serde`, `excerpt` | JSON; quotations in error messages |

mod aim;
mod any_game;
mod any_placement;
mod any_position;
mod any_setup;
mod beam;
mod bitboard;
mod board_square;
mod clock;
mod color;
mod direction;
mod disturbed_shots;
mod eval;
mod excerpt;
mod faults;
mod game;
mod game_position;
mod generate;
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
pub mod tower;
mod zobrist;

pub use aim::{AimedPosition, PartialMove, ShotSquares};
pub use any_game::AnyGame;
pub use any_placement::{AnyPlacement, ParseAnyPlacementError};
pub use any_position::{AnyPosition, InvalidAnyPosition, ParseAnyPositionError};
pub use any_setup::AnySetup;
pub use beam::{BeamEnd, BeamOrigin};
pub use bitboard::{Bitboard, Squares};
pub use board_square::BoardSquare;
pub use clock::Clock;
pub use color::{Color, ParseColorError};
pub use direction::{Direction, ParseDirectionError};
pub use disturbed_shots::PieceValues;
pub use eval::{MoverEval, ParseEvalError, SilverEval};
pub use faults::{Fault, Warning};
pub use game::{Game, GameError};
pub use game_position::GamePosition;
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
    Comment, CommentError, GameResult, GameSplitter, MAX_NESTING, MAX_TAGS, ParseRecordError,
    ParseTreePathError, Ply, Record, RecordProblem, Records, TagError, TreePath, Variation,
    VariationError,
};
pub use rules::{ParseRulesError, Rules};
pub use setups::{ParseSetupError, Setup};
pub use shot::{Beam, BeamStep, Hit, Shot};
pub use square::{ParseSquareError, Square};
pub use termination::{ParseTerminationError, Termination};
pub use time_control::{ParseTimeControlError, TimeControl, TimeLimits};
