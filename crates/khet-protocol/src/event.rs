//! What happens in a game, in numbered events.

use std::fmt;

use khet::{Color, Move, Outcome, Reason};
use serde::{Deserialize, Serialize};

use crate::{GameId, GameOptions, PersonId, RatingChange};

/// Something that happened in a game. Events are numbered from 1, without gaps.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Event {
    /// Its number in the game.
    pub number: u32,
    /// When it happened, in milliseconds since 1970, by the server's clock.
    pub at: u64,
    /// What happened.
    #[serde(alias = "what")]
    pub kind: EventKind,
}

/// What can happen in a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EventKind {
    /// The game began. Always the first event, and only that.
    Started(Box<Started>),
    /// The player to move made a move. If that ended the game, `ended` follows at once.
    #[serde(alias = "turn")]
    Move {
        /// The move in notation.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "h2+"))]
        #[serde(rename = "move", alias = "turn")]
        mv: Move,
        /// The number by which the player's client knows it, so that a move sent twice counts once.
        key: u32,
        /// What the player has left behind it, in milliseconds, if there are clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<u64>,
    },
    /// A player offered a draw. The offer stands until the other one makes a move or declines.
    DrawOffered {
        /// Who offered.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
    },
    /// A player declined the other's offer.
    DrawDeclined {
        /// Who declined.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "red"))]
        by: Color,
    },
    /// A player asked to take the last own turn back.
    TakebackAsked {
        /// Who asked.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
    },
    /// A player declined that.
    TakebackDeclined {
        /// Who declined.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "red"))]
        by: Color,
    },
    /// So many moves were taken back.
    TakenBack {
        /// One or two.
        #[serde(alias = "turns")]
        moves: u8,
    },
    /// A player gave the other time.
    TimeAdded {
        /// Who gave it.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
        /// How much, in milliseconds.
        time: u64,
    },
    /// Time in which the server was away does not count for the clock that runs.
    Credited {
        /// How much, in milliseconds.
        time: u64,
    },
    /// A player said something to the other. Spectators get `whispered` in its place.
    Chat {
        /// Who said it.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
        /// What was said.
        text: String,
    },
    /// Something that is the players' own.
    Whispered,
    /// The game is over.
    Ended(End),
    /// Ratings changed by the game.
    Rated {
        /// Silver's rating.
        silver: RatingChange,
        /// Red's rating.
        red: RatingChange,
    },
    /// A player wants another game, with colours changed.
    RematchOffered {
        /// Who offered.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
    },
    /// A player declined that.
    RematchDeclined {
        /// Who declined.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "red"))]
        by: Color,
    },
    /// Another game was started.
    Rematched {
        /// The new game.
        game: GameId,
    },
}

/// The beginning of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Started {
    /// Who plays Silver.
    pub silver: PersonId,
    /// Who plays Red.
    pub red: PersonId,
    /// What is played.
    #[serde(flatten)]
    pub options: GameOptions,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct End {
    /// Who has won; nobody in a draw or an aborted game.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, example = "silver"))]
    pub winner: Option<Color>,
    /// Why it is over.
    pub reason: EndReason,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EndReason {
    /// A pharaoh was lit, or with an Eye of Horus both at once.
    PharaohsLit,
    /// The player to move had no legal move, and lost.
    NoMoves,
    /// A player gave up.
    Resignation,
    /// The arrangement had come back often enough, and the player to move claimed a draw.
    Repetition,
    /// The players agreed to a draw.
    Agreement,
    /// A player's time ran out.
    Time,
    /// A player left, and the other one claimed the win or a draw.
    Left,
    /// It ended before it really began, and does not count.
    Aborted,
}

impl End {
    /// A game that does not count.
    pub const ABORTED: End = End { winner: None, reason: EndReason::Aborted };

    /// `1-0` when Silver has won, `0-1` when Red has, `1/2-1/2` for a draw, `*` for an aborted game.
    pub const fn score(self) -> &'static str {
        match (self.winner, self.reason) {
            (_, EndReason::Aborted) => "*",
            (Some(Color::Silver), _) => "1-0",
            (Some(Color::Red), _) => "0-1",
            (None, _) => "1/2-1/2",
        }
    }
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> End {
        let reason = match outcome.reason {
            Reason::PharaohsLit => EndReason::PharaohsLit,
            Reason::NoMoves => EndReason::NoMoves,
            Reason::Resignation => EndReason::Resignation,
            Reason::Repetition => EndReason::Repetition,
            Reason::Agreement => EndReason::Agreement,
        };
        End { winner: outcome.winner, reason }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.winner, self.reason) {
            (_, EndReason::Aborted) => "No result: ",
            (Some(Color::Silver), _) => "Silver wins: ",
            (Some(Color::Red), _) => "Red wins: ",
            (None, _) => "Draw: ",
        })?;
        f.write_str(match self.reason {
            EndReason::PharaohsLit if self.winner.is_none() => "both pharaohs are lit",
            EndReason::PharaohsLit => "a pharaoh is lit",
            EndReason::NoMoves => "no legal move is left",
            EndReason::Resignation => "the other player resigned",
            EndReason::Repetition => "the arrangement came back, and it was claimed",
            EndReason::Agreement => "the players agreed",
            EndReason::Time => "the time ran out",
            EndReason::Left => "the other player left",
            EndReason::Aborted => "the game was aborted",
        })
    }
}

impl EventKind {
    /// What people who do not play may see of it.
    pub fn for_spectators(&self) -> EventKind {
        match self {
            EventKind::Chat { .. } => EventKind::Whispered,
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Databases hold events that were written before `turn` was renamed to `move`.
    #[test]
    fn events_of_old_databases_can_be_read() {
        for (old, new) in [
            (
                r#"{"number":2,"at":5,"what":{"turn":{"turn":"h2+","key":7,"left":300}}}"#,
                r#"{"number":2,"at":5,"kind":{"move":{"move":"h2+","key":7,"left":300}}}"#,
            ),
            (
                r#"{"number":3,"at":6,"what":{"taken-back":{"turns":1}}}"#,
                r#"{"number":3,"at":6,"kind":{"taken-back":{"moves":1}}}"#,
            ),
        ] {
            let event: Event = serde_json::from_str(old).unwrap();
            assert_eq!(serde_json::to_string(&event).unwrap(), new);
            assert_eq!(serde_json::from_str::<Event>(new).unwrap(), event);
        }
    }
}
