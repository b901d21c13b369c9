//! The rules of the Tower of Kadesh: one test per sentence, on a drawn board, and comparisons with a
//! slow reference implementation.

mod against_reference;
mod beams;
#[path = "../rules/drawn.rs"]
#[allow(dead_code)] // the tests of the standard game use all of it
mod drawn;
mod drawn_tower;
mod editions;
mod end;
mod faults;
mod moves;
mod notation;
mod perft;
mod properties;
#[path = "../random/mod.rs"]
mod random;
mod random_tower;
mod records;
mod reference;
mod reference_examples;
mod tower_moves;
