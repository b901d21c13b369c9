//! Khet in the browser: one page that changes with its address.
//!
//! It is several programs ([`address::Program`]), so that nobody loads what they do not use; between them the browser
//! loads the page anew.
//!
//! What a game, a board or a text is, is plain Rust and tested natively; components only show it.

#![forbid(unsafe_code)]

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

pub mod address;
pub mod analysis;
mod app;
pub mod board;
mod dialog;
pub mod engine;
mod fields;
pub mod home;
pub mod languages;
pub mod learn;
mod me;
pub mod online;
mod paging;
pub mod play;
mod server;
pub mod settings;
pub mod setup_names;
pub mod setups;
mod sound;
mod trouble;
mod update;

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

fn mount(pages: fn(address::Page) -> AnyView) {
    trouble::watch();
    spawn_local(async move {
        match languages::load(address::language()).await {
            Ok(()) => mount_to_body(move || view! { <app::App pages/> }),
            Err(problem) => trouble::no_words(&problem),
        }
    });
}
