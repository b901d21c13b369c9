//! The first page: a game that plays itself, and the doors to all others.

mod demo_board;
mod demo_game;
mod page;

pub use page::HomePage;
