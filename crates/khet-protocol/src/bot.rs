//! What programs that play need besides: tokens, what concerns them, and acts over HTTP.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Action, Challenge, ChallengeId, GameId};

/// A token that is wanted: `POST /api/me/tokens`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewToken {
    /// What it is for, up to 50 characters.
    #[cfg_attr(feature = "openapi", schema(example = "my engine"))]
    pub label: String,
}

/// A token as it is kept: nobody can read it any more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokenInfo {
    /// By this it is revoked. It is no secret.
    #[cfg_attr(feature = "openapi", schema(example = "b5c1d20e9f3a"))]
    pub id: String,
    /// What it is for.
    pub label: String,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
}

/// A token, shown this once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GivenToken {
    /// What stays known of it.
    #[serde(flatten)]
    pub info: TokenInfo,
    /// The secret, for `Authorization: Bearer …`.
    pub token: String,
}

impl fmt::Debug for GivenToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GivenToken").field("info", &self.info).finish_non_exhaustive()
    }
}

/// Something that concerns a person, in the stream `GET /api/stream`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum StreamMessage {
    /// A game is played: it has just begun, or had when the stream was opened.
    Game {
        /// The game.
        id: GameId,
        /// The challenge that it came of.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        challenge: Option<ChallengeId>,
    },
    /// A challenge waits: one to this person, or one of their own when the stream was opened.
    Challenge(Box<Challenge>),
}

/// An act over HTTP: `POST /api/games/{id}/act`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Acting {
    /// The client's number for it. A move that is sent again with the same number counts once.
    pub key: u32,
    /// What is done.
    pub act: Action,
}
