//! `khet`: one binary, a command per role.

mod analyse;
mod apply;
mod backup;
mod bench;
mod bot;
mod check;
mod date;
mod drawing;
mod engine;
mod games;
mod import;
mod input;
mod matches;
mod moves;
mod output;
mod perft;
mod picture;
mod play;
mod progress;
mod restore;
mod review;
mod serve;
mod setups;
mod show;
mod whose;
mod words;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::output::{Output, Problem};

/// The laser board game Khet.
///
/// A POSITION is the name of a setup (classic, imhotep, dynasty, khet2-classic, khet2-imhotep,
/// khet2-dynasty, khet2-imhotep-eye, khet2-dynasty-eye, osiris, isis) or a position in notation, in
/// quotes because of its space. With - positions are read from standard input, one a line.
#[derive(Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Args),
    Show(show::Args),
    Picture(picture::Args),
    Moves(moves::Args),
    Apply(apply::Args),
    Perft(perft::Args),
    Check(check::Args),
    Analyse(analyse::Args),
    Review(review::Args),
    Setups(setups::Args),
    Bench(bench::Args),
    Engine(engine::Args),
    Match(Box<matches::Args>),
    Serve(Box<serve::Args>),
    Bot(bot::Args),
    Import(import::Args),
    Backup(backup::Args),
    Restore(restore::Args),
}

fn main() -> ExitCode {
    let mut output = Output::new();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Who asks for help, or for nothing at all, gets it.
        Err(error)
            if !error.use_stderr()
                || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            error.exit()
        }
        // Everything else is wrong input, and gets its line.
        Err(error) => {
            let text = error.render().to_string();
            let what = text.split("\n\n").next().unwrap_or_default();
            let words: Vec<&str> = what.split_whitespace().collect();
            let line = words.join(" ");
            output.complain(line.strip_prefix("error: ").unwrap_or(&line));
            return output.exit_code();
        }
    };
    let done = match cli.command {
        Command::Play(args) => play::run(&args),
        Command::Show(args) => show::run(&args, &mut output),
        Command::Picture(args) => picture::run(&args, &mut output),
        Command::Moves(args) => moves::run(&args, &mut output),
        Command::Apply(args) => apply::run(&args, &mut output),
        Command::Perft(args) => perft::run(&args, &mut output),
        Command::Check(args) => check::run(&args, &mut output),
        Command::Analyse(args) => analyse::run(&args, &mut output),
        Command::Review(args) => review::run(&args, &mut output),
        Command::Setups(args) => setups::run(&args, &mut output),
        Command::Bench(args) => bench::run(&args, &mut output),
        Command::Engine(args) => engine::run(&args),
        Command::Match(args) => matches::run(&args, &mut output),
        Command::Serve(args) => serve::run(&args, &mut output),
        Command::Bot(args) => bot::run(&args, &mut output),
        Command::Import(args) => import::run(&args, &mut output),
        Command::Backup(args) => backup::run(&args, &mut output),
        Command::Restore(args) => restore::run(&args, &mut output),
    };
    match done.and_then(|()| output.flush()) {
        Ok(()) => output.exit_code(),
        Err(Problem::Input(message) | Problem::Answered(message)) => {
            output.complain(&message);
            output.exit_code()
        }
        Err(Problem::Unheard) => output.exit_code(),
        Err(Problem::Io(error)) => {
            output.complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}
