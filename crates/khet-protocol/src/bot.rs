//! Messages for bots: tokens, the stream of challenges and games, and actions over HTTP.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Action, Challenge, ChallengeId, GameId};

/// A request for a token: `POST /api/me/tokens`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokenRequest {
    /// A description for its owner, up to 50 characters.
    #[cfg_attr(feature = "openapi", schema(example = "my engine"))]
    pub label: String,
}

/// A token without its secret, of which the server keeps only a hash.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokenInfo {
    /// The id by which it is revoked. It is not secret.
    #[cfg_attr(feature = "openapi", schema(example = "b5c1d20e9f3a"))]
    pub id: String,
    /// The description.
    pub label: String,
    /// When it was issued, in milliseconds since 1970.
    pub at: u64,
}

/// A token with its secret, which is shown only once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct IssuedToken {
    /// The part that can be listed later.
    #[serde(flatten)]
    pub info: TokenInfo,
    /// The secret, for `Authorization: Bearer …`.
    pub token: String,
}

/// Leaves out the secret, so that it never gets into logs.
impl fmt::Debug for IssuedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IssuedToken").field("info", &self.info).finish_non_exhaustive()
    }
}

/// A message of the stream `GET /api/stream`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum StreamMessage {
    /// A game in progress: it has just started, or was in progress when the stream was opened.
    Game {
        /// The game.
        id: GameId,
        /// The challenge that led to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        challenge: Option<ChallengeId>,
    },
    /// A challenge to this person, or one of their own when the stream was opened.
    Challenge(Box<Challenge>),
    /// A challenge by this person was declined.
    ChallengeDeclined {
        /// The challenge, which is no longer open.
        id: ChallengeId,
    },
}

/// An action over HTTP: `POST /api/games/{id}/action`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionRequest {
    /// The client's key for it. A move that is sent again with the same key counts once.
    pub key: u32,
    /// The action.
    #[serde(alias = "act")]
    pub action: Action,
}
