//! The browser app, a single-page application written in Leptos.
//!
//! It is split into several WebAssembly programs ([`routing::Program`]), so that visitors load only
//! the code they use. The browser loads a new document when it goes from one program to another.
//!
//! Game logic, board logic and texts are plain Rust, tested natively; components only display them.
//!
//! | module | content |
//! |---|---|
//! | [`routing`] | addresses, pages, navigation |
//! | `app` | the frame around all pages, updates, the notice after a failure |
//! | [`home`] | the home page |
//! | [`learn`] | the course, the interactive rules, the strategy guide, pages about the app |
//! | [`local_game`] | games against the computer, and pass and play |
//! | [`online`] | lobby, challenges, live games, accounts, archive |
//! | [`puzzles`] | puzzles: training, storm, streak, progress |
//! | [`setups`] | the gallery of setups and the setup editor |
//! | [`analysis`] | the analysis board, explorer and reviews |
//! | [`game`] | games as plain data: session, options, saved games |
//! | [`game_ui`] | components around a game: player strips, move list, actions, result |
//! | [`board`] | the board component |
//! | `rules` | the positions and moves of the app, with or without those of games with a tower |
//! | [`engine`] | the engine's web worker |
//! | `controls` | dialogs, form fields, icons |
//! | `browser` | services of the browser: storage, clipboard, focus, time |
//! | `api` | HTTP requests to the server |
//! | [`languages`], [`settings`], `shortcuts` | texts in all languages; the user's settings; the keys |
//!
//! `local_game`, `learn`, `online`, `puzzles`, `setups` and `analysis` use the modules below them in this
//! table, but not each other.
//!
//! The feature `tower` adds games with a Tower of Kadesh, and all programs but those of the home
//! page and the puzzles, which are built without it; see `rules`.

#![forbid(unsafe_code)]
// The programs without it use a part of the shared modules, and has neither towers nor conversions to the
// types of games with them. All of this is checked with the feature.
#![cfg_attr(
    not(feature = "tower"),
    allow(unused, unused_qualifications, unreachable_patterns, clippy::useless_conversion)
)]

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use routing::{Page, Program};

#[cfg(feature = "tower")]
pub mod analysis;
mod api;
mod app;
pub mod board;
mod browser;
mod controls;
pub mod engine;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod fuzzing;
pub mod game;
pub mod game_ui;
pub mod home;
pub mod languages;
#[cfg(feature = "tower")]
pub mod learn;
pub mod local_game;
#[cfg(feature = "tower")]
pub mod online;
pub mod puzzles;
pub mod routing;
mod rules;
pub mod settings;
#[cfg(feature = "tower")]
pub mod setups;
mod shortcuts;
mod state_handle;

/// Mounts the home program: home page and local games.
pub fn start_home() {
    mount(Program::Home, app::home_program_page);
}

/// Mounts the program of the puzzles.
pub fn start_puzzles() {
    mount(Program::Puzzles, puzzles::page);
}

/// Mounts the program for online play.
#[cfg(feature = "tower")]
pub fn start_online() {
    mount(Program::Online, online::page);
}

/// Mounts the program for setups.
#[cfg(feature = "tower")]
pub fn start_setups() {
    mount(Program::Setups, setups::page);
}

/// Mounts the program for analysis.
#[cfg(feature = "tower")]
pub fn start_analysis() {
    mount(Program::Analysis, analysis::page);
}

/// Mounts the program of the rules, the strategy guide and the pages about the app.
#[cfg(feature = "tower")]
pub fn start_learn() {
    mount(Program::Learn, learn::page);
}

/// Mounts the program of local games with a tower.
#[cfg(feature = "tower")]
pub fn start_tower() {
    mount(Program::Tower, local_game::tower_page);
}

/// Loads the texts of a program, then shows the app with its pages.
fn mount(program: Program, pages: fn(Page) -> AnyView) {
    app::failure_notice::install_panic_hook();
    spawn_local(async move {
        match languages::load(routing::initial_language(), program.text_sets()).await {
            Ok(()) => {
                remove_shell();
                mount_to_body(move || view! { <app::App program pages/> });
            }
            Err(problem) => app::failure_notice::show_texts_missing(&problem),
        }
    });
}

/// Removes the static shell of `index.html`, in the same frame in which the app is shown.
fn remove_shell() {
    if let Some(shell) = document().get_element_by_id("shell") {
        shell.remove();
    }
}
