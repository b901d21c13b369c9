//! The fuzz targets: one function each, which panics if the library is wrong.
//!
//! An ordinary test runs the stored seeds through the same functions, so they use only the library
//! and serde.

mod body;
mod event;
mod json;
mod message;
mod review;

pub use body::read_body;
pub use event::read_events;
pub use message::read_message;
pub use review::read_review;
