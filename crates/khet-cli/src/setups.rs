//! `khet setups`: starting positions: those with a name, how good one is, and new ones.

mod balance;

use khet::{PieceBox, Placement, Position, Rules, Setup};
use serde::Serialize;

use self::balance::{BalanceArgs, Measured};
use crate::input::PositionArgs;
use crate::output::{Output, Problem};

/// List setups, check one, or make random symmetric ones
///
/// Example: khet setups random --count 3 --games 20
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    List(ListArgs),
    Check(CheckArgs),
    Random(RandomArgs),
}

/// The setups that have a name
///
/// Example: khet setups list
///
/// With --json an object for each, {"name":"classic","position":"…"}.
#[derive(clap::Args)]
struct ListArgs {
    /// Write JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// What is wrong with a setup, what is odd about it, and whether it is fair
///
/// Example: khet setups check classic --games 40
///
/// A fault keeps it from being played, a warning does not. Fairness is told by the engine: its evaluation from
/// Silver's point of view, and Silver's share of the points in games that it plays against itself, with the 95 %
/// error. With --json an object for each position, {"position":"…","faults":[…],"warnings":[…],"eval":"0.12",
/// "games":40,"silver":18,"drawn":3,"red":19,"score":0.487,"error":0.15}.
#[derive(clap::Args)]
struct CheckArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    balance: BalanceArgs,
}

/// Make random setups in which both sides are alike
///
/// Example: khet setups random --box khet2 --eye --count 5 --seed 7
///
/// No first shot hits anything, and no pharaoh can be lit with the first move. Of the setups that are made, those that
/// the engine finds lopsided are left out. The same seed makes the same setups. With --json an object for each, as
/// check writes it.
#[derive(clap::Args)]
struct RandomArgs {
    /// How many to make
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    count: u32,
    /// Which pieces: standard or khet2
    #[arg(long = "box", value_name = "BOX", default_value_t = PieceBox::Standard)]
    pieces: PieceBox,
    /// With an Eye of Horus in place of a djed or scarab
    #[arg(long)]
    eye: bool,
    /// Where chance begins [default: another one each time]
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    balance: BalanceArgs,
    /// Write JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// A setup and what is known of it.
#[derive(Serialize)]
struct Checked {
    position: Placement,
    faults: Vec<String>,
    warnings: Vec<String>,
    #[serde(flatten)]
    measured: Option<Measured>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    match &args.command {
        Command::List(args) => list(args, output),
        Command::Check(args) => check(args, output),
        Command::Random(args) => random(args, output),
    }
}

fn list(args: &ListArgs, output: &mut Output) -> Result<(), Problem> {
    for setup in Setup::ALL {
        let (name, position) = (setup.name(), setup.notation());
        if args.json {
            output.json(&serde_json::json!({ "name": name, "position": position }))?;
        } else {
            output.line(format_args!("{name:<18} {position}"))?;
        }
    }
    Ok(())
}

fn check(args: &CheckArgs, output: &mut Output) -> Result<(), Problem> {
    let (rules, json) = (args.position.rules, args.position.json);
    args.position.each_placement(output, |placement, output| {
        let faults = placement.faults();
        let position = Position::new(&placement, rules).ok();
        let warnings = position.map(|position| position.warnings()).unwrap_or_default();
        let measured = position.map(|position| args.balance.measure(&position, 0));
        let checked = Checked {
            position: placement,
            faults: faults.iter().map(ToString::to_string).collect(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
            measured,
        };
        write(&checked, json, output)
    })
}

fn random(args: &RandomArgs, output: &mut Output) -> Result<(), Problem> {
    let seed = args
        .seed
        .map_or_else(|| getrandom::u64().map_err(|error| Problem::Input(error.to_string())), Ok)?;
    let mut made = 0;
    for number in 0.. {
        if made == args.count {
            break;
        }
        let seed = seed.wrapping_add(number);
        let placement = khet::random_setup(args.pieces, args.eye, seed);
        let Ok(position) = Position::new(&placement, Rules::Standard) else { continue };
        let measured = args.balance.measure(&position, seed);
        // Of many some are fair: this ends.
        if measured.is_lopsided() {
            continue;
        }
        made += 1;
        let checked = Checked {
            position: placement,
            faults: Vec::new(),
            warnings: Vec::new(),
            measured: Some(measured),
        };
        write(&checked, args.json, output)?;
        output.flush()?;
    }
    Ok(())
}

fn write(checked: &Checked, json: bool, output: &mut Output) -> Result<(), Problem> {
    if json {
        return output.json(checked);
    }
    output.line(checked.position)?;
    for fault in &checked.faults {
        output.line(format_args!("  fault: {fault}"))?;
    }
    for warning in &checked.warnings {
        output.line(format_args!("  warning: {warning}"))?;
    }
    match &checked.measured {
        Some(measured) => output.line(format_args!("  {measured}")),
        None => Ok(()),
    }
}
