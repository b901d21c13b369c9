//! Tests of the public HTTP API from outside.

mod archive;
mod authorisation;
mod bots;
mod document;
mod explorer;
mod gallery;
mod inbox;
mod limits;
mod people;
mod previews;
mod private_games;
mod puzzles;
mod ratings;
mod reviews;
mod test_server;
mod tower;
mod version_0_1_database;
