//! Challenges, and the options of a game: start, rules, time control and colours.

use std::fmt;
use std::str::FromStr;

use khet::{
    AnyPlacement, AnyPosition, AnySetup, Color, GamePosition, ParseAnyPlacementError, Placement,
    Rules, TimeControl, TimeLimits,
};
use serde::{Deserialize, Deserializer, Serialize};

use crate::text::as_text;
use crate::{ChallengeId, PersonName, PublicProfile, SeekId};

/// The start of a game: a setup by its name, or any position in notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// A setup with a name, with or without a tower.
    Setup(AnySetup),
    /// Any other position, with or without a tower.
    Position(Box<AnyPlacement>),
}

impl Start {
    /// Returns the placement of the pieces.
    pub fn placement(&self) -> AnyPlacement {
        match self {
            Start::Setup(setup) => setup.placement(),
            Start::Position(placement) => **placement,
        }
    }

    /// Returns whether it is a setup with a name.
    pub fn has_name(&self) -> bool {
        matches!(self, Start::Setup(_))
    }

    /// Writes a position for the query of a URL: `_` for the space, `%2B` for the `+` before the
    /// upper level of a tower.
    ///
    /// ```
    /// use khet_protocol::Start;
    ///
    /// let start: Start = "4k5/10/10/10/10/10/10/5K4+e4:6/6/6/6/6/6 s".parse()?;
    /// let query = Start::url_text(&start.placement());
    /// assert_eq!(query, "4k5/10/10/10/10/10/10/5K4%2Be4:6/6/6/6/6/6_s");
    /// assert_eq!(Start::from_url_text(&query.replace("%2B", "+")), Ok(start));
    /// # Ok::<_, khet::ParseAnyPlacementError>(())
    /// ```
    pub fn url_text(placement: &AnyPlacement) -> String {
        placement.to_string().replace(' ', "_").replace('+', "%2B")
    }

    /// Reads the text of a query, after its escapes are resolved. A `+` in a query stands for a
    /// space, so a position with a tower may have a space in its place.
    ///
    /// # Errors
    ///
    /// If it is neither the name of a setup nor a position.
    pub fn from_url_text(text: &str) -> Result<Start, ParseAnyPlacementError> {
        let text = text.replace('_', " ");
        match text.split_once(' ') {
            Some((ground, rest)) if rest.contains(':') && !text.contains('+') => {
                format!("{ground}+{rest}").parse()
            }
            _ => text.parse(),
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
    type Err = ParseAnyPlacementError;

    fn from_str(text: &str) -> Result<Start, ParseAnyPlacementError> {
        if let Ok(setup) = text.parse() {
            return Ok(Start::Setup(setup));
        }
        let placement: AnyPlacement = text.parse()?;
        Ok(Start::from(placement))
    }
}

impl From<AnyPlacement> for Start {
    /// Uses the name of a setup for its position, so that equal starts are equal values.
    fn from(placement: AnyPlacement) -> Start {
        match AnySetup::of(&placement) {
            Some(setup) => Start::Setup(setup),
            None => Start::Position(Box::new(placement)),
        }
    }
}

impl From<Placement> for Start {
    fn from(placement: Placement) -> Start {
        Start::from(AnyPlacement::from(placement))
    }
}

as_text!(Start, "classic");

/// The options of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameOptions {
    /// A setup's name, or a position in notation.
    pub start: Start,
    /// The rules: `standard` or `czech`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "standard"))]
    pub rules: Rules,
    /// The time control: `none`, `300+3` (seconds and increment) or `3d` (days per move).
    #[serde(deserialize_with = "online_time_control")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "300+3"))]
    pub time: TimeControl,
    /// True if the game changes ratings.
    #[serde(default)]
    pub rated: bool,
    /// True if only people with the link see the game: it is in no list but those of its players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

/// Reads a time control within the limits of games on a server.
fn online_time_control<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<TimeControl, D::Error> {
    let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
    TimeLimits::ONLINE.parse(&text).map_err(serde::de::Error::custom)
}

/// The reason why game options are refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionsProblem {
    /// The position is invalid, with the reason.
    Position(String),
    /// The game is over in the start position.
    Over,
    /// Rated games need a clock.
    RatedWithoutClock,
    /// Rated games start from a setup with a name.
    RatedPosition,
    /// Rated games are public, so that everybody can see where a rating comes from.
    RatedPrivate,
}

impl fmt::Display for OptionsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionsProblem::Position(why) => write!(f, "this position cannot be played: {why}"),
            OptionsProblem::Over => f.write_str("in this position the game is already over"),
            OptionsProblem::RatedWithoutClock => f.write_str("rated games need a clock"),
            OptionsProblem::RatedPosition => {
                f.write_str("rated games start from one of the named setups")
            }
            OptionsProblem::RatedPrivate => f.write_str("private games are casual"),
        }
    }
}

