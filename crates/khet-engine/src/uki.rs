//! The engine protocol: UCI's commands in Khet's notation.
//!
//! `protocol` handles the commands. [`run`] searches on a thread and reads further commands
//! meanwhile; a [`BlockingSession`] finishes a search before the next line, for platforms without
//! threads.

mod blocking;
mod go_command;
mod protocol;
mod threaded;

pub use blocking::{BlockingSession, HostCallbacks};
pub use threaded::run;
