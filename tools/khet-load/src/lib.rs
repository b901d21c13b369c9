//! Clients that play real games against a server, to load and to test it.
//!
//! They behave like browsers: they fold events, choose legal moves, reconnect when the connection
//! breaks, and resend actions that were not acknowledged.
//!
//! `khet-load` plays thousands of games at once and prints how quickly moves are acknowledged.
//! Tests use the parts: a [`Guest`] sends HTTP requests, a [`ClientSocket`] is a WebSocket
//! connection, a [`LoadPlayer`] plays. A [`Playout`] is a random game: `khet-playouts` writes
//! records of them, and `khet-explorer-load` queries the explorer for their positions.
//! `khet-idle-load` opens sockets that do nothing. `khet-soak` kills the server meanwhile, and
//! compares everything that it acknowledged with a model. `khet-cluster-test` does that with several
//! nodes, of which any part may fail.

#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
mod cluster_test;
mod guest;
mod player;
mod playout;
mod service_load;
#[cfg(target_os = "linux")]
mod soak;
mod socket;
mod stats;

pub use khet_services::ProcessStats;

#[cfg(target_os = "linux")]
pub use cluster_test::{ClusterReport, ClusterTestOptions, cluster_test, cluster_test_main};
pub use guest::{Guest, HttpResponse, request};
pub use player::{LoadPlayer, MoveRate, ServerFault};
pub use playout::Playout;
pub use service_load::{ClusterServiceArgs, ServiceCounters, ServiceLoad};
#[cfg(target_os = "linux")]
pub use soak::{SoakOptions, SoakReport, soak, soak_main};
pub use socket::ClientSocket;
pub use stats::{LoadStats, LoadSummary};
