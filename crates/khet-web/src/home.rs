//! The home page: a demo game, and links to the ways to play.

mod choice_icons;
mod demo_board;
mod demo_game;
mod page;

pub use page::HomePage;
