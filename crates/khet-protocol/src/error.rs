//! Errors of the API, in a form that clients can act on.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An error of the API.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApiError {
    /// The error code, for programs.
    pub code: ErrorCode,
    /// The message, in English.
    pub message: String,
    /// Seconds until the client should try again, if that can help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
}

/// The kind of an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ErrorCode {
    /// The message or request could not be read.
    Malformed,
    /// A value is out of range: an unplayable position, a name that is too long.
    Invalid,
    /// There is no such game, challenge or person.
    NotFound,
    /// The request has no valid session or token.
    SignedOut,
    /// This person is not allowed to do that.
    Forbidden,
    /// The request comes from another origin.
    WrongOrigin,
    /// It is the opponent's turn.
    NotYourTurn,
    /// The move is illegal.
    IllegalMove,
    /// The game has moved on since; the action was meant for another position.
    Stale,
    /// The game is over.
    Over,
    /// The action is not possible now: nothing was offered, or the opponent is connected.
    NotNow,
    /// The challenge was accepted by another person, or the name is taken.
    Taken,
    /// Rate limit exceeded; try again later.
    TooMany,
    /// The message or request is too large.
    TooLarge,
    /// The server is overloaded or shutting down; try again later.
    Unavailable,
    /// Internal server error.
    Internal,
}

impl ApiError {
    /// Returns an error with a message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> ApiError {
        ApiError { code, message: message.into(), retry_after: None }
    }

    /// Returns the error with the number of seconds until the client should try again.
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
