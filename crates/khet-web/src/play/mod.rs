//! Games: against the computer, and of two people at one table.

mod actions;
mod choice;
mod clock;
mod computer;
mod desk;
mod engine;
mod focus;
mod hint;
mod icon;
mod moment;
mod new_game;
mod papers;
mod player;
mod question;
mod result;
mod room;
mod save;
mod session;
mod sheets;
mod storage;
mod table;
mod turn_list;
mod unfinished;
mod walk;
mod wish;

pub use computer::ComputerPage;
pub(crate) use result::outcome_line;
pub use table::TablePage;
pub use unfinished::unfinished;
pub use wish::wish_for;
