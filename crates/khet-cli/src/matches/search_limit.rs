//! The limit of an engine's search in a match: per move, or by the clock of the game.

use std::fmt;
use std::time::Duration;

use khet::{Clock, Color, TimeControl};

/// The limit of each search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchLimit {
    MoveTime(Duration),
    Nodes(u64),
    Depth(u32),
    /// A time control in real time.
    Clock(TimeControl),
}

/// Reads a time control in real time: `SECONDS` or `SECONDS+INCREMENT`.
pub(crate) fn real_time(text: &str) -> Result<TimeControl, String> {
    let control = text.parse().ok().filter(|control: &TimeControl| control.is_real_time());
    control.ok_or_else(|| "written as SECONDS or SECONDS+INCREMENT, such as 10+0.1".to_string())
}

impl fmt::Display for SearchLimit {
    /// Writes the value of a record's tag `TimeControl`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchLimit::MoveTime(time) => write!(f, "{}/move", time.as_secs_f64()),
            SearchLimit::Nodes(nodes) => write!(f, "{nodes} nodes/move"),
            SearchLimit::Depth(depth) => write!(f, "depth {depth}"),
            SearchLimit::Clock(control) => control.fmt(f),
        }
    }
}

/// The thinking time in one game of a match.
#[derive(Clone, Debug)]
pub(crate) struct GameTime {
    limit: SearchLimit,
    /// The sum of the times that both engines have thought: the time by which the clock goes.
    elapsed: Duration,
    clock: Option<Clock>,
}

impl GameTime {
    /// Time before the first move, which `first` makes.
    pub(crate) fn new(limit: SearchLimit, first: Color) -> GameTime {
        let mut clock = match limit {
            SearchLimit::Clock(control) => Clock::new(control, 0),
            _ => None,
        };
        if let Some(clock) = &mut clock {
            clock.start(first, 0, Duration::ZERO);
        }
        GameTime { limit, elapsed: Duration::ZERO, clock }
    }

    /// Returns the command that starts a search.
    pub(crate) fn go_command(&self) -> String {
        match self.limit {
            SearchLimit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            SearchLimit::Nodes(nodes) => format!("go nodes {nodes}"),
            SearchLimit::Depth(depth) => format!("go depth {depth}"),
            SearchLimit::Clock(control) => {
                let times =
                    self.clock.map_or([Duration::ZERO; 2], |clock| clock.times(self.elapsed));
                let [silver, red] = times.map(|left| left.as_millis());
                let increment = control.increment().as_millis();
                format!("go stime {silver} rtime {red} sinc {increment} rinc {increment}")
            }
        }
    }

    /// Returns the time that a player's move may take; `None` if time does not limit it.
    pub(crate) fn allowed(&self, mover: Color) -> Option<Duration> {
        match self.limit {
            SearchLimit::MoveTime(time) => Some(time),
            SearchLimit::Clock(_) => self.left(mover),
            SearchLimit::Nodes(_) | SearchLimit::Depth(_) => None,
        }
    }

    /// Returns the time left on a player's clock, if there is one.
    pub(crate) fn left(&self, mover: Color) -> Option<Duration> {
        self.clock.map(|clock| clock.left(mover, self.elapsed))
    }

    /// Ends a player's move that took this long. `moves` is the number of moves made in the game.
    pub(crate) fn end_move(&mut self, mover: Color, time: Duration, moves: usize) {
        self.elapsed += time;
        if let Some(clock) = &mut self.clock {
            clock.press(mover, moves, self.elapsed);
        }
    }
}
