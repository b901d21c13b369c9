//! The project's tasks, a file each: `cargo xtask run`, `cargo xtask test`.

mod app;
mod axe;
mod browser;
mod explorer;
mod load;
mod measure;
mod release_server;
mod run;
mod screenshots;
mod step;
mod test;
mod wasm_target;

use std::env;
use std::process::ExitCode;

use crate::step::Failure;

const HELP: &str = "\
Usage: cargo xtask TASK

  run           build Khet, start it, and print its address
  test          run every check: format, lints, tests, documentation, the app in a browser
  test --full   the same, with the long comparison against the reference rules
  measure       print sizes, loading times, frames and the engine's speed, from a real Chromium
  load          play 2,000 games at once against the server, and print how it holds
  explorer      import 1,000,000 games, and print how quickly the explorer answers; --games N for fewer
  screenshots   take the pictures in docs/screenshots anew
  app           build the app for the browser, without starting it
  help          print this text

Example: cargo xtask run
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["run", rest @ ..] => run::run(rest),
        ["test"] => test::test(false),
        ["test", "--full"] => test::test(true),
        ["load", rest @ ..] => load::load(rest),
        ["explorer"] => explorer::explorer(None),
        ["explorer", "--games", games] => explorer::explorer(Some(games)),
        ["measure"] => measure::measure(),
        ["screenshots"] => screenshots::screenshots(),
        ["app"] => app::build().map(|app| print!("{app}")),
        ["help" | "--help" | "-h"] | [] => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(Failure(format!("there is no task {:?}\n\n{HELP}", args.join(" ")))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
