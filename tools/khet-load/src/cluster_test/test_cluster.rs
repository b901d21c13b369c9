//! The cluster under test: nodes, PostgreSQL, NATS, and the proxies between them.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use khet_services::{
    Durability, KhetNode, NatsInstance, NodeOptions, PostgresInstance, ServiceSignal, UNLIMITED,
};

use super::fault_plan::{FaultKind, PlannedFault};
use super::tcp_proxy::{LinkState, TcpProxy};

/// Time in which a link closes its connections before it is opened again.
const CLOSING_TIME: Duration = Duration::from_millis(200);

/// The running processes.
#[derive(Debug)]
pub struct TestCluster {
    nodes: Vec<ClusterNode>,
    /// None for a single node with an SQLite file.
    services: Option<ClusterServices>,
}

/// A node, and its links to the services.
#[derive(Debug)]
struct ClusterNode {
    process: KhetNode,
    links: Option<ServiceLinks>,
}

#[derive(Debug)]
struct ServiceLinks {
    postgres: TcpProxy,
    nats: TcpProxy,
}

#[derive(Debug)]
struct ClusterServices {
    postgres: PostgresInstance,
    nats: NatsInstance,
}

impl TestCluster {
    /// Starts PostgreSQL, NATS and nodes. Data and logs are in a folder.
    ///
    /// # Errors
    ///
    /// If something does not start.
    pub async fn start(binary: &Path, folder: &Path, nodes: usize) -> io::Result<TestCluster> {
        let (postgres, nats) = (folder.join("postgres"), folder.join("nats"));
        let services = tokio::task::block_in_place(|| {
            io::Result::Ok(ClusterServices {
                postgres: PostgresInstance::start(&postgres, Durability::Full)?,
                nats: NatsInstance::start(&nats)?,
            })
        })?;
        let local = |port| SocketAddr::from(([127, 0, 0, 1], port));
        let mut started = Vec::new();
        for number in 1..=nodes {
            let links = ServiceLinks {
                postgres: TcpProxy::start(local(services.postgres.port())).await?,
                nats: TcpProxy::start(local(services.nats.port())).await?,
            };
            let (postgres, nats) = (links.postgres.address(), links.nats.address());
            let name = format!("node-{number}");
            // The record of the writers of events has this name.
            let database =
                format!("postgres://postgres@{postgres}/postgres?application_name={name}");
            let options = NodeOptions {
                name,
                database,
                nats: Some(format!("nats://{nats}")),
                ..node_options(binary, folder)?
            };
            let process = tokio::task::block_in_place(|| KhetNode::start(options))?;
            started.push(ClusterNode { process, links: Some(links) });
        }
        Ok(TestCluster { nodes: started, services: Some(services) })
    }

