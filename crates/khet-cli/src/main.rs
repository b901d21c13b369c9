//! `khet`: one binary with a subcommand per task. Each command is a module with `Args` (its
//! options and `--help` text) and `run`.
//!
//! | modules | task |
//! |---|---|
//! | `play` | a game in the terminal |
//! | `show`, `picture`, `moves`, `apply` | one position: draw it, list its moves, play some |
//! | `analyse`, `review`, `check` | game records: evaluate, review, validate |
//! | `setups` | starting positions: list, check, generate |
//! | `puzzles` | puzzles: make them from games, prove those of a file again |
//! | `engine`, `matches`, `bench`, `perft` | for engine authors |
//! | `serve`, `bot`, `import` | for operators of a server |
//! | `backup`, `restore`, `verify`, `moderator`, `migrate` | for its database |
//!
//! The other modules are shared by commands: `input`, `record_reader` and
//! `laser_owner` read arguments and files; `analyst` and `game_review` run the engine; `output`, `progress`,
//! `board_drawing`, `describe` and `date` write.

mod analyse;
mod analyst;
mod apply;
mod backup;
mod bench;
mod board_drawing;
mod bot;
mod check;
mod database;
mod date;
mod describe;
mod engine;
mod game_review;
mod import;
mod input;
mod laser_owner;
mod matches;
mod migrate;
mod moderator;
mod moves;
mod output;
mod perft;
mod picture;
mod play;
mod progress;
mod puzzles;
mod record_reader;
mod restore;
mod review;
mod serve;
mod setups;
mod show;
mod verify;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::output::{Output, Problem};

/// The laser board game Khet: play, analyse, run engine matches, host a server
///
/// A POSITION is a setup name (classic, imhotep, dynasty, khet2-classic, khet2-imhotep,
/// khet2-dynasty, khet2-imhotep-eye, khet2-dynasty-eye, osiris, isis; with the Tower of Kadesh
/// orontes, ramesses, nefertari) or a position in notation, quoted because it contains a space.
/// With -, positions are read from standard input, one per line. In a position with a tower, the
/// column's lower left square and the upper level follow the board:
/// '4k5/10/10/10/10/10/10/4K5+e4:6/4P21/6/6/1p44/6 s'.
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
    #[command(alias = "turns")]
    Moves(moves::Args),
    Apply(apply::Args),
    Perft(perft::Args),
    Check(check::Args),
    Analyse(analyse::Args),
    Review(review::Args),
    Setups(setups::Args),
    Puzzles(puzzles::Args),
    Bench(bench::Args),
    Engine(engine::Args),
    Match(Box<matches::Args>),
    Serve(Box<serve::Args>),
    Bot(bot::Args),
    Import(import::Args),
    Backup(backup::Args),
    Restore(restore::Args),
    Verify(verify::Args),
    Moderator(moderator::Args),
    Migrate(migrate::Args),
}

fn main() -> ExitCode {
    let mut output = Output::new();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help, version, or no command at all: clap prints the text and exits.
        Err(error)
            if !error.use_stderr()
                || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            error.exit()
        }
        // Wrong arguments are reported in one line, like other wrong input.
        Err(error) => {
            let text = error.render().to_string();
            let message = text.split("\n\n").next().unwrap_or_default();
            let line = message.split_whitespace().collect::<Vec<&str>>().join(" ");
            output.report_error(line.strip_prefix("error: ").unwrap_or(&line));
            return output.exit_code();
        }
    };
    let result = match cli.command {
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
        Command::Puzzles(args) => puzzles::run(&args, &mut output),
        Command::Bench(args) => bench::run(&args, &mut output),
        Command::Engine(args) => engine::run(&args),
        Command::Match(args) => matches::run(&args, &mut output),
        Command::Serve(args) => serve::run(&args, &mut output),
        Command::Bot(args) => bot::run(&args, &mut output),
        Command::Import(args) => import::run(&args, &mut output),
        Command::Backup(args) => backup::run(&args, &mut output),
        Command::Restore(args) => restore::run(&args, &mut output),
        Command::Verify(args) => verify::run(&args, &mut output),
        Command::Moderator(args) => moderator::run(&args, &mut output),
        Command::Migrate(args) => migrate::run(&args, &mut output),
    };
    match result.and_then(|()| output.flush()) {
        Ok(()) => output.exit_code(),
        Err(Problem::Input(message) | Problem::FaultyPosition(message)) => {
            output.report_error(&message);
            output.exit_code()
        }
        Err(Problem::BrokenPipe) => output.exit_code(),
        Err(Problem::Io(error)) => {
            output.report_error(&error.to_string());
            ExitCode::FAILURE
        }
    }
}
