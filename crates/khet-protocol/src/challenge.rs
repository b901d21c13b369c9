//! What is agreed before a game: its start, rules and clocks, and who plays which colour.

use std::fmt;
use std::str::FromStr;

use khet::{
    Color, ParsePlacementError, Placement, Position, Rules, Setup, TimeControl, TimeLimits,
};
use serde::{Deserialize, Deserializer, Serialize};

use crate::text::as_text;
use crate::{ChallengeId, PersonName, PublicProfile};

/// Where a game starts: a setup by its name, or any position in notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// A setup of the printed sheets.
    Setup(Setup),
    /// Any other position.
    Position(Box<Placement>),
}

impl Start {
    /// The arrangement of the pieces.
    pub fn placement(&self) -> Placement {
        match self {
            Start::Setup(setup) => setup.placement(),
            Start::Position(placement) => **placement,
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Setup(setup) => setup.fmt(f),
            Start::Position(placement) => placement.fmt(f),
        }
    }
}

impl FromStr for Start {
    type Err = ParsePlacementError;

    fn from_str(text: &str) -> Result<Start, ParsePlacementError> {
        if let Ok(setup) = text.parse() {
            return Ok(Start::Setup(setup));
        }
        let placement: Placement = text.parse()?;
        Ok(Start::from(placement))
    }
}

impl From<Placement> for Start {
    /// One way to say it: a position that has a name is called by it.
    fn from(placement: Placement) -> Start {
        match Setup::of(&placement) {
            Some(setup) => Start::Setup(setup),
            None => Start::Position(Box::new(placement)),
        }
    }
}

as_text!(Start, "classic");

/// What is played, whoever plays it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameOptions {
    /// A setup's name, or a position in notation.
    pub start: Start,
    /// The edition: `standard` or `czech`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "standard"))]
    pub rules: Rules,
    /// The time control: `none`, `300+3` (seconds and increment) or `3d` (days per move).
    #[serde(deserialize_with = "online_time_control")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "300+3"))]
    pub time: TimeControl,
    /// Whether ratings change by it.
    #[serde(default)]
    pub rated: bool,
}

/// Reads a time control within the limits of games on a server.
fn online_time_control<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<TimeControl, D::Error> {
    let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
    TimeLimits::ONLINE.parse(&text).map_err(serde::de::Error::custom)
}

/// Why a game can't be played like that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionsProblem {
    /// The rules forbid the position; why, in words.
    Position(String),
    /// The game would be over before it begins.
    Over,
    /// Rated games have clocks.
    RatedWithoutClock,
    /// Rated games start from a setup with a name.
    RatedPosition,
}

impl fmt::Display for OptionsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionsProblem::Position(why) => write!(f, "this position can't be played: {why}"),
            OptionsProblem::Over => f.write_str("in this position the game is already over"),
            OptionsProblem::RatedWithoutClock => f.write_str("rated games have clocks"),
            OptionsProblem::RatedPosition => {
                f.write_str("rated games start from one of the named setups")
            }
        }
    }
}

impl std::error::Error for OptionsProblem {}

impl GameOptions {
    /// The position at the beginning, if such a game can be played.
    ///
    /// # Errors
    ///
    /// Why it can't.
    pub fn position(&self) -> Result<Position, OptionsProblem> {
        let position = Position::new(&self.start.placement(), self.rules)
            .map_err(|error| OptionsProblem::Position(error.to_string()))?;
        if position.outcome().is_some() {
            return Err(OptionsProblem::Over);
        }
        if self.rated && self.time == TimeControl::Unlimited {
            return Err(OptionsProblem::RatedWithoutClock);
        }
        if self.rated && matches!(self.start, Start::Position(_)) {
            return Err(OptionsProblem::RatedPosition);
        }
        Ok(position)
    }
}

/// Which colour the challenger wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ColorWish {
    /// Either, by lot.
    #[default]
    Random,
    /// To move first.
    Silver,
    /// To move second.
    Red,
}

impl ColorWish {
    /// The colour, with a coin for those who do not care.
    pub fn color(self, coin: bool) -> Color {
        match self {
            ColorWish::Silver => Color::Silver,
            ColorWish::Red => Color::Red,
            ColorWish::Random => Color::ALL[usize::from(coin)],
        }
    }
}

/// A challenge as it is made: `POST /api/challenges`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewChallenge {
    /// What is played.
    #[serde(flatten)]
    pub options: GameOptions,
    /// The challenger's colour.
    #[serde(default)]
    pub color: ColorWish,
    /// Whether everybody sees it in the lobby; otherwise only who has the link.
    #[serde(default)]
    pub open: bool,
    /// Only this person may accept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<PersonName>,
}

/// A challenge that waits for someone to accept it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Challenge {
    /// Its link is `/{language}/challenge/{id}`.
    pub id: ChallengeId,
    /// Who made it.
    pub by: PublicProfile,
    /// What is played.
    #[serde(flatten)]
    pub options: GameOptions,
    /// The challenger's colour.
    pub color: ColorWish,
    /// Whether it stands in the lobby.
    pub open: bool,
    /// Only this person may accept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<PersonName>,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
}
