//! The Khet server: the web app, and games over the network.
//!
//! The files of the web app are part of the program and compressed at build time. Browsers cache
//! files forever whose name contains a hash of the content; they revalidate the page itself each
//! time.
//!
//! A game is an append-only list of events. One task owns each live game, validates actions with
//! the rules library, and has the events written; only after the commit are they acknowledged and
//! sent to clients.

#![forbid(unsafe_code)]

mod addresses;
mod api;
mod archive;
mod assets;
mod challenges;
mod config;
mod connections;
mod encoding;
mod error_response;
mod explorer;
mod gallery;
mod games;
mod import;
mod lobby;
pub mod maintenance;
mod markup;
mod metrics;
mod ndjson;
mod notices;
mod origin;
mod people;
mod pictures;
mod previews;
mod random;
mod rate_limits;
mod ratings;
mod reviews;
mod router;
mod security_headers;
mod server;
mod server_state;
mod session_revocation;
mod sockets;
mod static_files;
mod storage;
mod texts;
mod time;
mod watch;

pub use self::assets::{Assets, File};
pub use self::config::{Config, Limits};
pub use self::import::{AddError, ImportError, ImportSummary, Importer};
pub use self::server::{Server, StartError, run};
pub use self::storage::StorageError;
pub use self::time::Time;
