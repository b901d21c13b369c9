//! Time controls: their text form, the limits of what players may choose, and the presets offered.
//!
//! Everything about a time control is defined here. To offer another one, add it to
//! [`TimeControl::PRESETS`]; to allow longer or shorter games, change [`TimeLimits`]. The pages of
//! the app, the server, bots and `khet match` read these.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::excerpt::excerpt;
use crate::{GamePosition, Record};

/// The name of a record's tag that holds the time control.
const TAG: &str = "TimeControl";
/// The value of that tag for games without a clock, as in PGN.
const NO_CLOCK_TAG: &str = "-";

/// The thinking time of the players of a game.
///
/// Written as `none`, as `300+3` (seconds, and seconds added per move), or as `3d` (days per move).
///
/// ```
/// use khet::{TimeControl, TimeLimits};
///
/// let control: TimeControl = "300+3".parse()?;
/// assert_eq!(control, TimeControl::minutes(5, 3));
/// assert_eq!("3d".parse(), Ok(TimeControl::Correspondence { days: 3 }));
/// assert_eq!("10+0.1".parse::<TimeControl>()?.to_string(), "10+0.1");
/// assert!(TimeLimits::ONLINE.parse("10+0.1").is_err());
/// # Ok::<_, khet::ParseTimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TimeControl {
    /// No clock: `none`.
    Unlimited,
    /// Time for the whole game, and an increment per move: `300+3`.
    RealTime {
        /// Time of each player at the start.
        start: Duration,
        /// Time added after each move.
        increment: Duration,
    },
    /// Days per move: `3d`.
    Correspondence {
        /// Number of days for each move.
        days: u8,
    },
}

impl TimeControl {
    /// The time controls of quick pairing in the lobby, the fastest first.
    pub const PRESETS: [TimeControl; 6] = [
        TimeControl::minutes(1, 0),
        TimeControl::minutes(3, 2),
        TimeControl::minutes(5, 3),
        TimeControl::minutes(10, 5),
        TimeControl::minutes(15, 10),
        TimeControl::minutes(30, 20),
    ];

    /// The minutes and the increment in seconds that forms suggest.
    pub const SUGGESTED: (u64, u64) = (10, 5);

    /// The days per move that forms suggest.
    pub const SUGGESTED_DAYS: u8 = 2;

    /// The time control of the challenges that bots keep in the lobby, unless told otherwise.
    pub const DEFAULT: TimeControl =
        TimeControl::minutes(TimeControl::SUGGESTED.0, TimeControl::SUGGESTED.1);

    /// Real time with this many minutes and an increment in seconds.
    pub const fn minutes(minutes: u64, increment: u64) -> TimeControl {
        TimeControl::RealTime {
            start: Duration::from_secs(60 * minutes),
            increment: Duration::from_secs(increment),
        }
    }

    /// Returns the time that each player has at the start, or per move in correspondence games.
    pub const fn start(self) -> Option<Duration> {
        match self {
            TimeControl::Unlimited => None,
            TimeControl::RealTime { start, .. } => Some(start),
            TimeControl::Correspondence { days } => {
                Some(Duration::from_secs(days as u64 * 24 * 60 * 60))
            }
        }
    }

    /// Returns the time that a move adds to the clock.
    pub const fn increment(self) -> Duration {
        match self {
            TimeControl::RealTime { increment, .. } => increment,
            TimeControl::Unlimited | TimeControl::Correspondence { .. } => Duration::ZERO,
        }
    }

    /// Returns whether the game is played in one sitting, with a clock.
    pub const fn is_real_time(self) -> bool {
        matches!(self, TimeControl::RealTime { .. })
    }

    /// Returns whether the players have days per move.
    pub const fn is_correspondence(self) -> bool {
        matches!(self, TimeControl::Correspondence { .. })
    }
}

/// The range of time controls that players may choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeLimits {
    /// Minutes on each clock at the start.
    pub minutes: RangeInclusive<u64>,
    /// Seconds added per move.
    pub increment: RangeInclusive<u64>,
    /// Days per move; empty where correspondence games are not offered.
    pub days: RangeInclusive<u8>,
}

