//! What the fuzz targets do with their bytes: one function each, which panics if the library is wrong.
//!
//! An ordinary test runs the kept seeds through the same functions, so nothing but the library is
//! used here.

mod inspect;
mod play;
mod position;
mod record;
mod turn;

pub use play::play;
pub use position::read_position;
pub use record::read_record;
pub use turn::read_turn;
