//! Why something was refused, in a way that a client can act on.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An answer that says no.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApiError {
    /// What is wrong, for programs.
    pub code: Code,
    /// The same for people, in English.
    pub message: String,
    /// In how many seconds to try again, if that can help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
}

/// What can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Code {
    /// The message or request can't be read.
    Malformed,
    /// It can be read, but asks for something that there is not: a position that can't be played, a name that is too long.
    Invalid,
    /// There is no such game, challenge or person.
    NotFound,
    /// Nobody is signed in, or the token is wrong.
    SignedOut,
    /// This person may not do that.
    Forbidden,
    /// The request comes from another site.
    WrongOrigin,
    /// It is the other player's turn.
    NotYourTurn,
    /// The rules forbid the move.
    IllegalMove,
    /// The game has gone on; it was meant for another position.
    Stale,
    /// The game is over.
    Over,
    /// That can't be done now: nothing was offered, the other player is there, the time for it has passed.
    NotNow,
    /// Someone else was quicker: the challenge is gone, the name is taken.
    Taken,
    /// Too much at once; try again later.
    TooMany,
    /// The message or request is too large.
    TooLarge,
    /// The server is busy or stops; try again later.
    Unavailable,
    /// The server failed.
    Internal,
}

impl ApiError {
    /// An error in words.
    pub fn new(code: Code, message: impl Into<String>) -> ApiError {
        ApiError { code, message: message.into(), retry_after: None }
    }

    /// The same, for those who come back in so many seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> ApiError {
        self.retry_after = Some(seconds);
        self
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}
