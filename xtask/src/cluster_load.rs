//! `cargo xtask load --cluster N`: plays many games at once against 1 to N nodes with PostgreSQL and
//! NATS, all on this machine, and compares what a move costs.
//!
//! Nodes, services and the load generator share the processors, so the figures that can be compared
//! are those per move, at one rate: the more moves a node commits together, the less each costs.
//! Fails if a cluster misses a target. Other arguments are passed to `khet-load`.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::cluster::LocalCluster;
use crate::release_server::{binary, unlimited};
use crate::server_test;
use crate::services;
use crate::step::{TaskError, target};

/// The moves per second that are asked for, unless `--rate` says another number.
const RATE: &str = "6000";
/// The least moves per second of processor time, of nodes and services together, as a share of those of
/// one node.
const MIN_SHARE_OF_ONE_NODE: f64 = 0.6;
/// The longest time within which 99 of 100 moves are acknowledged, in milliseconds.
const MAX_P99: f64 = 150.0;
/// The number of nodes that a machine can reasonably run.
const MAX_NODES: usize = 16;

/// Measures clusters of each size, and prints the results.
pub(crate) fn load(arguments: &[&str]) -> Result<(), TaskError> {
    let (nodes, json, mut arguments) = parse(arguments)?;
    if !arguments.iter().any(|argument| argument.starts_with("--rate")) {
        arguments.extend(["--rate", RATE]);
    }
    services::install()?;
    server_test::build(json)?;
    let mut results = Vec::new();
    for nodes in 1..=nodes {
        eprintln!("\n=== load of {nodes} nodes");
        results.push(measure(nodes, &arguments)?);
    }
    if json {
        println!("{}", json!({ "clusters": results }));
    } else {
        print(&results);
    }
    check(&results)
}

/// Returns the step of a result that counts: the highest sustained rate, or the one that was asked
/// for.
fn counted_step(result: &Value) -> &Value {
    match &result["sustained"] {
        Value::Null => &result["steps"][0],
        step => step,
    }
}

/// Fails if a cluster misses a target.
fn check(results: &[Value]) -> Result<(), TaskError> {
    let one = results.first().and_then(|result| moves_per_processor_second(counted_step(result)));
    for result in results {
        let (nodes, step) = (&result["nodes"], counted_step(result));
        let share = moves_per_processor_second(step).zip(one).map(|(moves, one)| moves / one);
        if share.is_none_or(|share| share < MIN_SHARE_OF_ONE_NODE) {
            return Err(TaskError(format!(
                "{nodes} nodes: a move costs too much more than with one"
            )));
        }
        if step["p99"].as_f64().is_none_or(|p99| p99 >= MAX_P99) {
            return Err(TaskError(format!("{nodes} nodes: p99 is not below {MAX_P99} ms")));
        }
    }
    Ok(())
}

/// Returns the number of nodes, whether JSON is wanted, and the other arguments.
fn parse<'a>(arguments: &[&'a str]) -> Result<(usize, bool, Vec<&'a str>), TaskError> {
    let wrong = || TaskError(format!("--cluster takes 1 to {MAX_NODES} nodes"));
    let mut nodes = None;
    let mut json = false;
    let mut others = Vec::new();
    let mut rest = arguments.iter().copied();
    while let Some(argument) = rest.next() {
        match argument {
            "--cluster" => nodes = rest.next().and_then(|nodes| nodes.parse().ok()),
            "--json" => json = true,
            other => others.push(other),
        }
    }
    let nodes = nodes.filter(|nodes| (1..=MAX_NODES).contains(nodes)).ok_or_else(wrong)?;
    Ok((nodes, json, others))
}

/// Starts a cluster with an empty database, and returns what the load generator measured.
fn measure(nodes: usize, arguments: &[&str]) -> Result<Value, TaskError> {
    let folder = target().join("cluster-load");
    let _ = fs::remove_dir_all(&folder);
    let cluster = LocalCluster::start(&binary("khet"), &folder, nodes, &unlimited())?;
    let mut client = Command::new(binary("khet-load"));
    for node in &cluster.nodes {
        client.args(["--server", &node.address().to_string()]);
        client.args(["--metrics", &node.metrics().to_string()]);
        client.args(["--process", &node.process().to_string()]);
    }
    client
        .args(["--postgres", &cluster.postgres.url()])
        .args(["--postgres-process", &cluster.postgres.process().to_string()])
        .args(["--nats-monitoring", &cluster.nats.monitoring().to_string()])
        .args(["--nats-process", &cluster.nats.process().to_string()])
        .args(arguments)
        .stderr(Stdio::inherit());
    let output = client.output().map_err(|error| TaskError(format!("khet-load: {error}")))?;
    if !output.status.success() {
        let logs = folder.display();
        return Err(TaskError(format!("khet-load failed ({}); logs: {logs}", output.status)));
    }
    cluster.stop()?;
    let _ = fs::remove_dir_all(&folder);
    let mut result: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| TaskError(format!("khet-load: {error}")))?;
    result["nodes"] = json!(nodes);
    Ok(result)
}

/// Prints a column for each cluster: its highest sustained rate, or the one that was asked for.
fn print(results: &[Value]) {
    let steps: Vec<&Value> = results.iter().map(counted_step).collect();
    let row = |name: &str, value: &dyn Fn(&Value) -> Option<f64>, digits: usize| {
        print!("{name:<52}");
        for step in &steps {
            match value(step) {
                Some(value) => print!(" {value:>10.digits$}"),
                None => print!(" {:>10}", "-"),
            }
        }
        println!();
    };
    let own = |name: &'static str| move |step: &Value| step[name].as_f64();
    let service = |name: &'static str| move |step: &Value| step["services"][name].as_f64();
    println!("\n=== figures");
    print!("{:<52}", "nodes");
    results.iter().for_each(|result| print!(" {:>10}", result["nodes"].to_string()));
    println!();
    row("moves acknowledged and on disk, per second", &own("rate"), 0);
    row("moves per second of processor time, with services", &moves_per_processor_second, 0);
    row("from move to acknowledgement, median, ms", &own("median"), 1);
    row("from move to acknowledgement, p99, ms", &own("p99"), 1);
    row("processor time per move, µs: all nodes", &own("server_micros_per_move"), 0);
    row("  PostgreSQL", &service("postgres_micros_per_move"), 0);
    row("  NATS", &service("nats_micros_per_move"), 0);
    row("  load generator", &own("generator_micros_per_move"), 0);
    row("moves per commit of a node", &own("moves_per_commit"), 1);
    row("transactions per move", &service("transactions_per_move"), 2);
    row("write-ahead log per move, bytes", &service("log_bytes_per_move"), 0);
    row("between nodes and PostgreSQL per move, bytes", &service("postgres_bytes_per_move"), 0);
    row("between nodes and NATS per move, bytes", &service("nats_bytes_per_move"), 0);
    row("messages to NATS per move", &service("nats_messages_per_move"), 2);
    row("broken connections", &own("reconnects"), 0);
}

/// Returns the moves per second of processor time that all nodes and services together used.
fn moves_per_processor_second(step: &Value) -> Option<f64> {
    let services = &step["services"];
    let nodes = step["server_micros_per_move"].as_f64()?;
    let postgres = services["postgres_micros_per_move"].as_f64()?;
    let nats = services["nats_micros_per_move"].as_f64()?;
    Some(1e6 / (nodes + postgres + nats))
}
