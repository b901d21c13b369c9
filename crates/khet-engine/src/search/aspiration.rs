//! Aspiration windows: an iteration is searched with a narrow window around the value of the last
//! one, which is widened until the value is inside.

use crate::score::{INFINITE, Value, WON};

/// Shallowest iteration with an aspiration window.
const MIN_DEPTH: i32 = 4;
/// A wider window is replaced by the full one.
const MAX_DELTA: Value = 1_000;

/// The window of an iteration.
pub(crate) struct AspirationWindow {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    /// By this much a failed search widens the window. It doubles each time.
    delta: Value,
}

impl AspirationWindow {
    /// Returns the first window of an iteration, `delta` to both sides of the value of the last one.
    pub(crate) fn around(guess: Value, depth: i32, delta: Value) -> AspirationWindow {
        let (alpha, beta) = if depth >= MIN_DEPTH && guess.abs() < WON {
            (guess - delta, guess + delta)
        } else {
            (-INFINITE, INFINITE)
        };
        AspirationWindow { alpha, beta, delta }
    }

    /// Widens the window if the value is not inside it. Returns whether it was.
    pub(crate) fn contains_or_widen(&mut self, value: Value) -> bool {
        if value <= self.alpha {
            self.beta = (self.alpha + self.beta) / 2;
            self.alpha = (value - self.delta).max(-INFINITE);
        } else if value >= self.beta {
            self.beta = (value + self.delta).min(INFINITE);
        } else {
            return true;
        }
        self.delta += self.delta;
        if self.delta > MAX_DELTA {
            (self.alpha, self.beta) = (-INFINITE, INFINITE);
        }
        false
    }
}
