//! The command line of `khet-soak`, and its report as text.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use super::{SoakOptions, SoakReport, soak};

/// Play against a server that is killed again and again, and look for losses
#[derive(Parser)]
struct SoakArgs {
    /// The program khet whose server is tested
    #[arg(long)]
    khet: PathBuf,
    /// Folder of the database and the server's log
    #[arg(long)]
    folder: PathBuf,
    /// Minutes to play, without the comparison at the end
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// Mean number of seconds between two kills
    #[arg(long, default_value_t = 3.0)]
    kill_every: f64,
    /// Mean number of seconds between two full disks
    #[arg(long, default_value_t = 12.0)]
    fill_every: f64,
    /// Number of simultaneous games
    #[arg(long, default_value_t = 32)]
    games: usize,
    /// Random seed; a random one by default
    #[arg(long)]
    seed: Option<u64>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// Runs a soak with the arguments of the program, and prints the report. The exit code is 1 if there
/// are faults.
#[tokio::main]
pub async fn soak_main() -> ExitCode {
    let args = SoakArgs::parse();
    let options = SoakOptions {
        binary: args.khet,
        folder: args.folder,
        duration: Duration::from_secs_f64(60.0 * args.minutes),
        kill_every: Duration::from_secs_f64(args.kill_every),
        fill_every: Duration::from_secs_f64(args.fill_every),
        games: args.games.max(1),
        seed: args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000)),
    };
    eprintln!("seed {}", options.seed);
    let report = match soak(&options).await {
        Ok(report) => report,
        Err(error) => {
            eprintln!("khet-soak: {error}");
            return ExitCode::FAILURE;
        }
    };
    if args.json {
        println!("{}", serde_json::to_string(&report).unwrap_or_default());
    } else {
        print_report(&report);
    }
    if report.fault_count == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the report as a table, followed by the faults.
fn print_report(report: &SoakReport) {
    let line = |name: &str, value: String| println!("{name:<48} {value:>12}");
    line("seed", report.seed.to_string());
    line("duration", format!("{:.0} s", report.seconds));
    line("kills (SIGKILL)", report.kills.to_string());
    line("times of a full disk", report.disk_fills.to_string());
    line("  of these reported by /readyz", report.disk_fills_noticed.to_string());
    line("sockets cut by clients", report.sockets_cut.to_string());
    line("pages read and games watched", report.reads.to_string());
    line("refused because of an outage", report.refused.to_string());
    line("games", report.games.to_string());
    line("games that ended", report.games_finished.to_string());
    line("acknowledged moves compared", report.moves_compared.to_string());
    line("shown events compared", report.events_compared.to_string());
    line("clocks compared", report.clocks_compared.to_string());
    line("credits compared", report.credits_compared.to_string());
    line("changes of ratings compared", report.ratings_compared.to_string());
    line("games replayed by khet verify", report.games_verified.to_string());
    line("peak memory of the last process", format!("{:.0} MB", report.peak_memory));
    line("faults", report.fault_count.to_string());
    for fault in &report.faults {
        println!("  {fault}");
    }
}
