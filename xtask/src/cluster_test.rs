//! `cargo xtask cluster-test`: plays through three nodes while nodes, PostgreSQL, NATS and the
//! connections between them fail, and compares everything that was acknowledged with a model.

use crate::server_test;
use crate::services;
use crate::step::TaskError;

/// Runs the test; arguments are passed to `khet-cluster-test`.
pub(crate) fn cluster_test(arguments: &[&str]) -> Result<(), TaskError> {
    services::install()?;
    server_test::run("khet-cluster-test", "cluster-test", arguments)
}
