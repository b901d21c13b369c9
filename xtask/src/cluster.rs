//! A cluster on this machine: PostgreSQL, NATS and nodes of the server.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use khet_services::{Durability, KhetNode, NatsInstance, NodeOptions, PostgresInstance};

use crate::step::TaskError;

/// The services and nodes of a cluster.
pub(crate) struct LocalCluster {
    // If the start fails, the nodes are dropped before what they use.
    pub(crate) nodes: Vec<KhetNode>,
    pub(crate) nats: NatsInstance,
    pub(crate) postgres: PostgresInstance,
}

impl LocalCluster {
    /// Starts PostgreSQL, whose data is kept in the folder, NATS, and nodes with these arguments.
    pub(crate) fn start(
        binary: &Path,
        folder: &Path,
        nodes: usize,
        arguments: &[String],
    ) -> Result<LocalCluster, TaskError> {
        let failed = |error: io::Error| TaskError(error.to_string());
        let postgres = PostgresInstance::start(&folder.join("postgres"), Durability::Full);
        let postgres = postgres.map_err(failed)?;
        let nats = NatsInstance::start(&folder.join("nats")).map_err(failed)?;
        let mut cluster = LocalCluster { postgres, nats, nodes: Vec::new() };
        let logs: PathBuf = folder.join("nodes");
        fs::create_dir_all(&logs)
            .map_err(|error| TaskError(format!("{}: {error}", logs.display())))?;
        for number in 1..=nodes {
            let node = KhetNode::start(NodeOptions {
                binary: binary.to_owned(),
                name: format!("node-{number}"),
                folder: logs.clone(),
                database: cluster.postgres.url(),
                nats: Some(cluster.nats.url()),
                arguments: arguments.to_vec(),
            });
            cluster.nodes.push(node.map_err(failed)?);
        }
        Ok(cluster)
    }

    /// Returns the name of a process that ended by itself.
    pub(crate) fn ended(&mut self) -> Option<String> {
        let has_ended = |ended: io::Result<Option<_>>| !matches!(ended, Ok(None));
        if has_ended(self.postgres.ended()) {
            return Some("PostgreSQL".to_owned());
        }
        if has_ended(self.nats.ended()) {
            return Some("NATS".to_owned());
        }
        self.nodes.iter_mut().find_map(|node| {
            has_ended(node.ended())
                .then(|| format!("{}, see {}", node.name(), node.log().display()))
        })
    }

    /// Stops the nodes, then what they use.
    pub(crate) fn stop(mut self) -> Result<(), TaskError> {
        let mut stopped: Vec<io::Result<()>> = self.nodes.iter_mut().map(KhetNode::stop).collect();
        stopped.push(self.nats.stop());
        stopped.push(self.postgres.stop());
        let errors: Vec<String> =
            stopped.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect();
        if errors.is_empty() { Ok(()) } else { Err(TaskError(errors.join("\n"))) }
    }
}
