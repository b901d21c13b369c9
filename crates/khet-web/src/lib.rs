//! Khet in the browser: one page that changes with its address.
//!
//! The pages of online play are a program of their own ([`start_online`]), so that nobody loads what they do not use;
//! between the two the browser loads the page anew.
//!
//! What a game, a board or a text is, is plain Rust and tested natively; components only show it.

#![forbid(unsafe_code)]

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

pub mod address;
mod app;
pub mod board;
mod dialog;
mod fields;
pub mod home;
pub mod languages;
pub mod learn;
pub mod online;
pub mod play;
pub mod settings;
pub mod setup_names;
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

fn mount(pages: fn(address::Page) -> AnyView) {
    trouble::watch();
    spawn_local(async move {
        match languages::load(address::language()).await {
            Ok(()) => mount_to_body(move || view! { <app::App pages/> }),
            Err(problem) => trouble::no_words(&problem),
        }
    });
}
