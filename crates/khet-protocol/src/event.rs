//! What happens in a game, in numbered events.

use khet::{Color, Move, Outcome};
use serde::{Deserialize, Serialize};

#[cfg(feature = "openapi")]
use crate::OutcomeSchema;
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
    #[cfg_attr(feature = "openapi", schema(value_type = OutcomeSchema))]
    Ended(Outcome),
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
