//! The clock of a game.

use std::time::Duration;

use crate::{Color, TimeControl};

/// A chess clock: the remaining time of both players, and whose time runs.
///
/// The clock is told the time and never asks for it. Every `now` is the time since a fixed moment
/// that the caller chooses: 1970 on a server, the loading of the page in a browser.
///
/// ```
/// use std::time::Duration;
/// use khet::{Clock, Color, TimeControl};
///
/// let at = Duration::from_secs;
/// let mut clock = Clock::new(TimeControl::minutes(5, 3), Clock::LOCAL_FREE_MOVES).unwrap();
/// // The first move is free and starts the opponent's clock.
/// clock.press(Color::Silver, 1, at(100));
/// assert_eq!(clock.times(at(110)), [at(300), at(290)]);
/// // Every other move takes its time and gains the increment.
/// clock.press(Color::Red, 2, at(110));
/// assert_eq!(clock.times(at(110)), [at(300), at(293)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// Number of moves at the start of the game during which no time runs.
    free_moves: usize,
    /// Time of each player when the running clock was started.
    left: [Duration; 2],
    /// The player whose time runs, and since when.
    running: Option<(Color, Duration)>,
}

impl Clock {
    /// Free moves in a game on one device: the first move starts the opponent's clock.
    pub const LOCAL_FREE_MOVES: usize = 1;

    /// Free moves in a game on a server: time runs from the third move on, so that no player loses
    /// time before both have opened the game.
    pub const ONLINE_FREE_MOVES: usize = 2;

    /// Returns a stopped clock with the full time; `None` if the game has no clock.
    ///
    /// During the first `free_moves` moves no time runs. Correspondence games have no free moves.
    pub fn new(control: TimeControl, free_moves: usize) -> Option<Clock> {
        let free_moves = if control.is_correspondence() { 0 } else { free_moves };
        let start = control.start()?;
        Some(Clock { control, free_moves, left: [start; 2], running: None })
    }

    /// Returns this clock, stopped, with these times (Silver's, Red's).
    #[must_use]
    pub fn with_times(self, left: [Duration; 2]) -> Clock {
        Clock { left, running: None, ..self }
    }

    /// Returns the time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Returns the time that each player has at the start, or per move in correspondence games.
    pub fn initial_time(&self) -> Duration {
        self.control.start().unwrap_or_default()
    }

    /// Returns the remaining time of a player.
    pub fn left(&self, color: Color, now: Duration) -> Duration {
        let left = self.left[color as usize];
        match self.running {
            Some((runs, since)) if runs == color => left.saturating_sub(now.saturating_sub(since)),
            _ => left,
        }
    }

    /// Returns the remaining times of Silver and Red.
    pub fn times(&self, now: Duration) -> [Duration; 2] {
        Color::ALL.map(|color| self.left(color, now))
    }

    /// Returns the player whose time runs.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// Returns the time at which the running clock was started.
    pub fn running_since(&self) -> Option<Duration> {
        self.running.map(|(_, since)| since)
    }

    /// Returns the time at which the player whose time runs will flag.
    pub fn flags_at(&self) -> Option<Duration> {
        self.running.map(|(color, since)| since.saturating_add(self.left[color as usize]))
    }

    /// Returns the player who has flagged (run out of time).
    pub fn flagged(&self, now: Duration) -> Option<Color> {
        self.running().filter(|&color| self.left(color, now).is_zero())
    }

    /// Returns the time that a player has after making a move now: less the time it took, plus the
    /// increment. `lag` is the part of the time that the network took, which is not counted.
    pub fn left_after_move(&self, by: Color, now: Duration, lag: Duration) -> Duration {
        let left = self.left[by as usize];
        match (self.control, self.running) {
            (TimeControl::RealTime { increment, .. }, Some((runs, since))) if runs == by => {
                let spent = now.saturating_sub(since).saturating_sub(lag);
                left.saturating_sub(spent) + increment
            }
            (TimeControl::Correspondence { .. }, _) => self.initial_time(),
            _ => left,
        }
    }

    /// Ends a player's move and starts the opponent's clock. `moves` is the number of moves made in
    /// the game, this one included.
    pub fn press(&mut self, by: Color, moves: usize, now: Duration) {
        let left = self.left_after_move(by, now, Duration::ZERO);
        self.press_with(by, left, moves, now);
    }

