//! The explorer: what was played from a position, and what came of it.

use std::fmt;
use std::str::FromStr;

use khet::{Color, Move, Placement, Rules};
use serde::{Deserialize, Serialize};

use crate::text::{as_text, excerpt};
use crate::{GameId, ImportedId, Speed};

/// How quick the games were: a speed, or `none` for games without clocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pace {
    /// No clock, or none that is known.
    Unclocked,
    /// With clocks.
    Clocked(Speed),
}

impl Pace {
    /// Every pace. The order is kept by databases.
    pub const ALL: [Pace; 5] = [
        Pace::Unclocked,
        Pace::Clocked(Speed::Bullet),
        Pace::Clocked(Speed::Blitz),
        Pace::Clocked(Speed::Rapid),
        Pace::Clocked(Speed::Correspondence),
    ];

    /// Its name in questions.
    pub const fn name(self) -> &'static str {
        match self {
            Pace::Unclocked => "none",
            Pace::Clocked(speed) => speed.name(),
        }
    }
}

impl From<Option<Speed>> for Pace {
    fn from(speed: Option<Speed>) -> Pace {
        speed.map_or(Pace::Unclocked, Pace::Clocked)
    }
}

/// How strong the players were: the mean of their ratings at the beginning, in bands that are called by where they begin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Band {
    /// The rating of one of them is not known: games that were not rated.
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

impl Band {
    /// Every band. The order is kept by databases.
    pub const ALL: [Band; 7] = [
        Band::Unrated,
        Band::From0,
        Band::From1200,
        Band::From1400,
        Band::From1600,
        Band::From1800,
        Band::From2000,
    ];

    /// The band of a game between players of these ratings.
    pub fn of(silver: Option<u16>, red: Option<u16>) -> Band {
        let Some((silver, red)) = silver.zip(red) else { return Band::Unrated };
        match (u32::from(silver) + u32::from(red)) / 2 {
            0..1200 => Band::From0,
            1200..1400 => Band::From1200,
            1400..1600 => Band::From1400,
            1600..1800 => Band::From1600,
            1800..2000 => Band::From1800,
            2000.. => Band::From2000,
        }
    }

    /// Its name in questions.
    pub const fn name(self) -> &'static str {
        match self {
            Band::Unrated => "unrated",
            Band::From0 => "0",
            Band::From1200 => "1200",
            Band::From1400 => "1400",
            Band::From1600 => "1600",
            Band::From1800 => "1800",
            Band::From2000 => "2000",
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
            type Err = ParseListError;

            fn from_str(text: &str) -> Result<$type, ParseListError> {
                let found = <$type>::ALL.into_iter().find(|known| known.name() == text);
                found.ok_or_else(|| ParseListError {
                    text: excerpt(text),
                    names: <$type>::ALL.map(<$type>::name).join(", "),
                })
            }
        }
    )*};
}

named!(Pace, Band);

/// A text that is none of some names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseListError {
    text: String,
    names: String,
}

impl fmt::Display for ParseListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is none of {}", self.text, self.names)
    }
}

impl std::error::Error for ParseListError {}

/// Some of a few values, written with commas between them: `bullet,blitz`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct List<T>(pub Vec<T>);