impl std::error::Error for OptionsProblem {}

impl GameOptions {
    /// Returns the start position.
    ///
    /// # Errors
    ///
    /// If the options are refused.
    pub fn position(&self) -> Result<AnyPosition, OptionsProblem> {
        let position = AnyPosition::new(&self.start.placement(), self.rules)
            .map_err(|error| OptionsProblem::Position(error.to_string()))?;
        if position.outcome().is_some() {
            return Err(OptionsProblem::Over);
        }
        if self.rated && self.time == TimeControl::Unlimited {
            return Err(OptionsProblem::RatedWithoutClock);
        }
        if self.rated && !self.start.has_name() {
            return Err(OptionsProblem::RatedPosition);
        }
        if self.rated && self.private {
            return Err(OptionsProblem::RatedPrivate);
        }
        Ok(position)
    }

    /// Returns whether the options differ in nothing but that one game is rated and the other is
    /// casual.
    pub fn differs_only_in_rated(&self, other: &GameOptions) -> bool {
        self.rated != other.rated && GameOptions { rated: other.rated, ..self.clone() } == *other
    }
}

/// The colour that the challenger wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ColorPreference {
    /// A random colour.
    #[default]
    Random,
    /// Silver, who moves first.
    Silver,
    /// Red.
    Red,
}

impl ColorPreference {
    /// Returns the colour; `coin` decides if it is random.
    pub fn color(self, coin: bool) -> Color {
        match self {
            ColorPreference::Silver => Color::Silver,
            ColorPreference::Red => Color::Red,
            ColorPreference::Random => Color::ALL[usize::from(coin)],
        }
    }

    /// Returns whether two people with these preferences can play each other.
    pub fn is_compatible_with(self, other: ColorPreference) -> bool {
        self != other || self == ColorPreference::Random
    }
}

/// A challenge to post: `POST /api/challenges`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewChallenge {
    /// Start, rules and time control.
    #[serde(flatten)]
    pub options: GameOptions,
    /// The challenger's colour.
    #[serde(default)]
    pub color: ColorPreference,
    /// True if it is listed in the lobby; otherwise only people with the link see it.
    #[serde(default)]
    pub open: bool,
    /// Only this person may accept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<PersonName>,
}

/// A challenge that has not been accepted yet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Challenge {
    /// Its link is `/challenge/{id}`.
    pub id: ChallengeId,
    /// The challenger.
    pub by: PublicProfile,
    /// Start, rules and time control.
    #[serde(flatten)]
    pub options: GameOptions,
    /// The challenger's colour.
    pub color: ColorPreference,
    /// True if it is listed in the lobby.
    pub open: bool,
    /// Only this person may accept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<PersonName>,
    /// When it was posted, in milliseconds since 1970.
    pub at: u64,
}

/// A person in the lobby who waits for an opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seek {
    /// Its id, for `POST /api/seeks/{id}/accept`.
    pub id: SeekId,
    /// The person who waits.
    pub by: PublicProfile,
    /// Start, rules and time control.
    #[serde(flatten)]
    pub options: GameOptions,
    /// The colour that this person wants.
    pub color: ColorPreference,
    /// Since when, in milliseconds since 1970.
    pub at: u64,
}

/// A connected bot that accepts challenges to it at once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WaitingBot {
    /// The bot.
    pub profile: PublicProfile,
    /// The time controls it accepts.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>, example = json!(["300+3"])))]
    pub times: Vec<TimeControl>,
}
