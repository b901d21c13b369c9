//! Serves Khet: the app for browsers, and games over the network.
//!
//! The app is part of the program, compressed beforehand. Assets whose name tells their content are
//! kept by browsers forever; the page itself is asked for again each time, and answered with "not
//! modified" if it is as it was.
//!
//! A game is a list of events that only grows. One task owns a live game, decides with the library what is right, and has it
//! written; only what is on disk is acknowledged and shown.

#![forbid(unsafe_code)]

mod addresses;
mod answer;
mod api;
mod archive;
mod assets;
pub mod blocking;
mod challenges;
mod config;
mod connections;
mod departures;
mod encoding;
mod explorer;
mod gallery;
mod games;
mod import;
mod lines;
mod lobby;
mod markup;
mod metrics;
mod notices;
mod origin;
mod people;
mod pictures;
mod previews;
mod protection;
mod random;
mod rate_limits;
mod ratings;
mod refusal;
mod reviews;
mod router;
mod server;
mod server_state;
mod sockets;
mod storage;
mod texts;
mod time;
mod watch;

pub use self::assets::{Assets, File};
pub use self::config::{Config, Limits};
pub use self::import::{AddError, ImportError, ImportSummary, Importer};
pub use self::server::{Failure, Server, run};
pub use self::storage::StorageError;
pub use self::time::Time;