    /// Starts a single server with an SQLite file.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn start_single(binary: &Path, folder: &Path) -> io::Result<TestCluster> {
        let options = node_options(binary, folder)?;
        let process = tokio::task::block_in_place(|| KhetNode::start(options))?;
        Ok(TestCluster { nodes: vec![ClusterNode { process, links: None }], services: None })
    }

    /// Returns the addresses of the nodes.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.process.address()).collect()
    }

    /// Returns the addresses at which the nodes say whether they are ready.
    pub fn metrics(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.process.metrics()).collect()
    }

    /// Returns the URL of the database, if it is PostgreSQL.
    pub fn postgres(&self) -> Option<String> {
        self.services.as_ref().map(|services| services.postgres.url())
    }

    /// Causes a fault, waits for its time, and removes its cause.
    ///
    /// # Errors
    ///
    /// If a process does not start again, or ended by itself.
    pub async fn cause(&mut self, fault: &PlannedFault) -> io::Result<()> {
        let wait = tokio::time::sleep(fault.time);
        match (fault.kind, fault.node) {
            (FaultKind::KillNode, Some(node)) => {
                let process = &mut self.nodes[node].process;
                tokio::task::block_in_place(|| process.kill())?;
                wait.await;
                tokio::task::block_in_place(|| process.restart())
            }
            (FaultKind::StopNode, Some(node)) => {
                let process = &mut self.nodes[node].process;
                tokio::task::block_in_place(|| process.stop())?;
                wait.await;
                tokio::task::block_in_place(|| process.restart())
            }
            (FaultKind::FreezeNode, Some(node)) => {
                let process = &self.nodes[node].process;
                process.signal(ServiceSignal::Stop)?;
                wait.await;
                process.signal(ServiceSignal::Continue)
            }
            (FaultKind::CutFromPostgres | FaultKind::CutFromNats, Some(node)) => {
                let Some(links) = &self.nodes[node].links else { return Ok(()) };
                let link = match fault.kind {
                    FaultKind::CutFromPostgres => &links.postgres,
                    _ => &links.nats,
                };
                link.set(fault.link);
                wait.await;
                if fault.closes_connections {
                    link.set(LinkState::Closed);
                    tokio::time::sleep(CLOSING_TIME).await;
                }
                link.set(LinkState::Open);
                Ok(())
            }
            (FaultKind::KillNats, _) => {
                let Some(services) = &mut self.services else { return Ok(()) };
                tokio::task::block_in_place(|| services.nats.kill())?;
                wait.await;
                tokio::task::block_in_place(|| services.nats.restart())
            }
            (FaultKind::KillPostgres, _) => {
                let Some(services) = &mut self.services else { return Ok(()) };
                tokio::task::block_in_place(|| services.postgres.kill())?;
                wait.await;
                tokio::task::block_in_place(|| services.postgres.restart())
            }
            (_, None) => Ok(()),
        }
    }

    /// Returns the name of a node that is not ready to play, or why it ended.
    pub fn unready(&mut self) -> Option<String> {
        tokio::task::block_in_place(|| {
            self.nodes.iter_mut().find_map(|ClusterNode { process, .. }| match process.ended() {
                Ok(Some(status)) => Some(format!("{} ended by itself: {status}", process.name())),
                _ if process.is_ready() => None,
                _ => Some(format!("{} is not ready", process.name())),
            })
        })
    }

    /// Stops all nodes with SIGTERM, one after another.
    ///
    /// # Errors
    ///
    /// If a node does not stop.
    pub fn stop_nodes(&mut self) -> io::Result<()> {
        tokio::task::block_in_place(|| {
            self.nodes.iter_mut().try_for_each(|node| node.process.stop())
        })
    }

    /// Starts the first node again, which then has everything from the database. Returns its address.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn start_one(&mut self) -> io::Result<SocketAddr> {
        tokio::task::block_in_place(|| {
            let first = &mut self.nodes[0].process;
            first.restart()?;
            Ok(first.address())
        })
    }

    /// Stops the first node.
    ///
    /// # Errors
    ///
    /// If it does not stop.
    pub fn stop_one(&mut self) -> io::Result<()> {
        tokio::task::block_in_place(|| self.nodes[0].process.stop())
    }

    /// Stops the services.
    ///
    /// # Errors
    ///
    /// If one does not stop.
    pub fn stop(mut self) -> io::Result<()> {
        tokio::task::block_in_place(|| {
            if let Some(services) = &mut self.services {
                services.nats.stop()?;
                services.postgres.stop()?;
            }
            Ok(())
        })
    }
}

/// Returns the path of a single server's database.
pub fn sqlite_file(folder: &Path) -> PathBuf {
    folder.join("khet.sqlite")
}

/// Returns the options of a single server, which those of a node begin with.
fn node_options(binary: &Path, folder: &Path) -> io::Result<NodeOptions> {
    let logs: PathBuf = folder.join("nodes");
    fs::create_dir_all(&logs)?;
    Ok(NodeOptions {
        binary: binary.to_owned(),
        name: "khet".to_owned(),
        folder: logs,
        database: sqlite_file(folder).display().to_string(),
        nats: None,
        arguments: ["--log", "info"].into_iter().chain(UNLIMITED).map(str::to_owned).collect(),
    })
}
