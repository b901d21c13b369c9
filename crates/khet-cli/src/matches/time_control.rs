//! How long engines may think: per move, or by the clock.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use khet::Color;

/// What bounds a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimeControl {
    MoveTime(Duration),
    Nodes(u64),
    Depth(u32),
    Clock(ClockTime),
}

/// Time for the whole game, and what is added after each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClockTime {
    start: Duration,
    increment: Duration,
}

impl FromStr for ClockTime {
    type Err = String;

    /// `SECONDS` or `SECONDS+INCREMENT`
    fn from_str(text: &str) -> Result<ClockTime, String> {
        let (start, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            let seconds: Option<f64> = text.parse().ok();
            let seconds = seconds.filter(|seconds| (0.0..=1e6).contains(seconds));
            seconds.map(Duration::from_secs_f64)
        };
        match (seconds(start), seconds(increment)) {
            (Some(start), Some(increment)) if !start.is_zero() => {
                Ok(ClockTime { start, increment })
            }
            _ => Err("written as SECONDS or SECONDS+INCREMENT, such as 10+0.1".to_string()),
        }
    }
}

impl fmt::Display for TimeControl {
    /// The value of a record's tag `TimeControl`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::MoveTime(time) => write!(f, "{}/move", time.as_secs_f64()),
            TimeControl::Nodes(nodes) => write!(f, "{nodes} nodes/move"),
            TimeControl::Depth(depth) => write!(f, "depth {depth}"),
            TimeControl::Clock(ClockTime { start, increment }) => {
                write!(f, "{}+{}", start.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

/// The clocks of a game, for time controls that have some.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
}

impl Clocks {
    pub(crate) fn new(control: TimeControl) -> Clocks {
        let left = match control {
            TimeControl::Clock(ClockTime { start, .. }) => start,
            _ => Duration::ZERO,
        };
        Clocks { control, left: [left; 2] }
    }

    /// The command that makes an engine think.
    pub(crate) fn go(&self) -> String {
        match self.control {
            TimeControl::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            TimeControl::Nodes(nodes) => format!("go nodes {nodes}"),
            TimeControl::Depth(depth) => format!("go depth {depth}"),
            TimeControl::Clock(ClockTime { increment, .. }) => {
                let [silver, red] = self.left.map(|left| left.as_millis());
                let inc = increment.as_millis();
                format!("go stime {silver} rtime {red} sinc {inc} rinc {inc}")
            }
        }
    }

    /// The time that a move of this player may take; none where it is not bounded by time.
    pub(crate) fn allowed(&self, mover: Color) -> Option<Duration> {
        match self.control {
            TimeControl::MoveTime(time) => Some(time),
            TimeControl::Clock(_) => Some(self.left[mover as usize]),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        }
    }

    /// What is left on a player's clock, if there is one.
    pub(crate) fn left(&self, mover: Color) -> Option<Duration> {
        matches!(self.control, TimeControl::Clock(_)).then_some(self.left[mover as usize])
    }

    /// Takes the time that a move took from the player's clock, if there is one.
    pub(crate) fn spend(&mut self, mover: Color, time: Duration) {
        if let TimeControl::Clock(ClockTime { increment, .. }) = self.control {
            let left = &mut self.left[mover as usize];
            *left = left.saturating_sub(time) + increment;
        }
    }
}
