//! The app in a real Chromium: what a person does there, and what they see.
//!
//! Everything goes through ChromeDriver: real key presses, mouse, fingers. A [`Browser`] is a fresh one
//! each time, without a past. The app comes from a [`Server`] in this process, as `khet serve` has it.

#![forbid(unsafe_code)]

mod browser;
mod driver;
mod player;
mod room;
mod server;
mod words;

pub use browser::{Browser, Key, Look, Theme, in_browser};
pub use player::{choose, moves_of};
pub use room::{Hand, Room};
pub use server::{MODERATOR, Server};
pub use words::{languages, word};
