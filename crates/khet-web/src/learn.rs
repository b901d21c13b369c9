//! The rules page: every rule in words, with a board to try it on.

#[cfg(test)]
mod claims;
mod lesson;
mod lessons;
mod page;
mod trial;
mod try_board;

pub use page::LearnPage;
