//! The speed of a game, by which ratings are kept.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use khet::TimeControl;

use crate::text::{as_text, excerpt};

/// A class of time controls. Each player has a rating per speed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Speed {
    /// Less than three minutes per player.
    Bullet,
    /// Less than ten minutes per player.
    Blitz,
    /// Longer games in one sitting.
    Rapid,
    /// Days per move.
    Correspondence,
}

/// Moves per player in a game of usual length, to weigh the increment.
const USUAL_MOVES: u32 = 40;
const BLITZ_FROM: Duration = Duration::from_secs(3 * 60);
const RAPID_FROM: Duration = Duration::from_secs(10 * 60);

impl Speed {
    /// Every speed, the fastest first.
    pub const ALL: [Speed; 4] = [Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Correspondence];

    /// Returns the speed of games with this time control; `None` for games without a clock, which
    /// are never rated.
    ///
    /// ```
    /// use khet_protocol::Speed;
    ///
    /// assert_eq!(Speed::of("300+3".parse()?), Some(Speed::Blitz));
    /// assert_eq!(Speed::of("10+0.1".parse()?), Some(Speed::Bullet));
    /// assert_eq!(Speed::of("none".parse()?), None);
    /// # Ok::<_, khet::ParseTimeControlError>(())
    /// ```
    pub fn of(control: TimeControl) -> Option<Speed> {
        match control {
            TimeControl::Unlimited => None,
            TimeControl::RealTime { start, increment } => {
                let expected = start + USUAL_MOVES * increment;
                Some(match expected {
                    _ if expected < BLITZ_FROM => Speed::Bullet,
                    _ if expected < RAPID_FROM => Speed::Blitz,
                    _ => Speed::Rapid,
                })
            }
            TimeControl::Correspondence { .. } => Some(Speed::Correspondence),
        }
    }

    /// Returns the name in addresses and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Correspondence => "correspondence",
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Speed {
    type Err = String;

    fn from_str(text: &str) -> Result<Speed, String> {
        let known = Speed::ALL.into_iter().find(|speed| speed.name() == text);
        known.ok_or_else(|| {
            format!("{:?}: a speed is bullet, blitz, rapid or correspondence", excerpt(text))
        })
    }
}

as_text!(Speed, "blitz");

#[cfg(test)]
mod tests {
    use super::Speed;

    #[test]
    fn the_increment_counts_towards_the_speed() {
        for (text, speed) in [
            ("none", None),
            ("60+0", Some(Speed::Bullet)),
            ("60+3", Some(Speed::Blitz)),
            ("300+0", Some(Speed::Blitz)),
            ("300+8", Some(Speed::Rapid)),
            ("7200", Some(Speed::Rapid)),
            ("2d", Some(Speed::Correspondence)),
        ] {
            assert_eq!(Speed::of(text.parse().unwrap()), speed, "{text}");
        }
    }
}
