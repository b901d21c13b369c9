//! `khet puzzles`: makes puzzles, and proves those of a file again.

mod check;
mod game_queue;
mod make;

use crate::output::{Output, Problem};

/// Make puzzles from games, or prove those of a file again
///
/// Example: khet puzzles check puzzles.txt --sample 100
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: PuzzlesCommand,
}

#[derive(clap::Subcommand)]
enum PuzzlesCommand {
    Make(make::MakeArgs),
    Check(check::CheckPuzzlesArgs),
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    match &args.command {
        PuzzlesCommand::Make(args) => make::run(args, output),
        PuzzlesCommand::Check(args) => check::run(args, output),
    }
}
