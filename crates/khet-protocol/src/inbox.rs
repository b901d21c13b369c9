//! Games and challenges that wait for a person.

use serde::{Deserialize, Serialize};

use crate::{Challenge, GameId, PersonName};

/// The games and challenges that wait for the person who asks: `GET /api/me/inbox`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Inbox {
    /// Games in progress: first those in which it is the person's turn, the longest waiting first.
    pub games: Vec<InboxGame>,
    /// Challenges to the person, the oldest first. A real-time challenge is listed for ten minutes,
    /// or as long as the challenger is connected.
    pub challenges: Vec<Challenge>,
    /// Challenges by the person that were declined, the oldest first. `DELETE
    /// /api/challenges/{id}` removes them.
    pub declined: Vec<Challenge>,
}

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InboxGame {
    /// The game.
    pub id: GameId,
    /// The name of the opponent; guests have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<PersonName>,
    /// True if it is the person's turn.
    pub your_turn: bool,
}
