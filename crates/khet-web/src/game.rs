//! Games as plain data: moves, clocks, terminations, options, and how they are saved.
//!
//! Nothing here touches the page: the caller passes in the time.

pub(crate) mod analysis_handover;
pub(crate) mod clock;
pub(crate) mod options;
pub(crate) mod pending_start;
pub(crate) mod save;
pub(crate) mod session;
