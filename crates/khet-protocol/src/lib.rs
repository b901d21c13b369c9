//! What the server and its clients say to each other, defined once for both.
//!
//! A game is a list of numbered [`Event`]s that only grows. [`GameState`] is what they amount to: the same
//! code folds them in the server, which decides, and in the browser, which shows. Values are written in
//! the game's notation: moves as `h2+`, setups as `classic`, clocks as `300+3`.
//!
//! Over the WebSocket a client sends [`ClientMessage`] and hears [`ServerMessage`], both as JSON text. Whoever comes back
//! says the number of the last event that it has seen, and gets the rest:
//!
//! ```
//! use khet_protocol::{Event, GameState, EventKind};
//!
//! let events: Vec<Event> = serde_json::from_str(r#"[
//!     {"number": 1, "at": 1000, "kind": {"started": {
//!         "silver": "aaaaaaaaaaaa", "red": "bbbbbbbbbbbb",
//!         "start": "classic", "rules": "standard", "time": "300+3", "rated": false}}},
//!     {"number": 2, "at": 5000, "kind": {"move": {"move": "h2+", "key": 7, "left": 300000}}}
//! ]"#)?;
//! let state = GameState::fold(&events)?;
//! assert_eq!(state.game().moves().len(), 1);
//! assert!(state.outcome().is_none());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | `event`, `state` | the events of a game and the state that follows from them |
//! | `live` | messages of the WebSocket |
//! | `challenge` | game options and challenges |
//! | `archive`, `explorer`, `review` | lists of games, the opening explorer, reviews |
//! | `person`, `rating`, `speed` | people and their ratings per speed |
//! | `gallery` | setups that people have published |
//! | `bot` | tokens, streams and actions for bots |
//! | `ids`, `error`, `date`, `text` | ids, error codes, dates, values written as text |

#![forbid(unsafe_code)]

mod archive;
mod bot;
mod challenge;
mod date;
mod error;
mod event;
mod explorer;
mod gallery;
mod ids;
mod live;
#[cfg(feature = "openapi")]
mod outcome_schema;
mod person;
mod rating;
mod review;
mod speed;
mod state;
mod text;

pub use archive::{
    Cursor, GamePage, GameQuery, GameSummary, LiveGame, ParseCursorError, ResultFilter, WatchAnswer,
};
pub use bot::{Acting, GivenToken, NewToken, StreamMessage, TokenInfo};
pub use challenge::{Challenge, ColorWish, GameOptions, NewChallenge, OptionsProblem, Start};
pub use date::date;
pub use error::{ApiError, Code};
pub use event::{Event, EventKind, Started};
pub use explorer::{
    Band, ExplorerAnswer, ExplorerGame, ExplorerMove, ExplorerQuery, List, Pace, ParseListError,
    Tally,
};
pub use gallery::{
    Balance, MadeReport, NewSetup, ParseSetupCursorError, ParseSetupTextError, Report,
    ReportReason, ReportedSetup, ReportsAnswer, SetupCard, SetupCursor, SetupName, SetupPage,
    SetupProblem, SetupQuery, SetupSort, SetupWords,
};
pub use ids::{ChallengeId, GameId, ImportedId, ParseIdError, PersonId, SetupId};
pub use live::{
    Action, ActionAck, ChallengeAnswer, ClientMessage, LobbyAnswer, Presence, Seats, ServerMessage,
    Subject, Welcome,
};
#[cfg(feature = "openapi")]
pub use outcome_schema::OutcomeSchema;
pub use person::{
    Confirmation, Credentials, Me, ParseNameError, PasswordChange, PersonKind, PersonName, Profile,
    PublicProfile,
};
pub use rating::{
    Leader, Leaderboard, Rating, RatingChange, RatingHistory, RatingPoint, SpeedRating,
};
pub use review::{KeptReview, ReviewProgress};
pub use speed::Speed;
pub use state::{ApplyError, GameState};

/// The longest chat message, in characters.
pub const CHAT_LENGTH: usize = 200;

/// The largest message that a client may send, in bytes.
pub const FRAME_SIZE: usize = 4096;
