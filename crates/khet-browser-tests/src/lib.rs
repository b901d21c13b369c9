//! Tests of the app in a real Chromium, as a user operates it.
//!
//! All input goes through ChromeDriver: key presses, mouse, touch. Each [`Browser`] has an empty
//! profile. A [`AppServer`] in this process serves the app, as `khet serve` does.

#![forbid(unsafe_code)]

mod analysis_page;
mod browser;
mod driver;
mod game_page;
mod player;
mod server;
mod words;

pub use analysis_page::open_analysis;
pub use browser::{Browser, ColorScheme, Device, Key, in_browser};
pub use game_page::{GameScreen, InputMethod, type_move};
pub use player::{SHORT_GAME, choose_move, moves_of};
pub use server::AppServer;
pub use words::{languages, word};
