//! The project's tasks, such as `cargo xtask run` and `cargo xtask test`; each has its own file.

mod app;
mod apt;
mod axe;
mod browser;
mod cluster;
mod cluster_load;
mod cluster_test;
mod explorer;
mod fuzz;
mod load;
mod measure;
mod names;
mod release_server;
mod run;
mod run_cluster;
mod screenshots;
mod server_test;
mod services;
mod soak;
mod step;
mod test;
mod wasm_target;

use std::env;
use std::process::ExitCode;

use crate::step::TaskError;

const HELP: &str = "\
Usage: cargo xtask TASK

  run           build Khet, start it, and print its address; --cluster N starts N nodes with
                PostgreSQL, NATS and a balancer (--cluster 3 --help)
  test          run all checks: format, lints, tests, documentation, the app in a browser
  test --full   also run the long comparison with the reference rules
  names         check that type names are defined only once; --list prints those that are not
  measure       print sizes, loading times, frames and the engine's speed, from a real Chromium
  load          play 2,000 games at once against the server, and print the highest rate that it
                sustains, latency, processor time, memory, idle sockets; --rate N, --json;
                --cluster N measures 1 to N nodes with PostgreSQL and NATS
  soak          play for an hour (or --minutes N) while the server is killed, its disk is full and
                sockets are cut, and compare every move and clock; --seed N, --kill-every SECONDS,
                --fill-every SECONDS, --games N, --json
  cluster-test  play through three nodes while nodes, PostgreSQL, NATS and connections fail, and
                compare every move and clock; --faults N, --seed N, --only KIND, --json
  explorer      import 1,000,000 games (or --games N), and print the explorer's latency
  fuzz          run all fuzz targets for a minute each (--minutes M, --jobs N, names of targets)
  screenshots   update the pictures in docs/screenshots
  app           build the app for the browser, without starting it
  help          print this text

Example: cargo xtask run
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["run", rest @ ..] if rest.contains(&"--cluster") => run_cluster::run(rest),
        ["run", rest @ ..] => run::run(rest),
        ["test"] => test::test(false),
        ["test", "--full"] => test::test(true),
        ["load", rest @ ..] if rest.contains(&"--cluster") => cluster_load::load(rest),
        ["load", rest @ ..] => load::load(rest),
        ["soak", rest @ ..] => soak::soak(rest),
        ["cluster-test", rest @ ..] => cluster_test::cluster_test(rest),
        ["explorer"] => explorer::explorer(None),
        ["explorer", "--games", games] => explorer::explorer(Some(games)),
        ["fuzz", rest @ ..] => fuzz::fuzz(rest),
        ["names"] => names::check(),
        ["names", "--list"] => names::list(),
        ["measure"] => measure::measure(),
        ["screenshots"] => screenshots::screenshots(),
        ["app"] => app::build().map(|app| print!("{app}")),
        ["help" | "--help" | "-h"] | [] => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(TaskError(format!("there is no task {:?}\n\n{HELP}", args.join(" ")))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
