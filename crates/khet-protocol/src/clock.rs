//! How much time the players have: `300+3`, `3d`, or `none`.

use std::fmt;
use std::str::FromStr;

use crate::text::{as_text, excerpt};

/// The clocks of a game.
///
/// ```
/// use khet_protocol::{Speed, TimeControl};
///
/// let control: TimeControl = "300+3".parse()?;
/// assert_eq!(control, TimeControl::RealTime { start: 300, increment: 3 });
/// assert_eq!(control.speed(), Some(Speed::Blitz));
/// assert_eq!("3d".parse(), Ok(TimeControl::Correspondence { days: 3 }));
/// assert!("5+0".parse::<TimeControl>().is_err());
/// # Ok::<_, khet_protocol::ParseTimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TimeControl {
    /// No clock: `none`.
    None,
    /// Time for the whole game and more for each move, both in seconds: `300+3`.
    #[allow(missing_docs)]
    RealTime { start: u16, increment: u8 },
    /// So many days for each move: `3d`.
    #[allow(missing_docs)]
    Correspondence { days: u8 },
}

/// How quick a game is. Ratings are kept for each apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Speed {
    /// A game of less than three minutes a player.
    Bullet,
    /// Less than ten.
    Blitz,
    /// Longer games at one sitting.
    Rapid,
    /// Days for each move.
    Correspondence,
}

/// Moves that a player makes in a game of usual length, for the worth of an increment.
const USUAL_MOVES: u32 = 40;
const DAY: u64 = 24 * 60 * 60 * 1000;

impl TimeControl {
    /// A control as people choose it: 1 to 60 minutes, 0 to 60 seconds a move.
    pub fn real_time(minutes: u16, increment: u8) -> Option<TimeControl> {
        let control = TimeControl::RealTime { start: minutes.checked_mul(60)?, increment };
        control.is_offered().then_some(control)
    }

    fn is_offered(self) -> bool {
        match self {
            TimeControl::None => true,
            TimeControl::RealTime { start, increment } => {
                (60..=3600).contains(&start) && increment <= 60
            }
            TimeControl::Correspondence { days } => (1..=14).contains(&days),
        }
    }

    /// How quick games with these clocks are; without clocks they have no speed, and no rating.
    pub fn speed(self) -> Option<Speed> {
        match self {
            TimeControl::None => None,
            TimeControl::RealTime { start, increment } => {
                Some(Speed::of_seconds(u32::from(start) + USUAL_MOVES * u32::from(increment)))
            }
            TimeControl::Correspondence { .. } => Some(Speed::Correspondence),
        }
    }

    /// What each player has at the start, in milliseconds.
    pub fn start(self) -> Option<u64> {
        match self {
            TimeControl::None => None,
            TimeControl::RealTime { start, .. } => Some(u64::from(start) * 1000),
            TimeControl::Correspondence { days } => Some(u64::from(days) * DAY),
        }
    }
}

impl Speed {
    /// Every speed, the quickest first.
    pub const ALL: [Speed; 4] = [Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Correspondence];

    /// How quick a game is in which a player has so many seconds, increments counted.
    const fn of_seconds(seconds: u32) -> Speed {
        match seconds {
            0..180 => Speed::Bullet,
            180..600 => Speed::Blitz,
            _ => Speed::Rapid,
        }
    }

    /// How quick a game was whose record says this of its time control. Records come from everywhere: clocks that are not
    /// offered here, such as `10+0.1`, have a speed too.
    ///
    /// ```
    /// use khet_protocol::Speed;
    ///
    /// assert_eq!(Speed::of_record("10+0.1"), Some(Speed::Bullet));
    /// assert_eq!(Speed::of_record("7200"), Some(Speed::Rapid));
    /// assert_eq!(Speed::of_record("-"), None);
    /// ```
    pub fn of_record(text: &str) -> Option<Speed> {
        let seconds = |text: &str| text.parse().ok().filter(|&seconds: &f64| seconds >= 0.0);
        if let Some(days) = text.strip_suffix('d') {
            return seconds(days).map(|_| Speed::Correspondence);
        }
        let (start, increment) = text.split_once('+').unwrap_or((text, "0"));
        let total = seconds(start)? + f64::from(USUAL_MOVES) * seconds(increment)?;
        // What is too large for the number is long anyway.
        Some(Speed::of_seconds(total as u32))
    }

    /// Its name in addresses and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Correspondence => "correspondence",
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::None => f.write_str("none"),
            TimeControl::RealTime { start, increment } => write!(f, "{start}+{increment}"),
            TimeControl::Correspondence { days } => write!(f, "{days}d"),
        }
    }
}

/// A text that is not a time control, or one that is not offered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseTimeControlError(String);

impl fmt::Display for ParseTimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?}: a time control is none, seconds from 60+0 to 3600+60, or 1d to 14d",
            self.0
        )
    }
}

impl std::error::Error for ParseTimeControlError {}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        let read = || {
            if text == "none" {
                return Some(TimeControl::None);
            }
            if let Some(days) = text.strip_suffix('d') {
                return Some(TimeControl::Correspondence { days: number(days)? });
            }
            let (start, increment) = text.split_once('+')?;
            Some(TimeControl::RealTime { start: number(start)?, increment: number(increment)? })
        };
        let control = read().filter(|control| control.is_offered());
        control.ok_or_else(|| ParseTimeControlError(excerpt(text)))
    }
}

/// A number without sign or leading zeros, so that there is one way to write it.
fn number<N: FromStr>(text: &str) -> Option<N> {
    let plain = text == "0" || text.starts_with(|first: char| ('1'..='9').contains(&first));
    if plain { text.parse().ok() } else { None }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Speed {
    type Err = String;

    fn from_str(text: &str) -> Result<Speed, String> {
        let found = Speed::ALL.into_iter().find(|speed| speed.name() == text);
        found.ok_or_else(|| {
            format!("{:?}: a speed is bullet, blitz, rapid or correspondence", excerpt(text))
        })
    }
}

as_text! {
    TimeControl, "300+3";
    Speed, "blitz";
}

#[cfg(test)]
mod tests {
    use super::{Speed, TimeControl};

    #[test]
    fn time_controls_are_read_as_they_are_written() {
        for text in ["none", "60+0", "3600+60", "300+3", "1d", "14d"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
    }

    #[test]
    fn what_is_not_offered_is_refused() {
        for text in
            ["", "59+0", "3601+0", "300+61", "0d", "15d", "+", "300+-1", "0300+3", "300", "d"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_increment_counts_towards_the_speed() {
        for (text, speed) in [
            ("none", None),
            ("60+0", Some(Speed::Bullet)),
            ("60+3", Some(Speed::Blitz)),
            ("300+0", Some(Speed::Blitz)),
            ("300+8", Some(Speed::Rapid)),
            ("2d", Some(Speed::Correspondence)),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().speed(), speed, "{text}");
        }
    }
}
