//! The project's tasks, such as `cargo xtask run` and `cargo xtask test`; each has its own file.

mod app;
mod axe;
mod browser;
mod explorer;
mod fuzz;
mod load;
mod measure;
mod names;
mod release_server;
mod run;
mod screenshots;
mod step;
mod test;
mod wasm_target;

use std::env;
use std::process::ExitCode;

use crate::step::TaskError;

const HELP: &str = "\
Usage: cargo xtask TASK

  run           build Khet, start it, and print its address
  test          run all checks: format, lints, tests, documentation, the app in a browser
  test --full   also run the long comparison with the reference rules
  names         check that type names are defined only once; --list prints those that are not
  measure       print sizes, loading times, frames and the engine's speed, from a real Chromium
  load          play 2,000 games at once against the server, and print rate and latency
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
        ["run", rest @ ..] => run::run(rest),
        ["test"] => test::test(false),
        ["test", "--full"] => test::test(true),
        ["load", rest @ ..] => load::load(rest),
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
