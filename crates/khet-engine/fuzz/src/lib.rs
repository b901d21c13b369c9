//! The fuzz targets: one function each, which panics if the engine is wrong.
//!
//! An ordinary test runs the stored seeds through the same functions, so they use only the
//! libraries.

mod network;
mod talk;

pub use network::read_network;
pub use talk::talk;
