//! Games: against the computer, and of two people at one table.

mod choice;
mod clock;
mod hint;
mod question;
mod save;
mod session;
