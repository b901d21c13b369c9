//! The fuzz targets: one function each, which panics if the library is wrong.
//!
//! An ordinary test runs the stored seeds through the same functions, so they use only the library.

mod inspect;
mod moves;
mod play;
mod position;
mod record;
mod tower;

pub use moves::read_move;
pub use play::play;
pub use position::read_position;
pub use record::read_record;
pub use tower::read_tower;
