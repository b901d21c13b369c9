//! Lists of games: games in progress to watch, finished games to search.

use std::fmt;
use std::str::FromStr;

use khet::Color;
use serde::{Deserialize, Serialize};

use crate::text::{as_text, excerpt};
use crate::{ByColor, GameId, GameOptions, PersonName, PublicProfile};

/// A game in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameSummary {
    /// The game.
    pub id: GameId,
    /// The players, with their ratings at the start.
    pub players: ByColor<PublicProfile>,
    /// Start, rules and time control.
    #[serde(flatten)]
    pub options: GameOptions,
    /// When it started, in milliseconds since 1970.
    pub at: u64,
    /// When it ended, in milliseconds since 1970; absent while it is in progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<u64>,
    /// Number of moves made.
    pub moves: u32,
    /// The current position, in notation.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub position: khet::AnyPlacement,
    /// The outcome; absent while the game is in progress.
    #[serde(default, alias = "end", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::OutcomeSchema>))]
    pub outcome: Option<khet::Outcome>,
}

/// A result to search for.
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
    /// `player` won.
    Won,
    /// `player` lost.
    Lost,
}

/// A search among finished games, as a query string. All fields are optional; the newest games come
/// first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema, utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct GameQuery {
    /// A player.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "Anna"))]
    pub player: Option<PersonName>,
    /// Only games of the person who asks; `player` is not needed then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mine: Option<bool>,
    /// The opponent of `player`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<PersonName>,
    /// The colour of `player`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub color: Option<Color>,
    /// The name of a setup; `position` for games from other positions.
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
    /// Games that ended at this time or later, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// Games that ended before this time, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// The `next` of the previous page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<GameCursor>,
    /// Maximum number of games, up to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = 10))]
    pub limit: Option<u32>,
}

/// A position in the list of finished games: after this game. Written `1800000000000-7Hc0aWxz`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameCursor {
    /// When the game ended, in milliseconds since 1970.
    pub ended: u64,
    /// The game.
    pub id: GameId,
}

/// A text that is not a cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseGameCursorError(String);

impl fmt::Display for ParseGameCursorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a cursor: it is the `next` of the previous page", self.0)
    }
}

impl std::error::Error for ParseGameCursorError {}

impl fmt::Display for GameCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ended, self.id)
    }
}

impl FromStr for GameCursor {
    type Err = ParseGameCursorError;

    fn from_str(text: &str) -> Result<GameCursor, ParseGameCursorError> {
        let read = || {
            let (ended, id) = text.split_once('-')?;
            Some(GameCursor { ended: ended.parse().ok()?, id: id.parse().ok()? })
        };
        read().ok_or_else(|| ParseGameCursorError(excerpt(text)))
    }
}

as_text!(GameCursor, "1800000000000-7Hc0aWxz");

/// A page of the list of finished games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GamePage {
    /// The games, the latest first.
    pub games: Vec<GameSummary>,
    /// The `after` of the query for the next page; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<GameCursor>,
}

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveGame {
    /// The game.
    #[serde(flatten)]
    pub game: GameSummary,
    /// Number of spectators.
    #[serde(alias = "watching")]
    pub spectators: u32,
}

/// The games to watch: `GET /api/watch`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WatchResponse {
    /// The game between the strongest players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub featured: Option<GameId>,
    /// Games in progress, at most fifty.
    pub games: Vec<LiveGame>,
}
