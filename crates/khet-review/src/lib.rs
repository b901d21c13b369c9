//! Reviews of finished games: the evaluation of each move, the mistakes, and the accuracy of both
//! players. It also judges whether setups are fair.
//!
//! The crate needs no engine. A [`ReviewBuilder`] requests one search after another; the caller
//! runs them where an engine is available, in a terminal, on a server or in a browser's worker, and
//! hands the results back. The result is a [`Review`]. With the feature `engine`, `engine::search`
//! runs the requests on the built-in engine.
//!
//! Reviews have the type of the game's positions as a parameter, which is that of the standard game
//! unless another one is named. With [`khet::AnyPosition`] they take games with and without a tower.
//!
//! ```
//! use khet::{Game, MoverEval, Setup};
//! use khet_review::{ReviewBuilder, SearchResult};
//!
//! let mut game = Game::new(Setup::Classic.position());
//! game.play("h2+".parse()?)?;
//! let mut builder = ReviewBuilder::new(&game);
//! while let Some(request) = builder.next_search() {
//!     // An engine would search `builder.game()` here, limited to `request.only` if that is a move.
//!     let mv = request.only.unwrap_or("h2+".parse()?);
//!     let result = SearchResult { score: MoverEval::Cp(12), depth: 1, pv: vec![mv] };
//!     builder.add_result(Some(result));
//! }
//! let review = builder.finish();
//! assert!(review.moves[0].is_best());
//! assert_eq!(review.players.silver.accuracy, Some(100.0));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! | module | task |
//! |---|---|
//! | `review_builder` | builds a review from the results of searches |
//! | `review`, `position_eval` | the review of a game, move by move |
//! | `judgement` | judges moves by the winning chances they lost; accuracy |
//! | `annotate` | writes a review into its game record |
//! | `fairness` | judges whether a setup is fair, by evaluation and self-play |
//! | `engine` | the built-in engine as the source of search results |

#![forbid(unsafe_code)]

mod annotate;
#[cfg(feature = "engine")]
pub mod engine;
mod fairness;
mod judgement;
mod position_eval;
mod review;
mod review_builder;

pub use annotate::annotate;
pub use fairness::{Fairness, SelfPlay, SelfPlaySearch};
pub use judgement::{Judgement, Mark, PlayerSummary};
pub use position_eval::PositionEval;
pub use review::{PlayerSummaries, Review, ReviewedMove};
pub use review_builder::{ReviewBuilder, SearchRequest, SearchResult};