    /// Ends a player's move after which `left` remains, as decided by a server, and starts the
    /// opponent's clock.
    pub fn press_with(&mut self, by: Color, left: Duration, moves: usize, now: Duration) {
        self.stop(now);
        self.left[by as usize] = left;
        self.start(!by, moves, now);
    }

    /// Starts the clock of the player to move, unless the next move is free. In correspondence
    /// games the player gets the full time for the move.
    pub fn start(&mut self, color: Color, moves: usize, now: Duration) {
        self.stop(now);
        if self.control.is_correspondence() {
            self.left[color as usize] = self.initial_time();
        }
        self.running = (moves >= self.free_moves).then_some((color, now));
    }

    /// Stops the clock.
    pub fn stop(&mut self, now: Duration) {
        self.left = self.times(now);
        self.running = None;
    }

    /// Adds to a player's remaining time.
    pub fn add(&mut self, color: Color, time: Duration) {
        let left = &mut self.left[color as usize];
        *left = left.saturating_add(time);
    }

    /// Gives back time during which the game could not be played, for example because the server
    /// was down: the running clock counts from that much later.
    pub fn credit(&mut self, time: Duration) {
        if let Some((_, since)) = &mut self.running {
            *since = since.saturating_add(time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SILVER: Color = Color::Silver;
    const RED: Color = Color::Red;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn clock(minutes: u64, increment: u64, free_moves: usize) -> Clock {
        Clock::new(TimeControl::minutes(minutes, increment), free_moves).expect("a clock")
    }

    #[test]
    fn free_moves_take_no_time_and_gain_no_increment() {
        for free_moves in [Clock::LOCAL_FREE_MOVES, Clock::ONLINE_FREE_MOVES] {
            let mut clock = clock(1, 2, free_moves);
            clock.start(SILVER, 0, at(0));
            for moves in 1..=free_moves {
                assert_eq!(clock.running(), None);
                clock.press(Color::ALL[(moves - 1) % 2], moves, at(10));
            }
            let next = Color::ALL[free_moves % 2];
            assert_eq!(clock.running(), Some(next));
            assert_eq!(clock.times(at(10)), [at(60); 2]);
            clock.press(next, free_moves + 1, at(15));
            assert_eq!(clock.left(next, at(15)), at(57));
            assert_eq!(clock.running(), Some(!next));
        }
    }

    #[test]
    fn correspondence_players_have_the_full_time_for_each_move() {
        let control = TimeControl::Correspondence { days: 2 };
        let mut clock = Clock::new(control, Clock::ONLINE_FREE_MOVES).expect("a clock");
        let day = 24 * 60 * 60;
        clock.start(SILVER, 0, at(0));
        assert_eq!(clock.flags_at(), Some(at(2 * day)));
        clock.press(SILVER, 1, at(day));
        assert_eq!(clock.times(at(day)), [at(2 * day); 2]);
        assert_eq!(clock.flags_at(), Some(at(3 * day)));
    }

    #[test]
    fn games_without_a_time_control_have_no_clock() {
        assert_eq!(Clock::new(TimeControl::Unlimited, 0), None);
    }

    #[test]
    fn a_stopped_clock_loses_no_time() {
        let mut clock = clock(1, 0, 0);
        clock.start(RED, 0, at(0));
        clock.stop(at(10));
        assert_eq!(clock.flagged(at(1_000)), None);
        clock.start(RED, 0, at(1_000));
        assert_eq!(clock.left(RED, at(1_020)), at(30));
    }

    #[test]
    fn a_player_without_time_has_flagged() {
        let mut clock = clock(1, 0, 0);
        clock.start(SILVER, 0, at(0));
        assert_eq!(clock.flagged(at(59)), None);
        assert_eq!(clock.flagged(at(60)), Some(SILVER));
        clock.add(SILVER, at(5));
        assert_eq!(clock.flags_at(), Some(at(65)));
        clock.credit(at(10));
        assert_eq!(clock.flags_at(), Some(at(75)));
        // A system clock that was set back does not add time.
        assert_eq!(clock.left(SILVER, at(0)), at(65));
    }

    #[test]
    fn lag_is_not_counted() {
        let mut clock = clock(1, 1, 0);
        clock.start(SILVER, 0, at(0));
        assert_eq!(clock.left_after_move(SILVER, at(10), at(3)), at(54));
        assert_eq!(clock.left_after_move(RED, at(10), at(3)), at(60));
    }
}
