//! Games in lists: live ones to watch, finished ones to search.

use std::fmt;
use std::str::FromStr;

use khet::Color;
use serde::{Deserialize, Serialize};

use crate::text::{as_text, excerpt};
use crate::{GameId, GameOptions, PersonName, PublicProfile, Seats};

/// A game in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameSummary {
    /// Which game.
    pub id: GameId,
    /// Who played; the ratings are those at the beginning.
    pub players: Seats<PublicProfile>,
    /// What was played.
    #[serde(flatten)]
    pub options: GameOptions,
    /// When it began, in milliseconds since 1970.
    pub at: u64,
    /// When it ended, in milliseconds since 1970; nothing while it is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<u64>,
    /// How many moves were made.
    pub moves: u32,
    /// The position on the board, in notation.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub position: khet::Placement,
    /// How it ended; missing while it is played.
    #[serde(default, alias = "end", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::OutcomeSchema>))]
    pub outcome: Option<khet::Outcome>,
}

/// A result to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ResultFilter {
    /// Silver won.
    Silver,
    /// Red won.
    Red,
    /// A draw.
    Draw,
    /// The player who is looked for won.
    Won,
    /// The player who is looked for lost.
    Lost,
}

/// What is looked for among finished games, in a query string. Everything is optional; the newest games come first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema, utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct GameQuery {
    /// A player.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "Anna"))]
    pub player: Option<PersonName>,
    /// Only games of whoever asks; with this, `player` is not needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mine: Option<bool>,
    /// The other player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<PersonName>,
    /// The colour of `player`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub color: Option<Color>,
    /// A setup's name; `position` for games from other positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "classic"))]
    pub setup: Option<String>,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "won"))]
    pub result: Option<ResultFilter>,
    /// Only rated games, or only casual ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = false))]
    pub rated: Option<bool>,
    /// Not before this moment, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// Before this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// Where the page before ended: its `next`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Cursor>,
    /// At most so many games, up to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = 10))]
    pub limit: Option<u32>,
}

/// A place in the list of finished games: behind that game. Written `1800000000000-7Hc0aWxz`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// When the game ended, in milliseconds since 1970.
    pub ended: u64,
    /// The game.
    pub id: GameId,
}

/// A text that is not a place in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseCursorError(String);

impl fmt::Display for ParseCursorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: the place in a list is what its last page called next", self.0)
    }
}

impl std::error::Error for ParseCursorError {}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ended, self.id)
    }
}

impl FromStr for Cursor {
    type Err = ParseCursorError;

    fn from_str(text: &str) -> Result<Cursor, ParseCursorError> {
        let read = || {
            let (ended, id) = text.split_once('-')?;
            Some(Cursor { ended: ended.parse().ok()?, id: id.parse().ok()? })
        };
        read().ok_or_else(|| ParseCursorError(excerpt(text)))
    }
}

as_text!(Cursor, "1800000000000-7Hc0aWxz");

/// A page of the list of finished games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GamePage {
    /// The games, those that ended last first.
    pub games: Vec<GameSummary>,
    /// For the next page: `after` in its question. Nothing behind the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Cursor>,
}

/// A game that is played now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveGame {
    /// The game.
    #[serde(flatten)]
    pub game: GameSummary,
    /// How many watch it.
    pub watching: u32,
}

/// What there is to watch.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WatchAnswer {
    /// The game to look at first: the strongest players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub featured: Option<GameId>,
    /// Games that are played now, at most fifty.
    pub games: Vec<LiveGame>,
}
