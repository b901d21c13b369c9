//! The app in a real browser. `cargo xtask test` builds the app, sees to it that there is a
//! browser, and runs these; by hand, after `cargo xtask app`:
//!
//! ```sh
//! KHET_APP=$PWD/target/app cargo test --package khet-browser-tests -- --ignored
//! ```

mod accessibility;
mod analysis;
mod board;
mod course;
mod engine;
mod game_pages;
mod games;
mod languages;
mod layout;
mod learn;
mod lobby;
mod memory;
mod navigation;
mod online;
mod puzzles;
mod setups;
mod touch;
mod tower;
mod tower_pages;

use std::sync::LazyLock;

use khet_browser_tests::AppServer;

/// The server of all tests that do not need one of their own.
static SERVER: LazyLock<AppServer> = LazyLock::new(AppServer::start);
