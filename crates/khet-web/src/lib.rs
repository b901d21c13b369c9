//! Khet in the browser: one page that changes with its address.
//!
//! It is several programs ([`routing::Program`]), so that nobody loads what they do not use; between them the browser
//! loads the page anew.
//!
//! What a game, a board or a text is, is plain Rust and tested natively; components only show it.

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

/// Mounts the pages that need nobody else, as soon as their words are there.
pub fn start() {
    mount(app::page_at_home);
}

/// Mounts the pages of online play.
pub fn start_online() {
    mount(online::page);
}

/// Mounts the pages of setups.
pub fn start_setups() {
    mount(setups::page);
}

/// Mounts the page of analysis.
pub fn start_analysis() {
    mount(analysis::page);
}

fn mount(pages: fn(routing::Page) -> AnyView) {
    app::failure_notice::watch();
    spawn_local(async move {
        match languages::load(routing::language()).await {
            Ok(()) => mount_to_body(move || view! { <app::App pages/> }),
            Err(problem) => app::failure_notice::no_words(&problem),
        }
    });
}
