//! The first page: a game that plays itself, and the doors to all others.

mod living;
mod living_board;
mod page;

pub use page::HomePage;
