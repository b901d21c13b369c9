//! The rules of Khet: one test per sentence, on a drawn board.

mod beam;
mod board;
mod drawn;
mod editions;
mod end;
mod eye;
mod faults;
mod khet2;
mod moves;
mod setups;