impl TimeLimits {
    /// Games on a server.
    pub const ONLINE: TimeLimits = TimeLimits { minutes: 1..=60, increment: 0..=60, days: 1..=14 };

    /// Games on one device.
    #[allow(clippy::reversed_empty_ranges)]
    pub const LOCAL: TimeLimits = TimeLimits { minutes: 1..=180, increment: 0..=60, days: 1..=0 };

    /// Returns whether a time control is within these limits.
    pub fn contains(&self, control: TimeControl) -> bool {
        let minute = |minutes: u64| Duration::from_secs(60 * minutes);
        match control {
            TimeControl::Unlimited => true,
            TimeControl::RealTime { start, increment } => {
                let second = Duration::from_secs;
                (minute(*self.minutes.start())..=minute(*self.minutes.end())).contains(&start)
                    && (second(*self.increment.start())..=second(*self.increment.end()))
                        .contains(&increment)
                    && start.subsec_nanos() == 0
                    && increment.subsec_nanos() == 0
            }
            TimeControl::Correspondence { days } => self.days.contains(&days),
        }
    }

    /// Reads a time control that is within these limits.
    ///
    /// # Errors
    ///
    /// If the text is not a time control, or is outside the limits.
    pub fn parse(&self, text: &str) -> Result<TimeControl, ParseTimeControlError> {
        let control = text.parse().ok().filter(|&control| self.contains(control));
        control.ok_or_else(|| ParseTimeControlError {
            text: excerpt(text),
            limits: Some(self.clone()),
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TimeControl::Unlimited => f.write_str("none"),
            TimeControl::RealTime { start, increment } => {
                write_seconds(f, start)?;
                f.write_str("+")?;
                write_seconds(f, increment)
            }
            TimeControl::Correspondence { days } => write!(f, "{days}d"),
        }
    }
}

/// Writes seconds, with up to three decimal places. Floating-point formatting would add kilobytes
/// to the browser bundle.
fn write_seconds(f: &mut fmt::Formatter<'_>, time: Duration) -> fmt::Result {
    write!(f, "{}", time.as_secs())?;
    match time.subsec_millis() {
        0 => Ok(()),
        millis if millis % 100 == 0 => write!(f, ".{}", millis / 100),
        millis if millis % 10 == 0 => write!(f, ".{:02}", millis / 10),
        millis => write!(f, ".{millis:03}"),
    }
}

/// A text that is not a time control, or not one within the limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseTimeControlError {
    text: String,
    limits: Option<TimeLimits>,
}

impl fmt::Display for ParseTimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: a time control is none, ", self.text)?;
        let Some(TimeLimits { minutes, increment, days }) = &self.limits else {
            return f.write_str("SECONDS+INCREMENT such as 300+3, or days per move such as 3d");
        };
        let [shortest, longest] = [minutes.start(), minutes.end()].map(|minutes| 60 * minutes);
        write!(
            f,
            "seconds from {shortest}+{} to {longest}+{}",
            increment.start(),
            increment.end()
        )?;
        if days.is_empty() {
            return Ok(());
        }
        write!(f, ", or {}d to {}d", days.start(), days.end())
    }
}

impl std::error::Error for ParseTimeControlError {}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    /// Reads `none`, `-` (as records write it), `SECONDS`, `SECONDS+INCREMENT` or `DAYSd`.
    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        read(text).ok_or_else(|| ParseTimeControlError { text: excerpt(text), limits: None })
    }
}

