//! PostgreSQL, NATS, HAProxy and nodes of Khet as private processes on this machine.
//!
//! Tests, measurements and `cargo xtask run --cluster` use them. Each instance has a folder of its
//! own, listens on a free port of 127.0.0.1, and is stopped when it is dropped. It does not touch
//! instances that the system runs.
//!
//! The processes are in process groups of their own, so that Ctrl-C reaches only the program that
//! started them. That program notices it through an [`Interruption`], and stops them in order.

#![forbid(unsafe_code)]

mod free_port;
mod haproxy;
mod interruption;
mod khet_node;
mod nats;
mod postgres;
mod process_stats;
mod service_process;
mod system_program;
mod unprivileged_user;

pub use free_port::free_port;
pub use haproxy::{BalancedNode, HaproxyInstance};
pub use interruption::Interruption;
pub use khet_node::{KhetNode, NodeOptions, UNLIMITED, http_get};
pub use nats::{NatsInstance, NatsTraffic};
pub use postgres::{Durability, PostgresInstance, postgres_programs, psql};
pub use process_stats::ProcessStats;
pub use service_process::{ServiceProcess, ServiceSignal, process_family};
