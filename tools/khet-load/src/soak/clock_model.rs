//! A simple model of a game's clock, in whole milliseconds, to compare with the times that the
//! server announced.
//!
//! It is written apart from `khet::Clock`. The server may only differ from it by the lag
//! compensation, whose budget the model keeps too, and by the tolerances below.

use khet::{Color, Outcome, Termination, TimeControl};
use khet_protocol::EventKind;

use super::outages::{ClusterOutage, OutageLog, Restart};

/// Largest lag compensation per move, largest budget, and its refill per move.
const LAG: (u64, u64, u64) = (500, 2000, 150);
/// Time for the first move of each player.
const FIRST_MOVE_TIME: u64 = 60_000;
/// Plies during which no time runs in real-time games.
const FREE_PLIES: usize = 2;
/// Interval of the heartbeats from which the server tells how long it was down.
const HEARTBEAT_INTERVAL: u64 = 1000;
/// Tolerance for work that a busy machine does late: a heartbeat, a flag that falls, the first
/// write that fails.
pub const LATE_WORK: u64 = 2000;
/// Longest time from the moment when the disk has space again until games continue.
pub const RECOVERY_TIME: u64 = 5000;
/// Difference between the clocks of server and model: both round down to milliseconds.
const ROUNDING: u64 = 5;

/// The clock of one game.
#[derive(Clone, Debug)]
pub(super) struct ClockModel {
    control: TimeControl,
    left: [u64; 2],
    running: Option<(Color, u64)>,
    /// The last move or the start, plus credited time.
    moved: u64,
    /// The time of the last event.
    last: u64,
    lag_budget: [u64; 2],
}

impl ClockModel {
    /// Creates the clock of a game that started at this time. `None` for a game without a clock.
    pub(super) fn new(control: TimeControl, to_move: Color, at: u64) -> Option<ClockModel> {
        let initial = millis(control.start()?);
        let running = control.is_correspondence().then_some((to_move, at));
        let (left, lag_budget) = ([initial; 2], [LAG.1; 2]);
        Some(ClockModel { control, left, running, moved: at, last: at, lag_budget })
    }

    /// Applies an event after which `to_move` is to move and `plies` have been made. Returns what
    /// is wrong with its times.
    pub(super) fn apply(
        &mut self,
        at: u64,
        kind: &EventKind,
        (to_move, plies): (Color, usize),
        outages: &OutageLog,
    ) -> Result<(), String> {
        let checked = if at < self.last {
            Err(format!("it happened {} ms before the event before it", self.last - at))
        } else {
            self.apply_kind(at, kind, (to_move, plies), outages)
        };
        self.last = self.last.max(at);
        checked
    }

    fn apply_kind(
        &mut self,
        at: u64,
        kind: &EventKind,
        (to_move, plies): (Color, usize),
        outages: &OutageLog,
    ) -> Result<(), String> {
        match *kind {
            EventKind::Move { left, .. } => {
                if !outages.cluster.is_empty() {
                    // The game may have another owner now, who knows of no compensation before.
                    self.lag_budget = [LAG.1; 2];
                }
                let checked = self.check_move(!to_move, at, left);
                self.left[!to_move as usize] = left.unwrap_or(0);
                self.start(to_move, plies, at);
                self.moved = at;
                checked
            }
            EventKind::TakenBack { .. } => {
                if let Some((color, since)) = self.running {
                    let left = &mut self.left[color as usize];
                    *left = left.saturating_sub(at.saturating_sub(since));
                }
                self.start(to_move, plies, at);
                self.moved = at;
                Ok(())
            }
            EventKind::TimeAdded { by, time } => {
                self.left[!by as usize] += time;
                Ok(())
            }
            EventKind::Credited { time } => {
                let checked = self.check_credit(at, time, outages);
                if let Some((_, since)) = &mut self.running {
                    *since += time;
                }
                self.moved += time;
                checked
            }
            EventKind::Ended(outcome) => self.check_end(at, outcome, outages),
            _ => Ok(()),
        }
    }

    /// Starts the clock of the player to move.
    fn start(&mut self, to_move: Color, plies: usize, at: u64) {
        if let TimeControl::Correspondence { .. } = self.control {
            self.left[to_move as usize] = self.control.start().map_or(0, millis);
        }
        let runs = self.control.is_correspondence() || plies >= FREE_PLIES;
        self.running = runs.then_some((to_move, at));
    }

