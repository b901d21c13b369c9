//! Two clocks of a game, with an increment. They do not know the time: they are told it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use khet::Color;

/// How much time each player has: `300+3` is five minutes, and three seconds more for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Time at the start.
    pub start: Duration,
    /// Time added with each move.
    pub increment: Duration,
}

/// The longest time that a clock can be set to.
const LONGEST: u64 = 24 * 60 * 60;

impl TimeControl {
    /// A control of so many minutes, and seconds for each move.
    pub const fn new(minutes: u64, increment: u64) -> TimeControl {
        TimeControl {
            start: Duration::from_secs(60 * minutes),
            increment: Duration::from_secs(increment),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.start.as_secs(), self.increment.as_secs())
    }
}

/// A text that is not a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseTimeControlError;

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        let (start, increment) = text.split_once('+').ok_or(ParseTimeControlError)?;
        let seconds = |text: &str| {
            let seconds = text.parse().ok().filter(|&seconds| seconds <= LONGEST);
            seconds.map(Duration::from_secs).ok_or(ParseTimeControlError)
        };
        let control = TimeControl { start: seconds(start)?, increment: seconds(increment)? };
        if control.start.is_zero() { Err(ParseTimeControlError) } else { Ok(control) }
    }
}

/// The clocks of both players. Moments are told as the time since any fixed one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    /// What each had when the clock that runs was started.
    left: [Duration; 2],
    /// Whose clock runs, and since when.
    running: Option<(Color, Duration)>,
}

impl Clocks {
    /// Clocks that stand, with all their time.
    pub fn new(control: TimeControl) -> Clocks {
        Clocks { control, left: [control.start; 2], running: None }
    }

    /// Clocks that stand, with these times.
    pub fn with_times(control: TimeControl, left: [Duration; 2]) -> Clocks {
        Clocks { control, left, running: None }
    }

    /// How they were set.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What a player has left.
    pub fn left(&self, color: Color, now: Duration) -> Duration {
        let left = self.left[color as usize];
        match self.running {
            Some((runs, since)) if runs == color => left.saturating_sub(now.saturating_sub(since)),
            _ => left,
        }
    }

    /// What both have left, Silver first.
    pub fn times(&self, now: Duration) -> [Duration; 2] {
        Color::ALL.map(|color| self.left(color, now))
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// Stops both.
    pub fn stop(&mut self, now: Duration) {
        self.left = self.times(now);
        self.running = None;
    }

    /// Lets the clock of that player run, and no other.
    pub fn start(&mut self, color: Color, now: Duration) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// A player has made a move: the increment is added, and the other clock runs. The first move
    /// of a game, with no clock running yet, only starts the other's.
    pub fn press(&mut self, by: Color, now: Duration) {
        let ran = self.running() == Some(by);
        self.stop(now);
        if ran {
            self.left[by as usize] += self.control.increment;
        }
        self.running = Some((!by, now));
    }

    /// Who has run out of time.
    pub fn fallen(&self, now: Duration) -> Option<Color> {
        self.running().filter(|&color| self.left(color, now).is_zero())
    }
}

/// A time as clocks show it: `4:51`, `1:00:00`, and with tenths below ten seconds: `0:09.4`.
pub fn face(left: Duration) -> String {
    if left < Duration::from_secs(10) {
        // Rounded up, so that it shows zero only when it is.
        let tenths = left.as_millis().div_ceil(100);
        return format!("0:{:02}.{}", tenths / 10, tenths % 10);
    }
    let seconds = left.as_millis().div_ceil(1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn controls_are_written_as_in_records() {
        assert_eq!(TimeControl::new(5, 3).to_string(), "300+3");
        assert_eq!("300+3".parse(), Ok(TimeControl::new(5, 3)));
        for wrong in ["", "300", "0+3", "-1+3", "300+", "99999999999+0", "x+y"] {
            assert_eq!(wrong.parse::<TimeControl>(), Err(ParseTimeControlError), "{wrong}");
        }
    }

    #[test]
    fn the_first_move_is_free_and_every_other_one_gains() {
        let mut clocks = Clocks::new(TimeControl::new(5, 3));
        clocks.press(Color::Silver, at(100));
        assert_eq!(clocks.times(at(110)), [at(300), at(290)]);
        clocks.press(Color::Red, at(110));
        assert_eq!(clocks.times(at(120)), [at(290), at(293)]);
        assert_eq!(clocks.running(), Some(Color::Silver));
    }

    #[test]
    fn a_pause_costs_nothing() {
        let mut clocks = Clocks::new(TimeControl::new(1, 0));
        clocks.start(Color::Red, at(0));
        clocks.stop(at(10));
        assert_eq!(clocks.fallen(at(1_000)), None);
        clocks.start(Color::Red, at(1_000));
        assert_eq!(clocks.left(Color::Red, at(1_020)), at(30));
    }

    #[test]
    fn who_has_no_time_left_has_fallen() {
        let mut clocks = Clocks::new(TimeControl::new(1, 0));
        clocks.start(Color::Silver, at(0));
        assert_eq!(clocks.fallen(at(59)), None);
        assert_eq!(clocks.fallen(at(60)), Some(Color::Silver));
        // A clock that was set back does not gain.
        assert_eq!(clocks.left(Color::Silver, at(0)), at(60));
    }

    #[test]
    fn faces_show_tenths_at_the_end() {
        let face = |milliseconds| face(Duration::from_millis(milliseconds));
        assert_eq!(face(291_000), "4:51");
        assert_eq!(face(3_600_000), "1:00:00");
        assert_eq!(face(9_999), "0:10.0");
        assert_eq!(face(9_400), "0:09.4");
        assert_eq!(face(1), "0:00.1");
        assert_eq!(face(0), "0:00.0");
    }
}
