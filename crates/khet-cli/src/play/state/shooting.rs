//! A beam on its way, in time.

use std::time::Duration;

use super::State;
use crate::drawing::shot_length;

/// A beam takes this long for a square,
const BEAM_STEP: Duration = Duration::from_millis(40);
/// but never longer than this for its whole way.
const BEAM_LONGEST: Duration = Duration::from_millis(700);
/// What it hits flashes this long.
const FLASH: Duration = Duration::from_millis(250);
// Together they are a second at most.
const _: () = assert!(BEAM_LONGEST.as_millis() + FLASH.as_millis() <= 1000);

/// How far a shot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// The beams have come that many steps far.
    Running(usize),
    /// They have arrived, and what they hit flashes.
    Flash,
    Over,
}

impl State {
    /// How far the last shot is.
    pub(crate) fn phase(&self) -> Phase {
        let (Some(fired), Some(shot)) = (self.fired, self.shots.last()) else {
            return Phase::Over;
        };
        let length = shot_length(shot).max(1) as u32;
        let step = BEAM_STEP.min(BEAM_LONGEST / length);
        let time = self.now.saturating_sub(fired);
        let flash = if shot.hits.is_empty() { Duration::ZERO } else { FLASH };
        if time < step * length {
            // The first square is lit at once.
            Phase::Running(1 + (time.as_nanos() / step.as_nanos()) as usize)
        } else if time < step * length + flash {
            Phase::Flash
        } else {
            Phase::Over
        }
    }
}
