//! What the fuzz targets do with their bytes: one function each, which panics if the library is wrong.
//!
//! An ordinary test runs the kept seeds through the same functions, so nothing but the library is
//! used here.

mod inspect;
mod moves;
mod play;
mod position;
mod record;

pub use moves::read_move;
pub use play::play;
pub use position::read_position;
pub use record::read_record;
