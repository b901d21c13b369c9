//! The fuzz targets: one function each, which panics if the app is wrong.
//!
//! An ordinary test runs the stored seeds through the same functions.

mod address;
mod link;
mod pasted_text;
mod saved_game;
mod settings;

pub use address::read_address;
pub use link::write_link;
pub use pasted_text::read_pasted_text;
pub use saved_game::read_saved_game;
pub use settings::read_settings;