impl<T: fmt::Display> fmt::Display for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, value) in self.0.iter().enumerate() {
            write!(f, "{}{value}", if place > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl<T: FromStr + PartialEq> FromStr for List<T> {
    type Err = T::Err;

    /// Whoever names something twice means it once, so a list is never longer than its values are many.
    fn from_str(text: &str) -> Result<List<T>, T::Err> {
        let mut values = Vec::new();
        for name in text.split(',') {
            let value = name.trim().parse()?;
            if !values.contains(&value) {
                values.push(value);
            }
        }
        Ok(List(values))
    }
}

as_text! {
    List<Pace>, "bullet,blitz";
    List<Band>, "1600,1800,2000";
}

/// What is asked of the explorer, in a query string. Everything is optional.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema, utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ExplorerQuery {
    /// The position: a setup's name, or notation, in which `_` may stand for the space. The classic setup if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "classic"))]
    pub position: Option<String>,
    /// The edition of the rules, `standard` or `czech`: games of the other one do not count.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "standard"))]
    pub rules: Rules,
    /// Only games of these speeds, with commas between them: `none` (no clock), `bullet`, `blitz`, `rapid`, `correspondence`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "none,bullet,blitz"))]
    pub speeds: Option<List<Pace>>,
    /// Only games in these bands of ratings, with commas between them: `unrated`, `0`, `1200`, `1400`, `1600`, `1800`, `2000`. A band goes
    /// from its name to the next one. What counts is the mean of both players at the beginning; casual games are unrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "unrated,1400,1600"))]
    pub ratings: Option<List<Band>>,
}

/// How games ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tally {
    /// How many there were.
    pub games: u64,
    /// How many of them Silver won.
    pub silver: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many Red won.
    pub red: u64,
}

impl Tally {
    /// So many wins of Silver, draws and wins of Red.
    pub const fn new(silver: u64, draws: u64, red: u64) -> Tally {
        Tally { games: silver + draws + red, silver, draws, red }
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Tally) -> Tally {
        Tally::new(self.silver + other.silver, self.draws + other.draws, self.red + other.red)
    }
}

/// A move that was played from the position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExplorerMove {
    /// The move in notation.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "h2+"))]
    #[serde(rename = "move")]
    pub mv: Move,
    /// How the games ended in which it was.
    #[serde(flatten)]
    pub tally: Tally,
}

/// A game in which the position stood.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExplorerGame {
    /// What was played from the position.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "h2+"))]
    #[serde(rename = "move")]
    pub mv: Move,
    /// The game, if it was played here: `/api/games/{id}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// The game, if it was played elsewhere: `/api/imported/{id}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportedId>,
    /// Who played Silver, if they have a name. Of imported games this is whatever their record says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silver: Option<String>,
    /// Who played Red.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red: Option<String>,
    /// Silver's rating at the beginning, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silver_rating: Option<u16>,
    /// Red's rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red_rating: Option<u16>,
    /// Who won; nobody in a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, example = "silver"))]
    pub winner: Option<Color>,
    /// When, as records write it: `2026.11.15`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

/// What the explorer knows of a position: `GET /api/explorer`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExplorerAnswer {
    /// The position in notation.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub position: Placement,
    /// The edition of the rules.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "standard"))]
    pub rules: Rules,
    /// All games that went on from here.
    #[serde(flatten)]
    pub tally: Tally,
    /// What was played, the most frequent first.
    pub moves: Vec<ExplorerMove>,
    /// A few of these games, those that were counted last first; at most one for each move.
    pub recent: Vec<ExplorerGame>,
}

#[cfg(test)]
mod tests {
    use super::{Band, List, Pace};
    use crate::Speed;

    #[test]
    fn lists_are_read_as_they_are_written() {
        let list: List<Pace> = "none,bullet, bullet,rapid".parse().unwrap();
        let (bullet, rapid) = (Pace::Clocked(Speed::Bullet), Pace::Clocked(Speed::Rapid));
        assert_eq!(list.0, [Pace::Unclocked, bullet, rapid]);
        assert_eq!(list.to_string(), "none,bullet,rapid");
        let error = "1400,1500".parse::<List<Band>>().unwrap_err().to_string();
        assert_eq!(error, "\"1500\" is none of unrated, 0, 1200, 1400, 1600, 1800, 2000");
        assert!("".parse::<List<Band>>().is_err());
    }

    #[test]
    fn a_band_needs_both_ratings() {
        for (silver, red, band) in [
            (None, None, Band::Unrated),
            (Some(1500), None, Band::Unrated),
            (Some(0), Some(0), Band::From0),
            (Some(1199), Some(1200), Band::From0),
            (Some(1000), Some(1400), Band::From1200),
            (Some(u16::MAX), Some(u16::MAX), Band::From2000),
        ] {
            assert_eq!(Band::of(silver, red), band, "{silver:?} {red:?}");
        }
    }
}
