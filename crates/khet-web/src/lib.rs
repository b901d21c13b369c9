//! Khet in the browser: one page that changes with its address.
//!
//! What a game, a board or a text is, is plain Rust and tested natively; components only show it.

#![forbid(unsafe_code)]

pub mod address;
mod app;
pub mod board;
pub mod home;
pub mod languages;
pub mod learn;
pub mod play;
pub mod settings;
pub mod setup_names;
mod sound;
mod trouble;
mod update;

/// Mounts the app on the page.
pub fn start() {
    trouble::watch();
    leptos::mount::mount_to_body(app::App);
}
