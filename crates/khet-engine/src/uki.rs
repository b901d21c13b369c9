//! The engine protocol: UCI's commands in Khet's notation.
//!
//! What the lines mean is in `protocol`; what differs is who searches: [`run`] has a thread for it and
//! goes on listening, a [`Dialogue`] searches before it takes the next line, where there are no threads.

mod dialogue;
mod protocol;
mod request;
mod threaded;

pub use dialogue::{Dialogue, Senses};
pub use threaded::run;