/// Reads a time control such as `5+3`, `2d` or `none`.
fn read(text: &str) -> Option<TimeControl> {
    if text == "none" || text == NO_CLOCK_TAG {
        return Some(TimeControl::Unlimited);
    }
    if let Some(days) = text.strip_suffix('d') {
        let days = number(days)?;
        return (days > 0).then_some(TimeControl::Correspondence { days });
    }
    let (start, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (start, increment) = (seconds(start)?, seconds(increment)?);
    (!start.is_zero()).then_some(TimeControl::RealTime { start, increment })
}

/// Reads seconds with decimal places, of which the first three count.
fn seconds(text: &str) -> Option<Duration> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    if decimals.is_empty() || !decimals.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = decimals.bytes().chain([b'0'; 3]).take(3);
    let millis = digits.fold(0, |millis, digit| 10 * millis + u64::from(digit - b'0'));
    let whole: u32 = number(whole)?;
    Some(Duration::from_secs(whole.into()) + Duration::from_millis(millis))
}

/// Reads a number without sign or leading zeros, so that there is one way to write it.
fn number<N: FromStr>(text: &str) -> Option<N> {
    let plain = text == "0" || text.starts_with(|first: char| ('1'..='9').contains(&first));
    if plain { text.parse().ok() } else { None }
}

impl<P: GamePosition> Record<P> {
    /// Returns the time control that the tag `TimeControl` holds, if it can be read.
    ///
    /// Tags of other programs may hold anything; `khet match` writes search limits such as
    /// `depth 5`.
    pub fn time_control(&self) -> Option<TimeControl> {
        self.tag(TAG)?.parse().ok()
    }

    /// Sets the tag `TimeControl`.
    pub fn set_time_control(&mut self, control: TimeControl) {
        match control {
            TimeControl::Unlimited => self.put_tag(TAG, NO_CLOCK_TAG),
            _ => self.put_tag(TAG, &control.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_as_they_are_written() {
        for text in ["none", "60+0", "3600+60", "300+3", "10+0.1", "0.05+0", "7.125+0.25", "1d"] {
            assert_eq!(
                text.parse::<TimeControl>().map(|control| control.to_string()).as_deref(),
                Ok(text)
            );
        }
        assert_eq!("7200".parse(), Ok(TimeControl::minutes(120, 0)));
    }

    #[test]
    fn wrong_texts_are_rejected() {
        for text in [
            "",
            "+",
            "d",
            "0d",
            "0+3",
            "-1+3",
            "300+",
            "300+-1",
            "0300+3",
            "x+y",
            "1.+0",
            ".5+0",
            "1.x+0",
            "99999999999+0",
            "300d",
            "depth 5",
            "?",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn limits_are_checked_and_named_in_the_error() {
        for text in ["none", "60+0", "3600+60", "300+3", "1d", "14d"] {
            assert!(TimeLimits::ONLINE.parse(text).is_ok(), "{text}");
        }
        for text in ["59+0", "3601+0", "300+61", "15d", "300+0.5", "300.5+0"] {
            assert!(TimeLimits::ONLINE.parse(text).is_err(), "{text}");
        }
        assert!(TimeLimits::LOCAL.parse("10800+60").is_ok());
        assert!(TimeLimits::LOCAL.parse("1d").is_err());
        assert_eq!(
            TimeLimits::ONLINE.parse("15d").map_err(|error| error.to_string()),
            Err("\"15d\": a time control is none, seconds from 60+0 to 3600+60, or 1d to 14d"
                .to_string())
        );
    }

    #[test]
    fn presets_are_within_the_limits() {
        for control in TimeControl::PRESETS.into_iter().chain([TimeControl::DEFAULT]) {
            assert!(TimeLimits::ONLINE.contains(control), "{control}");
            assert!(TimeLimits::LOCAL.contains(control), "{control}");
        }
        assert!(TimeLimits::ONLINE.days.contains(&TimeControl::SUGGESTED_DAYS));
    }

    #[test]
    fn records_hold_the_time_control() {
        let mut record: Record = "[Setup \"Classic\"]\n\n*".parse().expect("a record");
        assert_eq!(record.time_control(), None);
        for (control, value) in [
            (TimeControl::Unlimited, "-"),
            (TimeControl::minutes(5, 3), "300+3"),
            (TimeControl::Correspondence { days: 3 }, "3d"),
        ] {
            record.set_time_control(control);
            assert_eq!(record.tag(TAG), Some(value));
            assert_eq!(record.time_control(), Some(control));
        }
    }
}
