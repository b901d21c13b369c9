//! Messages between the server and its clients.
//!
//! A game is an append-only list of numbered [`Event`]s. [`GameState`] is their fold: the server,
//! which decides, and the browser, which displays, share this code. Values are written in notation:
//! moves as `h2+`, setups as `classic`, time controls as `300+3`. Games with the Tower of Kadesh differ
//! in their start and their moves only, so moves and positions have the types for both games.
//!
//! Over the WebSocket a client sends [`ClientMessage`]s and receives [`ServerMessage`]s, both as
//! JSON text. A client that reconnects sends the number of the last event it has, and gets the
//! rest.
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
//! assert_eq!(state.game().ply(), 1);
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
//! | `challenge` | game options, challenges and seeks |
//! | `inbox` | games and challenges that wait for a person |
//! | `archive`, `explorer`, `review` | lists of games, the opening explorer, reviews |
//! | `person`, `rating`, `speed` | people and their ratings per speed |
//! | `glicko` | how ratings are computed |
//! | `gallery` | setups that people have published |
//! | `puzzle` | puzzles, attempts at them, and a solver's dashboard |
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
pub mod glicko;
mod ids;
mod inbox;
mod live;
#[cfg(feature = "openapi")]
mod outcome_schema;
mod person;
mod puzzle;
mod rating;
mod review;
mod speed;
mod state;
mod text;

pub use archive::{
    GameCursor, GamePage, GameQuery, GameSummary, LiveGame, ParseGameCursorError, ResultFilter,
    WatchResponse,
};
pub use bot::{ActionRequest, IssuedToken, StreamMessage, TokenInfo, TokenRequest};
pub use challenge::{
    Challenge, ColorPreference, GameOptions, NewChallenge, OptionsProblem, Seek, Start, WaitingBot,
};
pub use date::date;
pub use error::{ApiError, ErrorCode};
pub use event::{Event, EventKind, GameStart};
pub use explorer::{
    CommaSeparated, ExplorerGame, ExplorerMove, ExplorerQuery, ExplorerResponse, RatingBand,
    ResultCounts, SpeedClass, UnknownNameError,
};
pub use gallery::{
    DecisionKind, DecisionUndo, DecisionsResponse, GallerySetup, NewReport, NewSetup,
    ParseSetupCursorError, ParseSetupTextError, ReportReason, ReportedSetup, ReportsResponse,
    SetupCursor, SetupDecision, SetupDescription, SetupName, SetupPage, SetupProblem, SetupQuery,
    SetupReport, SetupResults, SetupSort,
};
pub use ids::{ChallengeId, GameId, ImportedId, ParseIdError, PersonId, SeekId, SetupId};
pub use inbox::{Inbox, InboxGame};
pub use live::{
    Action, ActionAck, ByColor, ChallengeResponse, ClientMessage, GameJoined, LobbyCounts,
    LobbyResponse, PairedResponse, Presence, ServerMessage, Subscription,
};
#[cfg(feature = "openapi")]
pub use outcome_schema::OutcomeSchema;
pub use person::{
    Credentials, FullProfile, Me, ParseNameError, PasswordChange, PasswordConfirmation, PersonKind,
    PersonName, PublicProfile,
};
pub use puzzle::{
    DeviceAttempt, DevicePuzzles, PuzzleAttempt, PuzzleAttemptResult, PuzzleDashboard, PuzzleDay,
    PuzzleHistoryEntry, PuzzleInfo, PuzzleQuery, PuzzleRun, PuzzleRunKind, PuzzleVote, ThemeScore,
};
pub use rating::{
    Leaderboard, LeaderboardEntry, Rating, RatingChange, RatingHistory, RatingPoint, SpeedRating,
};
pub use review::{GameReview, ReviewProgress};
pub use speed::Speed;
pub use state::{ApplyError, GameState};
pub use text::is_invisible;

/// Maximum length of a chat message, in characters.
pub const MAX_CHAT_LENGTH: usize = 200;

/// Maximum size of a message from a client, in bytes.
pub const MAX_CLIENT_MESSAGE_SIZE: usize = 4096;