    /// Compares the time after a move with the model.
    fn check_move(&mut self, by: Color, at: u64, left: Option<u64>) -> Result<(), String> {
        let before = self.left[by as usize];
        let (least, most) = match (self.control, self.running) {
            (TimeControl::RealTime { increment, .. }, Some((_, since))) => {
                let spent = at.saturating_sub(since);
                let lag = LAG.0.min(spent).min(self.lag_budget[by as usize]);
                let after = |spent: u64| before.saturating_sub(spent) + millis(increment);
                (after(spent), after(spent - lag))
            }
            (TimeControl::Correspondence { .. }, _) => {
                let initial = self.control.start().map_or(0, millis);
                (initial, initial)
            }
            _ => (before, before),
        };
        let Some(left) = left else { return Err("it has no time".to_owned()) };
        let budget = &mut self.lag_budget[by as usize];
        *budget = (budget.saturating_sub(left.saturating_sub(least)) + LAG.2).min(LAG.1);
        if (least..=most).contains(&left) {
            return Ok(());
        }
        Err(format!("{by} has {left} ms left, and {least} to {most} ms in the model"))
    }

    /// Compares a credit with the outages.
    fn check_credit(&mut self, at: u64, time: u64, outages: &OutageLog) -> Result<(), String> {
        let elapsed = at - self.last;
        if time > elapsed + ROUNDING {
            return Err(format!("{time} ms are credited, {elapsed} ms after the last event"));
        }
        let takeover_credits = outages
            .cluster_outages_before(at)
            .map(|outage| takeover_credit(at, outage, outages.takeover_time));
        let (least, most) = if let Some(most) = takeover_credits.max() {
            // The least follows from the times at which the players sent their moves.
            (0, most)
        } else if let Some(restart) = outages.restart_at(at) {
            self.lag_budget = [LAG.1; 2];
            restart_credit(at, restart, outages)
        } else if let Some(fill) =
            outages.fill_before(at).filter(|fill| at <= fill.lifted + RECOVERY_TIME)
        {
            let least = match fill.noticed {
                Some(noticed) if fill.is_total => {
                    fill.lifted.saturating_sub(noticed.max(self.last)).saturating_sub(LATE_WORK)
                }
                _ => 0,
            };
            (least, at - fill.filled + LATE_WORK)
        } else {
            return Err(format!("{time} ms are credited, but there was no outage"));
        };
        if time + ROUNDING < least.min(elapsed) {
            return Err(format!("only {time} ms are credited, for an outage of {least} ms"));
        }
        if time > most {
            return Err(format!("{time} ms are credited, for an outage of at most {most} ms"));
        }
        Ok(())
    }

    /// Checks that a flag fell when the time was up.
    fn check_end(&mut self, at: u64, outcome: Outcome, outages: &OutageLog) -> Result<(), String> {
        if outcome.termination != Termination::Time {
            return Ok(());
        }
        let Some((color, since)) = self.running else {
            return Err("the flag fell although no clock ran".to_owned());
        };
        if outcome.winner != Some(!color) {
            return Err(format!("{color} ran out of time and did not lose"));
        }
        let due = since + self.left[color as usize];
        let is_late = at > due + LAG.0 + LATE_WORK;
        // No flag falls while a game has no owner.
        let is_excused = outages.cluster_outages_during(due, at).next().is_some();
        if at < due || is_late && !is_excused {
            return Err(format!("the flag fell at {at}, and was due at {due}"));
        }
        Ok(())
    }

    /// Returns whether the time for the first move was up.
    pub(super) fn first_move_is_late(&self, at: u64) -> bool {
        at + ROUNDING >= self.moved + FIRST_MOVE_TIME
    }
}

/// Returns the least and the greatest credit after a restart.
fn restart_credit(at: u64, restart: &Restart, outages: &OutageLog) -> (u64, u64) {
    // There are no heartbeats while the disk is full.
    let fill = outages.fill_before(at).filter(|fill| fill.lifted + LATE_WORK >= restart.killed);
    let from = fill.map_or(restart.killed, |fill| fill.filled.min(restart.killed));
    (at.saturating_sub(restart.dead), at - from + HEARTBEAT_INTERVAL + LATE_WORK)
}

/// Returns the greatest credit after a fault of a cluster.
fn takeover_credit(at: u64, outage: &ClusterOutage, takeover_time: u64) -> u64 {
    let until = at.min(outage.lifted.saturating_add(takeover_time));
    until.saturating_sub(outage.began) + HEARTBEAT_INTERVAL + LATE_WORK
}

/// Returns a duration in milliseconds.
pub(super) fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
