//! The rules of Khet, sentence by sentence, each proved on a board that a person can see.

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
