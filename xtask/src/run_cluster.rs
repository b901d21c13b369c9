//! `cargo xtask run --cluster N`: builds the app and the binary that embeds it, and starts several
//! nodes with PostgreSQL, NATS and a balancer.

use std::io;
use std::net::SocketAddr;

use khet_services::{BalancedNode, HaproxyInstance, Interruption};

use crate::app;
use crate::cluster::LocalCluster;
use crate::release_server::binary;
use crate::services;
use crate::step::{TaskError, cargo, step, target};

/// The number of nodes that a machine can reasonably run.
const MAX_NODES: usize = 16;
/// The balancer's address unless another is asked for: that of a single server.
const ADDRESS: &str = "127.0.0.1:8080";

const HELP: &str = "\
Usage: cargo xtask run --cluster N [--address IP:PORT] [-- OPTIONS OF khet serve]

Builds Khet and starts N nodes with PostgreSQL, NATS and HAProxy, all on this machine. The
balancer's address is printed. Ctrl-C stops everything. The data stays in target/cluster; the logs
of all processes are there too.

Example: cargo xtask run --cluster 3
";

/// The arguments of the task.
struct ClusterArguments {
    nodes: usize,
    address: SocketAddr,
    serve: Vec<String>,
}

/// Builds and serves until Ctrl-C.
pub(crate) fn run(arguments: &[&str]) -> Result<(), TaskError> {
    if arguments.iter().any(|it| ["--help", "-h"].contains(it)) {
        print!("{HELP}");
        return Ok(());
    }
    let arguments = ClusterArguments::parse(arguments)?;
    services::install()?;
    services::install_balancer()?;
    let app = app::build()?;
    let mut build = cargo(["build", "--release", "--package", "khet-cli"]);
    build.env(app::VARIABLE, app.folder());
    step("build", build)?;
    println!("\n=== cluster");
    let failed = |error: io::Error| TaskError(error.to_string());
    let interruption = Interruption::catch().map_err(failed)?;
    let folder = target().join("cluster");
    let mut serve = vec!["--behind-proxy".to_owned()];
    serve.extend(arguments.serve);
    let mut cluster = LocalCluster::start(&binary("khet"), &folder, arguments.nodes, &serve)?;
    let nodes: Vec<BalancedNode> = cluster
        .nodes
        .iter()
        .map(|node| BalancedNode {
            name: node.name().to_owned(),
            address: node.address(),
            health: node.metrics(),
        })
        .collect();
    let mut balancer =
        HaproxyInstance::start(&folder, arguments.address, &nodes).map_err(failed)?;
    for node in &cluster.nodes {
        let (name, address, metrics) = (node.name(), node.address(), node.metrics());
        println!("{name} listens on http://{address}, its metrics are at http://{metrics}/metrics");
    }
    println!("PostgreSQL: {}", cluster.postgres.url());
    println!("NATS: {}", cluster.nats.url());
    println!("\nKhet: http://{} (Ctrl-C stops it)", balancer.address());
    let ended = loop {
        if interruption.wait() {
            break None;
        }
        if !matches!(balancer.ended(), Ok(None)) {
            break Some("HAProxy".to_owned());
        }
        if let Some(name) = cluster.ended() {
            break Some(name);
        }
    };
    println!("stopping");
    let balancer = balancer.stop().map_err(failed);
    cluster.stop()?;
    balancer?;
    ended.map_or(Ok(()), |name| Err(TaskError(format!("ended by itself: {name}"))))
}

impl ClusterArguments {
    fn parse(arguments: &[&str]) -> Result<ClusterArguments, TaskError> {
        let wrong = |text: &str| TaskError(format!("{text}\n\n{HELP}"));
        let mut nodes = None;
        let mut address = ADDRESS;
        let mut serve = Vec::new();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value =
                || rest.next().ok_or_else(|| wrong(&format!("{argument} lacks a value")));
            match *argument {
                "--cluster" => nodes = Some(*value()?),
                "--address" => address = value()?,
                "--" => serve = rest.by_ref().map(|it| (*it).to_owned()).collect(),
                other => return Err(wrong(&format!("{other} is no argument of this task"))),
            }
        }
        let nodes = nodes.and_then(|nodes| nodes.parse().ok());
        let nodes = nodes.filter(|nodes| (1..=MAX_NODES).contains(nodes));
        let nodes =
            nodes.ok_or_else(|| wrong(&format!("--cluster takes 1 to {MAX_NODES} nodes")))?;
        let address = address.parse().map_err(|error| wrong(&format!("{address}: {error}")))?;
        Ok(ClusterArguments { nodes, address, serve })
    }
}
