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
//! | [`home`], [`learn`] | the home page; the interactive rules |
//! | [`local_game`] | games against the computer, and pass and play |
//! | [`online`] | lobby, challenges, live games, accounts, archive |
//! | [`setups`] | the gallery of setups and the setup editor |
//! | [`analysis`] | the analysis board, explorer and reviews |
//! | [`game`] | games as plain data: session, options, saved games |
//! | [`game_ui`] | components around a game: player strips, move list, actions, result |
//! | [`board`] | the board component |
//! | [`engine`] | the engine's web worker |
//! | `controls` | dialogs, form fields, icons |
//! | `browser` | services of the browser: storage, clipboard, focus, time |
//! | `api` | HTTP requests to the server |
//! | [`languages`], [`settings`] | texts in all languages; the user's settings |
//!
//! `local_game`, `online`, `setups` and `analysis` use the modules below them in this table, but
//! not each other.

#![forbid(unsafe_code)]

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

pub mod analysis;
mod api;
mod app;
pub mod board;
mod browser;
mod controls;
pub mod engine;
pub mod game;
pub mod game_ui;
pub mod home;
pub mod languages;
pub mod learn;
pub mod local_game;
pub mod online;
pub mod routing;
pub mod settings;
pub mod setups;

/// Mounts the home program: home page, rules and local games.
pub fn start_home() {
    mount(app::home_program_page);
}

/// Mounts the program for online play.
pub fn start_online() {
    mount(online::page);
}

/// Mounts the program for setups.
pub fn start_setups() {
    mount(setups::page);
}

/// Mounts the program for analysis.
pub fn start_analysis() {
    mount(analysis::page);
}

/// Loads the texts, then shows the app with these pages.
fn mount(pages: fn(routing::Page) -> AnyView) {
    app::failure_notice::install_panic_hook();
    spawn_local(async move {
        match languages::load(routing::initial_language()).await {
            Ok(()) => mount_to_body(move || view! { <app::App pages/> }),
            Err(problem) => app::failure_notice::show_texts_missing(&problem),
        }
    });
}
