//! Games: against the computer, and of two people at one table.

pub(crate) mod actions;
pub(crate) mod choice;
pub(crate) mod clock;
mod computer;
mod desk;
pub(crate) mod focus;
mod hint;
pub(crate) mod icon;
pub(crate) mod moment;
pub(crate) mod move_list;
pub(crate) mod new_game;
pub(crate) mod papers;
pub(crate) mod player;
mod question;
pub(crate) mod result;
mod room;
mod save;
pub(crate) mod session;
mod sheets;
pub(crate) mod storage;
mod table;
mod unfinished;
pub(crate) mod walk;
pub(crate) mod wish;

pub use computer::ComputerPage;
pub(crate) use result::outcome_line;
pub use table::TablePage;
pub use unfinished::unfinished;
pub use wish::wish_for;
