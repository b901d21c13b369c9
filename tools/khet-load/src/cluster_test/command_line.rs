//! The command line of `khet-cluster-test`, its progress, and its report as text.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use super::fault_plan::{FaultKind, PlannedFault};
use super::{ClusterReport, ClusterTestOptions, cluster_test};
use crate::soak::outages::ClusterOutage;
use crate::soak::soak_run::SoakRun;

/// Play through all nodes of a cluster while its parts fail, and look for losses
#[derive(Parser)]
struct ClusterTestArgs {
    /// The program khet whose server is tested
    #[arg(long)]
    khet: PathBuf,
    /// Folder of the databases, the logs and the evidence
    #[arg(long)]
    folder: PathBuf,
    /// Number of nodes
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=16))]
    nodes: u8,
    /// Test one server with an SQLite file instead, which is killed and stopped
    #[arg(long)]
    sqlite: bool,
    /// Number of faults
    #[arg(long, default_value_t = 20)]
    faults: usize,
    /// Kind of faults, several times for several; all by default
    #[arg(long = "only", value_name = "KIND")]
    kinds: Vec<FaultKind>,
    /// Number of simultaneous games
    #[arg(long, default_value_t = 24)]
    games: usize,
    /// Random seed; a random one by default
    #[arg(long)]
    seed: Option<u64>,
    /// Most seconds on the clock that a player may lose by a fault
    #[arg(long, default_value_t = 2.0)]
    max_loss: f64,
    /// Longest time in seconds from the end of a fault until each game has a working owner; it is
    /// credited
    #[arg(long, default_value_t = 8.0)]
    takeover_time: f64,
    /// Damage a game at the end, and fail if the comparison does not find it
    #[arg(long)]
    self_test: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// Runs a test with the arguments of the program, and prints the report. The exit code is 1 if there
/// are violations.
#[tokio::main]
pub async fn cluster_test_main() -> ExitCode {
    let args = ClusterTestArgs::parse();
    let options = ClusterTestOptions {
        binary: args.khet,
        folder: args.folder,
        nodes: if args.sqlite { 0 } else { usize::from(args.nodes) },
        faults: args.faults,
        kinds: args.kinds,
        games: args.games.max(1),
        seed: args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000)),
        max_loss: Duration::from_secs_f64(args.max_loss),
        takeover_time: Duration::from_secs_f64(args.takeover_time),
        self_test: args.self_test,
    };
    eprintln!("seed {}", options.seed);
    let report = tokio::select! {
        report = cluster_test(&options) => report,
        // The processes are stopped when the test is dropped.
        _ = tokio::signal::ctrl_c() => Err(std::io::Error::other("interrupted")),
    };
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            eprintln!("khet-cluster-test: {error}");
            return ExitCode::FAILURE;
        }
    };
    if args.json {
        println!("{}", serde_json::to_string(&report).unwrap_or_default());
    } else {
        print_report(&report);
    }
    if report.violation_count == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The progress of the faults: a bar, or lines if standard error is not a terminal.
pub(super) struct FaultProgress {
    bar: ProgressBar,
    total: usize,
}

impl FaultProgress {
    /// Begins with the number of faults.
    pub(super) fn new(total: usize) -> FaultProgress {
        let bar = ProgressBar::new(total as u64);
        let bar = match ProgressStyle::with_template("{bar:30} {pos} of {len} faults  {msg}") {
            Ok(style) => bar.with_style(style.progress_chars("━╸ ")),
            Err(_) => bar,
        };
        FaultProgress { bar, total }
    }

    /// Shows that a fault begins.
    pub(super) fn begin(&self, number: usize, fault: &PlannedFault, run: &SoakRun) {
        let node = fault.node.map_or(String::new(), |node| format!(" (node-{})", node + 1));
        let text = format!("{}{node}, {:.1} s", fault.kind.name(), fault.time.as_secs_f64());
        self.bar.set_message(format!("{text}; {}", counts(run)));
        if self.bar.is_hidden() {
            eprintln!("fault {number} of {}: {text}; {}", self.total, counts(run));
        }
    }

    /// Shows that the cluster works again.
    pub(super) fn end(&self, number: usize, outage: &ClusterOutage, run: &SoakRun) {
        self.bar.set_position(number as u64);
        self.bar.set_message(counts(run));
        if self.bar.is_hidden() {
            let time = (outage.recovered - outage.lifted) as f64 / 1000.0;
            eprintln!("  recovered {time:.1} s after its end; {}", counts(run));
        }
    }
}

/// Returns what has happened so far.
fn counts(run: &SoakRun) -> String {
    let moves = run.counts.moves.load(Ordering::Relaxed);
    format!("{} games, {moves} moves, {} violations", run.game_count(), run.faults().0)
}

/// Prints the report as a table, followed by the violations.
fn print_report(report: &ClusterReport) {
    let line = |name: &str, value: String| println!("{name:<48} {value:>12}");
    line("seed", report.seed.to_string());
    line("duration", format!("{:.0} s", report.seconds));
    line("nodes", report.nodes.to_string());
    line("games", report.games.to_string());
    line("games that ended", report.games_finished.to_string());
    line("sockets cut by clients", report.sockets_cut.to_string());
    line("pages read and games watched", report.reads.to_string());
    line("refused because of an outage", report.refused.to_string());
    line("acknowledged moves compared", report.moves_compared.to_string());
    line("shown events compared", report.events_compared.to_string());
    line("clocks compared", report.clocks_compared.to_string());
    line("credits compared", report.credits_compared.to_string());
    line("changes of ratings compared", report.ratings_compared.to_string());
    line("games compared with the database", report.games_in_database.to_string());
    line("games replayed by khet verify", report.games_verified.to_string());
    line("writers of events compared", report.writers_compared.to_string());
    line("leases compared", report.leases_compared.to_string());
    line("leases that got another owner", report.leases_moved.to_string());
    line("waits around faults compared", report.waits_compared.to_string());
    line("most time that a fault cost a player", format!("{} ms", report.largest_loss));
    if report.damages_tried > 0 {
        line("damages of the self-test", report.damages_tried.to_string());
    }
    line("violations", report.violation_count.to_string());
    for violation in &report.violations {
        println!("  {violation}");
    }
    println!();
    println!(
        "{:<32} {:>6} {:>8} {:>9} {:>9} {:>9}",
        "moves possible again after", "faults", "games", "median", "p99", "longest"
    );
    for recovery in &report.recoveries {
        let name = recovery.kind.map_or("all faults", FaultKind::name);
        println!(
            "{name:<32} {:>6} {:>8} {:>6} ms {:>6} ms {:>6} ms",
            recovery.faults, recovery.games, recovery.median, recovery.p99, recovery.longest
        );
    }
}
