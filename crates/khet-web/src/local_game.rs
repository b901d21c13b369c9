//! Local games: against the computer, and pass and play.

mod actions;
mod computer;
mod dialogs;
mod engine_commands;
mod hint;
mod hotseat;
mod layout;
mod messages;
mod more;
mod new_game;
mod player;
mod result;
mod saved_game;
mod state;
mod unfinished;

pub use computer::ComputerPage;
pub use hotseat::HotseatPage;
pub use unfinished::unfinished_games;
