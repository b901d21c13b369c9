//! The opening explorer: the moves played from a position, and the results of those games.

use std::fmt;
use std::str::FromStr;

use khet::{AnyPlacement, Color, Move, Rules, tower};
use serde::{Deserialize, Serialize};

use crate::text::{as_text, excerpt};
use crate::{GameId, ImportedId, Speed};

/// The speed of a game, or `none` if it had no clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpeedClass {
    /// No clock, or an unknown one.
    NoClock,
    /// A game with a clock.
    Clocked(Speed),
}

impl SpeedClass {
    /// Every class. Databases store the index, so the order must not change.
    pub const ALL: [SpeedClass; 5] = [
        SpeedClass::NoClock,
        SpeedClass::Clocked(Speed::Bullet),
        SpeedClass::Clocked(Speed::Blitz),
        SpeedClass::Clocked(Speed::Rapid),
        SpeedClass::Clocked(Speed::Correspondence),
    ];

    /// Returns the name in queries.
    pub const fn name(self) -> &'static str {
        match self {
            SpeedClass::NoClock => "none",
            SpeedClass::Clocked(speed) => speed.name(),
        }
    }
}

impl From<Option<Speed>> for SpeedClass {
    fn from(speed: Option<Speed>) -> SpeedClass {
        speed.map_or(SpeedClass::NoClock, SpeedClass::Clocked)
    }
}

/// A range of the mean of both players' ratings at the start, named after its lower end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RatingBand {
    /// The rating of a player is unknown, as in casual games.
    Unrated,
    /// Below 1200.
    From0,
    /// From 1200 on.
    From1200,
    /// From 1400 on.
    From1400,
    /// From 1600 on.
    From1600,
    /// From 1800 on.
    From1800,
    /// From 2000 on.
    From2000,
}

impl RatingBand {
    /// Every band. Databases store the index, so the order must not change.
    pub const ALL: [RatingBand; 7] = [
        RatingBand::Unrated,
        RatingBand::From0,
        RatingBand::From1200,
        RatingBand::From1400,
        RatingBand::From1600,
        RatingBand::From1800,
        RatingBand::From2000,
    ];

    /// Returns the band of a game between players with these ratings.
    pub fn of(silver: Option<u16>, red: Option<u16>) -> RatingBand {
        let Some((silver, red)) = silver.zip(red) else { return RatingBand::Unrated };
        match (u32::from(silver) + u32::from(red)) / 2 {
            0..1200 => RatingBand::From0,
            1200..1400 => RatingBand::From1200,
            1400..1600 => RatingBand::From1400,
            1600..1800 => RatingBand::From1600,
            1800..2000 => RatingBand::From1800,
            2000.. => RatingBand::From2000,
        }
    }

    /// Returns the name in queries.
    pub const fn name(self) -> &'static str {
        match self {
            RatingBand::Unrated => "unrated",
            RatingBand::From0 => "0",
            RatingBand::From1200 => "1200",
            RatingBand::From1400 => "1400",
            RatingBand::From1600 => "1600",
            RatingBand::From1800 => "1800",
            RatingBand::From2000 => "2000",
        }
    }
}

macro_rules! named {
    ($($type:ty),*) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownNameError;

            fn from_str(text: &str) -> Result<$type, UnknownNameError> {
                let found = <$type>::ALL.into_iter().find(|known| known.name() == text);
                found.ok_or_else(|| UnknownNameError {
                    text: excerpt(text),
                    names: <$type>::ALL.map(<$type>::name).join(", "),
                })
            }
        }
    )*};
}

named!(SpeedClass, RatingBand);

/// A text that is not one of the expected names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownNameError {
    text: String,
    names: String,
}

impl fmt::Display for UnknownNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is none of {}", self.text, self.names)
    }
}

impl std::error::Error for UnknownNameError {}

/// A list of values separated by commas: `bullet,blitz`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommaSeparated<T>(pub Vec<T>);

