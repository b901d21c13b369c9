//! The rules page: each rule in words, with a board to try it on.

mod lesson;
mod lesson_board;
mod lesson_game;
#[cfg(test)]
mod lesson_tests;
mod lessons;
mod page;

pub use page::LearnPage;
