//! `cargo xtask soak`: plays, reads and searches while the release server is killed, cannot write to
//! its disk and loses connections, and compares everything that it acknowledged with a model.

use crate::server_test;
use crate::step::TaskError;

/// Runs the soak; arguments are passed to `khet-soak`.
pub(crate) fn soak(arguments: &[&str]) -> Result<(), TaskError> {
    server_test::run("khet-soak", "soak", arguments)
}