impl<T: fmt::Display> fmt::Display for CommaSeparated<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, value) in self.0.iter().enumerate() {
            write!(f, "{}{value}", if place > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl<T: FromStr + PartialEq> FromStr for CommaSeparated<T> {
    type Err = T::Err;

    /// Drops duplicates, so that a list is never longer than the number of possible values.
    fn from_str(text: &str) -> Result<CommaSeparated<T>, T::Err> {
        let mut values = Vec::new();
        for name in text.split(',') {
            let value = name.trim().parse()?;
            if !values.contains(&value) {
                values.push(value);
            }
        }
        Ok(CommaSeparated(values))
    }
}

as_text! {
    CommaSeparated<SpeedClass>, "bullet,blitz";
    CommaSeparated<RatingBand>, "1600,1800,2000";
}

/// A query of the explorer. All fields are optional.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema, utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ExplorerQuery {
    /// The position: the name of a setup, or notation with `_` instead of the space and `%2B`
    /// instead of the `+` before the upper level of a tower. The classic setup by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "classic"))]
    pub position: Option<String>,
    /// The rules, `standard` or `czech`; games by the other rules do not count.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "standard"))]
    pub rules: Rules,
    /// Only games of these speeds, separated by commas: `none` (no clock), `bullet`, `blitz`,
    /// `rapid`, `correspondence`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "none,bullet,blitz"))]
    pub speeds: Option<CommaSeparated<SpeedClass>>,
    /// Only games in these rating bands, separated by commas: `unrated`, `0`, `1200`, `1400`,
    /// `1600`, `1800`, `2000`. A band reaches up to the next one. The mean of both players' ratings
    /// at the start counts; casual games are unrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "unrated,1400,1600"))]
    pub ratings: Option<CommaSeparated<RatingBand>>,
}

/// Number of games by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResultCounts {
    /// Number of games.
    pub games: u64,
    /// Games that Silver won.
    pub silver: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Red won.
    pub red: u64,
}

impl ResultCounts {
    /// Counts from the wins of Silver, the draws and the wins of Red.
    pub const fn new(silver: u64, draws: u64, red: u64) -> ResultCounts {
        ResultCounts { games: silver + draws + red, silver, draws, red }
    }

    /// Returns the sum of both.
    #[must_use]
    pub const fn plus(self, other: ResultCounts) -> ResultCounts {
        ResultCounts::new(
            self.silver + other.silver,
            self.draws + other.draws,
            self.red + other.red,
        )
    }
}

/// A move that was played from the position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExplorerMove {
    /// The move in notation.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "h2+"))]
    #[serde(rename = "move")]
    pub mv: Move<tower::Square>,
    /// The results of the games with this move.
    #[serde(flatten)]
    pub results: ResultCounts,
}

/// A game in which the position occurred.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExplorerGame {
    /// The move played from the position, in notation.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "h2+"))]
    #[serde(rename = "move")]
    pub mv: Move<tower::Square>,
    /// The game, if it was played on this server: `/api/games/{id}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// The game, if it was played elsewhere: `/api/imported/{id}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportedId>,
    /// The name of Silver, if there is one. For imported games it is taken from the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silver: Option<String>,
    /// The name of Red, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red: Option<String>,
    /// Silver's rating at the start, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silver_rating: Option<u16>,
    /// Red's rating at the start, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red_rating: Option<u16>,
    /// The winner; none in a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, example = "silver"))]
    pub winner: Option<Color>,
    /// The date in the format of records: `2026.11.15`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

/// The games played from a position: `GET /api/explorer`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExplorerResponse {
    /// The position in notation.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub position: AnyPlacement,
    /// The rules.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "standard"))]
    pub rules: Rules,
    /// The results of all games that continued from here.
    #[serde(flatten)]
    pub results: ResultCounts,
    /// The moves played, the most frequent first.
    pub moves: Vec<ExplorerMove>,
    /// Some of these games, the latest first; at most one per move.
    pub recent: Vec<ExplorerGame>,
}

#[cfg(test)]
mod tests {
    use super::{CommaSeparated, RatingBand, SpeedClass};
    use crate::Speed;

    #[test]
    fn lists_are_read_as_they_are_written() {
        let list: CommaSeparated<SpeedClass> = "none,bullet, bullet,rapid".parse().unwrap();
        let (bullet, rapid) =
            (SpeedClass::Clocked(Speed::Bullet), SpeedClass::Clocked(Speed::Rapid));
        assert_eq!(list.0, [SpeedClass::NoClock, bullet, rapid]);
        assert_eq!(list.to_string(), "none,bullet,rapid");
        let error = "1400,1500".parse::<CommaSeparated<RatingBand>>().unwrap_err().to_string();
        assert_eq!(error, "\"1500\" is none of unrated, 0, 1200, 1400, 1600, 1800, 2000");
        assert!("".parse::<CommaSeparated<RatingBand>>().is_err());
    }

    #[test]
    fn games_without_both_ratings_are_unrated() {
        for (silver, red, band) in [
            (None, None, RatingBand::Unrated),
            (Some(1500), None, RatingBand::Unrated),
            (Some(0), Some(0), RatingBand::From0),
            (Some(1199), Some(1200), RatingBand::From0),
            (Some(1000), Some(1400), RatingBand::From1200),
            (Some(u16::MAX), Some(u16::MAX), RatingBand::From2000),
        ] {
            assert_eq!(RatingBand::of(silver, red), band, "{silver:?} {red:?}");
        }
    }
}
