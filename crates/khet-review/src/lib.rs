//! What to think of a game, turn by move: which turns were best, which were mistakes, how accurate the players were.
//!
//! It knows no engine. An [`Inquiry`] asks one question after another about the positions of a game; whoever has an
//! engine answers them, in a terminal, on a server or in a browser, at once or later. The end is a [`Review`].
//!
//! ```
//! use khet::{MoverEval, Game, Setup};
//! use khet_review::{Answer, Inquiry};
//!
//! let mut game = Game::new(Setup::Classic.position());
//! game.play("h2+".parse()?)?;
//! let mut inquiry = Inquiry::new(&game);
//! while let Some(question) = inquiry.question() {
//!     // An engine would think about `inquiry.game()`, and about `question.only` alone if that is a move.
//!     let mv = question.only.unwrap_or("h2+".parse()?);
//!     inquiry.answer(Some(Answer { score: MoverEval::Cp(12), depth: 1, line: vec![mv] }));
//! }
//! let review = inquiry.review();
//! assert!(review.moves[0].is_best());
//! assert_eq!(review.players.silver.accuracy, Some(100.0));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod annotate;
mod inquiry;
mod judge;
mod position_eval;
mod review;

pub use annotate::annotate;
pub use inquiry::{Answer, Inquiry, Question};
pub use judge::{Judgement, Mark, Tally};
pub use position_eval::PositionEval;
pub use review::{Players, Review, Reviewed};
