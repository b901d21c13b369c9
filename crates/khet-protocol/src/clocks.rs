//! Two clocks of a game. They do not know the time: they are told it, in milliseconds since 1970.

use khet::Color;

use crate::TimeControl;

/// What both players have left, and whose clock runs.
///
/// In real time clocks run from the third move on, so that nobody loses time before being there; by
/// correspondence from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    /// What each had when the clock that runs was started.
    left: [u64; 2],
    /// Whose clock runs, and since when.
    running: Option<(Color, u64)>,
}

impl Clocks {
    /// Clocks at the start, which stand; `None` for games without.
    pub fn new(control: TimeControl) -> Option<Clocks> {
        control.start().map(|start| Clocks { control, left: [start; 2], running: None })
    }

    /// What a player has left.
    pub fn left(&self, color: Color, now: u64) -> u64 {
        let left = self.left[color as usize];
        match self.running {
            Some((runs, since)) if runs == color => left.saturating_sub(now.saturating_sub(since)),
            _ => left,
        }
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// Since when a clock runs.
    pub fn since(&self) -> Option<u64> {
        self.running.map(|(_, since)| since)
    }

    /// When the flag of the clock that runs falls.
    pub fn flag_at(&self) -> Option<u64> {
        self.running.map(|(color, since)| since.saturating_add(self.left[color as usize]))
    }

    /// What a player has left behind a move: less what it took, more what a move gives. Lag is the part of it that
    /// the network took.
    pub fn left_behind_move(&self, by: Color, now: u64, lag: u64) -> u64 {
        match (self.control, self.running) {
            (TimeControl::RealTime { increment, .. }, Some((runs, since))) if runs == by => {
                let spent = now.saturating_sub(since).saturating_sub(lag);
                self.left[by as usize].saturating_sub(spent) + u64::from(increment) * 1000
            }
            (TimeControl::Correspondence { .. }, _) => self.control.start().unwrap_or_default(),
            _ => self.left[by as usize],
        }
    }

    /// A move was made, behind which that player has so much left; the other clock runs.
    pub(crate) fn press(&mut self, by: Color, left: u64, moves: usize, now: u64) {
        self.left[by as usize] = left;
        self.run(!by, moves, now);
    }

    /// Lets the clock of a player run, if clocks run at that turn already.
    pub(crate) fn run(&mut self, color: Color, moves: usize, now: u64) {
        let by_move = matches!(self.control, TimeControl::Correspondence { .. });
        if by_move {
            // Each move has its own time.
            self.left[color as usize] = self.control.start().unwrap_or_default();
        }
        self.running = (moves >= 2 || by_move).then_some((color, now));
    }

    /// Stops both.
    pub(crate) fn stop(&mut self, now: u64) {
        self.left = Color::ALL.map(|color| self.left(color, now));
        self.running = None;
    }

    /// Gives a player time.
    pub(crate) fn add(&mut self, color: Color, time: u64) {
        let left = &mut self.left[color as usize];
        *left = left.saturating_add(time);
    }

    /// Time did not count: the clock that runs was started so much later.
    pub(crate) fn credit(&mut self, time: u64) {
        if let Some((_, since)) = &mut self.running {
            *since = since.saturating_add(time);
        }
    }
}
