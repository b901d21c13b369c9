//! `khet-cluster-test`: plays through all nodes of a cluster while nodes, PostgreSQL, NATS and the
//! connections between them fail, and compares everything that was acknowledged with a model.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    khet_load::cluster_test_main()
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("khet-cluster-test runs on Linux, where it finds all processes of PostgreSQL");
    ExitCode::FAILURE
}
