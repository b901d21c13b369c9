//! The animation of a shot.

use std::time::Duration;

use super::PlayState;
use crate::board_drawing::shot_length;

/// Time for which a beam crosses one square.
const BEAM_STEP: Duration = Duration::from_millis(40);
/// The longest time for the whole path; long paths run faster.
const BEAM_MAX: Duration = Duration::from_millis(700);
/// Time for which the hit pieces flash.
const FLASH_TIME: Duration = Duration::from_millis(250);
// A shot takes at most a second.
const _: () = assert!(BEAM_MAX.as_millis() + FLASH_TIME.as_millis() <= 1000);

/// The phase of the animation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ShotPhase {
    /// This number of steps of the beams is visible.
    Running(usize),
    /// The beams are complete, and the hit pieces flash.
    Flash,
    Over,
}

impl PlayState {
    /// Returns the phase of the last shot.
    pub(crate) fn shot_phase(&self) -> ShotPhase {
        let (Some(fired_at), Some(shot)) = (self.fired_at, self.shots.last()) else {
            return ShotPhase::Over;
        };
        let length = shot_length(shot).max(1) as u32;
        let step = BEAM_STEP.min(BEAM_MAX / length);
        let time = self.now.saturating_sub(fired_at);
        let flash = if shot.hits.is_empty() { Duration::ZERO } else { FLASH_TIME };
        if time < step * length {
            // The first square is visible at once.
            ShotPhase::Running(1 + (time.as_nanos() / step.as_nanos()) as usize)
        } else if time < step * length + flash {
            ShotPhase::Flash
        } else {
            ShotPhase::Over
        }
    }
}
