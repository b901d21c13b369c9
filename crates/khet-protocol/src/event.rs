//! The numbered events of a game.

use khet::{Color, Move, Outcome, tower};
use serde::{Deserialize, Serialize};

#[cfg(feature = "openapi")]
use crate::OutcomeSchema;
use crate::{GameId, GameOptions, PersonId, RatingChange};

/// An event of a game. Events are numbered from 1, without gaps.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Event {
    /// The number in the game.
    pub number: u32,
    /// When it happened by the server's clock, in milliseconds since 1970.
    pub at: u64,
    /// The kind, with its data.
    #[serde(alias = "what")]
    pub kind: EventKind,
}

/// The kind of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EventKind {
    /// The game started. Always the first event, and no other.
    Started(Box<GameStart>),
    /// The player to move made a move. If it ended the game, `ended` follows immediately.
    #[serde(alias = "turn")]
    Move {
        /// The move in notation.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "h2+"))]
        #[serde(rename = "move", alias = "turn")]
        mv: Move<tower::Square>,
        /// The key that the player's client chose, so that a move sent twice counts once.
        key: u32,
        /// The player's time after the move, in milliseconds, if there is a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<u64>,
    },
    /// A player offered a draw. The offer is open until the opponent makes a move or declines, or
    /// the player withdraws it.
    DrawOffered {
        /// The player who offered.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
    },
    /// A player declined the opponent's draw offer.
    DrawDeclined {
        /// The player who declined.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "red"))]
        by: Color,
    },
    /// A player withdrew a draw offer.
    DrawWithdrawn {
        /// The player who had offered.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
    },
    /// A player asked for a takeback.
    TakebackAsked {
        /// The player who asked.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
    },
    /// A player declined the opponent's takeback request.
    TakebackDeclined {
        /// The player who declined.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "red"))]
        by: Color,
    },
    /// A player withdrew a takeback request.
    TakebackWithdrawn {
        /// The player who had asked.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
    },
    /// A takeback was granted.
    TakenBack {
        /// Number of moves taken back, one or two.
        #[serde(alias = "turns")]
        moves: u8,
    },
    /// A player gave the opponent time.
    TimeAdded {
        /// The player who gave it.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
        /// The time, in milliseconds.
        time: u64,
    },
    /// The server was down: the time is given back to the player whose clock runs.
    Credited {
        /// The time, in milliseconds.
        time: u64,
    },
    /// A player sent a chat message. Spectators get `chat-hidden` instead.
    Chat {
        /// The player who sent it.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
        /// The message.
        text: String,
    },
    /// A chat message between the players, which spectators do not see.
    #[serde(alias = "whispered")]
    ChatHidden,
    /// The game is over.
    #[cfg_attr(feature = "openapi", schema(value_type = OutcomeSchema))]
    Ended(Outcome),
    /// The game changed the ratings.
    Rated {
        /// Silver's rating.
        silver: RatingChange,
        /// Red's rating.
        red: RatingChange,
    },
    /// A player offered a rematch, with colours exchanged.
    RematchOffered {
        /// The player who offered.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
    },
    /// A player declined the opponent's rematch offer.
    RematchDeclined {
        /// The player who declined.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "red"))]
        by: Color,
    },
    /// A player withdrew a rematch offer.
    RematchWithdrawn {
        /// The player who had offered.
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = "silver"))]
        by: Color,
    },
    /// The rematch started.
    Rematched {
        /// The new game.
        game: GameId,
    },
}

/// The players and options of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameStart {
    /// The player of Silver.
    pub silver: PersonId,
    /// The player of Red.
    pub red: PersonId,
    /// Start, rules and time control.
    #[serde(flatten)]
    pub options: GameOptions,
}

impl EventKind {
    /// Returns the event as spectators see it.
    pub fn for_spectators(&self) -> EventKind {
        match self {
            EventKind::Chat { .. } => EventKind::ChatHidden,
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use khet::Termination;

    use super::*;

    fn read(json: &str) -> EventKind {
        serde_json::from_str(json).expect("an event")
    }

    #[test]
    fn an_end_is_written_with_its_termination() {
        let ended = EventKind::Ended(Outcome::win(Color::Red, Termination::PharaohHit));
        let json = r#"{"ended":{"winner":"red","termination":"pharaoh-hit"}}"#;
        assert_eq!(serde_json::to_string(&ended).expect("JSON"), json);
        assert_eq!(read(json), ended);
    }

    #[test]
    fn events_in_databases_of_earlier_versions_are_read() {
        for (winner, reason, termination) in [
            (Some(Color::Silver), "pharaohs-lit", Termination::PharaohHit),
            (None, "pharaohs-lit", Termination::PharaohHit),
            (Some(Color::Red), "no-turn", Termination::NoLegalMove),
            (Some(Color::Red), "resignation", Termination::Resignation),
            (None, "repetition", Termination::Repetition),
            (None, "agreement", Termination::Agreement),
            (Some(Color::Red), "time", Termination::Time),
            (Some(Color::Red), "left", Termination::Abandonment),
            (None, "aborted", Termination::Aborted),
        ] {
            let winner_json = serde_json::to_string(&winner).expect("JSON");
            let json = format!(r#"{{"ended":{{"winner":{winner_json},"reason":"{reason}"}}}}"#);
            assert_eq!(read(&json), EventKind::Ended(Outcome { winner, termination }));
        }
        let mv = "h2+".parse().expect("a move");
        let played = EventKind::Move { mv, key: 7, left: None };
        assert_eq!(read(r#"{"turn":{"turn":"h2+","key":7}}"#), played);
        assert_eq!(read(r#"{"taken-back":{"turns":2}}"#), EventKind::TakenBack { moves: 2 });
    }
}
