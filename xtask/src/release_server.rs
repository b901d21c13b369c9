//! The release server, started for a measurement.

use std::path::{Path, PathBuf};

use khet_services::{KhetNode, NodeOptions, UNLIMITED};

use crate::step::{TaskError, target};

/// Starts a server with a database in a folder and without rate limits.
pub(crate) fn start(folder: &Path) -> Result<KhetNode, TaskError> {
    let options = NodeOptions {
        binary: binary("khet"),
        name: "khet".to_owned(),
        folder: folder.to_owned(),
        database: folder.join("khet.sqlite").display().to_string(),
        nats: None,
        arguments: unlimited(),
    };
    KhetNode::start(options).map_err(|error| TaskError(error.to_string()))
}

/// Returns the arguments of a server for measurements.
pub(crate) fn unlimited() -> Vec<String> {
    ["--log", "warn"].into_iter().chain(UNLIMITED).map(str::to_owned).collect()
}

/// Returns the path of a release binary.
pub(crate) fn binary(name: &str) -> PathBuf {
    target().join("release").join(name)
}
