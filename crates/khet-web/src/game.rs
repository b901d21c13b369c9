//! Games as plain data: moves, clocks, terminations, options, and how they are saved.
//!
//! Nothing here uses the DOM or reads the time; callers pass the time in.
//!
//! | file | content |
//! |---|---|
//! | `session` | a game in progress: moves, clock, outcome, takeback, the ply that is viewed |
//! | `options` | the options of a new game |
//! | `game_text` | positions and games that people paste or open as files |
//! | `save` | a session as text: the game record with additional tags |
//! | `pending_start`, `analysis_handover` | a start position or a record for the next page |
//! | `tree_link` | a tree of variations as a link |
//! | `finished_games` | the list of finished local games |
//! | `clock` | the text on a clock |

pub(crate) mod analysis_handover;
pub(crate) mod clock;
pub(crate) mod finished_games;
pub(crate) mod game_text;
pub(crate) mod options;
pub(crate) mod pending_start;
pub(crate) mod save;
pub(crate) mod session;
pub(crate) mod tree_link;
