//! Khet in the browser: one page that changes with its address.
//!
//! What a game, a board or a text is, is plain Rust and tested natively; components only show it.

#![forbid(unsafe_code)]

use wasm_bindgen_futures::spawn_local;

pub mod address;
mod app;
pub mod board;
mod dialog;
pub mod home;
pub mod languages;
pub mod learn;
pub mod play;
pub mod settings;
pub mod setup_names;
mod sound;
mod trouble;
mod update;

/// Mounts the app on the page, as soon as its words are there.
pub fn start() {
    trouble::watch();
    spawn_local(async {
        match languages::load(address::language()).await {
            Ok(()) => leptos::mount::mount_to_body(app::App),
            Err(problem) => trouble::no_words(&problem),
        }
    });
}
