//! The Khet server: the web app, and games over the network.
//!
//! The files of the web app are part of the program and compressed at build time. Browsers cache
//! files forever whose name contains a hash of the content; they revalidate the page itself each
//! time.
//!
//! A game is an append-only list of events. One task owns each live game, validates actions with
//! the rules library, and has the events written; only after the commit are they acknowledged and
//! sent to clients.
//!
//! # Modules
//!
//! From the socket to the disk:
//!
//! | module | task |
//! |---|---|
//! | `server` | starting and stopping, heartbeats |
//! | `server_state` | the state that all handlers share |
//! | `config`, `rate_limits` | the options of the operator; limits per address and person |
//! | `blocking_jobs` | limits the work that occupies threads |
//! | `connections`, `forwarded` | TCP connections, their number, the address of the client |
//! | `router`, `origin`, `security_headers` | routes and the layers around them |
//! | `assets`, `static_files`, `encoding` | the files of the web app |
//! | `addresses`, `previews`, `texts`, `markup`, `pictures` | pages and their link previews |
//! | `api`, `error_response` | the list of API routes, the OpenAPI document, errors as responses |
//! | `sockets` | the WebSocket for playing and watching |
//! | `ndjson`, `notices` | streams for bots; notices to people on all their connections |
//! | `people` | sessions, guests, accounts, passwords, bots, profiles, personal data |
//! | `session_revocation` | closes the connections of people who have signed out |
//! | `cluster` | several nodes: ownership of games, messages between nodes |
//! | `challenges`, `seeks`, `lobby` | challenges and seeks; pairing |
//! | `games` | live games: one task each |
//! | `watch`, `archive` | lists of live games; search and export of finished ones |
//! | `ratings` | Glicko-2 |
//! | `explorer`, `import` | the opening explorer and the games imported for it |
//! | `reviews` | reviews of finished games by the engine |
//! | `gallery` | setups that people have published |
//! | `puzzles` | puzzles, attempts at them, votes, dashboards |
//! | `storage` | the database |
//! | `backups`, `maintenance` | scheduled backups; backup, restore and verification by commands |
//! | `metrics` | health checks and Prometheus metrics |
//! | `fuzzing` | the readers of outside bytes, for the fuzz targets |
//! | `testing` | databases of tests |
//! | `time`, `random` | the server's clock; random ids and tokens |

#![forbid(unsafe_code)]

mod addresses;
mod api;
mod archive;
mod assets;
mod backups;
mod blocking_jobs;
mod challenges;
mod cluster;
mod config;
mod connections;
mod encoding;
mod error_response;
mod explorer;
mod forwarded;
#[doc(hidden)]
pub mod fuzzing;
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
mod puzzles;
mod random;
mod rate_limits;
mod ratings;
mod reviews;
mod router;
mod security_headers;
mod seeks;
mod server;
mod server_state;
mod session_revocation;
mod sockets;
mod static_files;
mod storage;
#[doc(hidden)]
pub mod testing;
mod texts;
mod time;
mod watch;

pub use self::assets::{Assets, File};
pub use self::backups::BackupOptions;
pub use self::config::{Config, ServerLimits};
pub use self::forwarded::ProxyHeader;
pub use self::import::{AddError, ImportError, ImportSummary, Importer};
pub use self::server::{Server, StartError, run};
pub use self::storage::{
    DatabaseLocation, DiskFault, LocationError, LocationParser, PostgresUrl, StorageError,
    StorageFaults, TransferError, TransferObserver, TransferPhase, TransferSummary, VerifyFault,
    VerifyObserver, VerifySummary,
};
pub use self::time::Time;
