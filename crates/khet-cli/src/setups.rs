//! `khet setups`: lists the named setups, checks a setup, and generates random ones.

mod balance;

use khet::{AnyPlacement, AnyPosition, AnySetup, GamePosition, PieceBox, Rules};
use serde::Serialize;

use self::balance::{BalanceArgs, MeasuredBalance};
use crate::input::PositionArgs;
use crate::output::{Output, Problem};

/// List the named setups, check a setup, or generate random symmetric ones
///
/// Example: khet setups random --count 3 --games 20
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: SetupsCommand,
}

#[derive(clap::Subcommand)]
enum SetupsCommand {
    List(ListArgs),
    Check(CheckArgs),
    Random(RandomArgs),
}

/// List the named setups: the official ones, and ours with a tower
///
/// Example: khet setups list
///
/// With --json, prints one object per setup, {"name":"classic","position":"…"}.
#[derive(clap::Args)]
struct ListArgs {
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Check a setup for faults, warnings and fairness
///
/// Example: khet setups check classic --games 40
///
/// A setup with faults can't be played; warnings are hints. Fairness is measured with the engine:
/// its evaluation from Silver's point of view, and Silver's score in games of the engine against
/// itself, with the 95 % error margin. With --json, prints one object per position,
/// {"position":"…","faults":[…],"warnings":[…],"eval":"0.12","games":40,"silver":18,"drawn":3,
/// "red":19,"score":0.487,"error":0.15}.
#[derive(clap::Args)]
struct CheckArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    balance: BalanceArgs,
}

/// Generate random setups that are symmetric for both sides
///
/// Example: khet setups random --box khet2 --eye --count 5 --seed 7
///
/// In a generated setup the lasers hit nothing at first, and no first move wins. Setups that the
/// engine finds unbalanced are discarded. The same seed generates the same setups. With --json,
/// prints one object per setup, in the format of khet setups check.
#[derive(clap::Args)]
struct RandomArgs {
    /// Number of setups to generate
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    count: u32,
    /// Piece set: standard or khet2
    #[arg(long = "box", value_name = "BOX", default_value_t = PieceBox::Standard)]
    pieces: PieceBox,
    /// Use an Eye of Horus instead of a djed or scarab
    #[arg(long)]
    eye: bool,
    /// Random seed [default: a different one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    balance: BalanceArgs,
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// The result of checking a setup.
#[derive(Serialize)]
struct SetupCheckReport {
    position: AnyPlacement,
    faults: Vec<String>,
    warnings: Vec<String>,
    #[serde(flatten)]
    measured: Option<MeasuredBalance>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    match &args.command {
        SetupsCommand::List(args) => list(args, output),
        SetupsCommand::Check(args) => check(args, output),
        SetupsCommand::Random(args) => random(args, output),
    }
}

/// Lists the named setups.
fn list(args: &ListArgs, output: &mut Output) -> Result<(), Problem> {
    for setup in AnySetup::all() {
        let (name, position) = (setup.name(), setup.placement().to_string());
        if args.json {
            output.json(&serde_json::json!({ "name": name, "position": position }))?;
        } else {
            output.line(format_args!("{name:<18} {position}"))?;
        }
    }
    Ok(())
}

/// Checks positions and measures their balance.
fn check(args: &CheckArgs, output: &mut Output) -> Result<(), Problem> {
    let (rules, json) = (args.position.rules, args.position.json);
    args.position.each_placement(output, |placement, output| {
        let faults = placement.faults();
        let position = AnyPosition::new(&placement, rules).ok();
        let warnings = position.map(|position| position.warnings()).unwrap_or_default();
        let measured = position.map(|position| args.balance.measure(&position, 0));
        let report = SetupCheckReport {
            position: placement,
            faults: faults.iter().map(ToString::to_string).collect(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
            measured,
        };
        write_report(&report, json, output)
    })
}

/// Creates balanced random setups.
fn random(args: &RandomArgs, output: &mut Output) -> Result<(), Problem> {
    let seed = args
        .seed
        .map_or_else(|| getrandom::u64().map_err(|error| Problem::Input(error.to_string())), Ok)?;
    let mut accepted = 0;
    for number in 0.. {
        if accepted == args.count {
            break;
        }
        let seed = seed.wrapping_add(number);
        let placement = AnyPlacement::from(khet::random_setup(args.pieces, args.eye, seed));
        let Ok(position) = AnyPosition::new(&placement, Rules::Standard) else { continue };
        let measured = args.balance.measure(&position, seed);
        // Terminates, because a fair share of random setups is balanced.
        if measured.is_lopsided() {
            continue;
        }
        accepted += 1;
        let report = SetupCheckReport {
            position: placement,
            faults: Vec::new(),
            warnings: Vec::new(),
            measured: Some(measured),
        };
        write_report(&report, args.json, output)?;
        output.flush()?;
    }
    Ok(())
}

/// Writes the report as text or JSON.
fn write_report(report: &SetupCheckReport, json: bool, output: &mut Output) -> Result<(), Problem> {
    if json {
        return output.json(report);
    }
    output.line(report.position)?;
    for fault in &report.faults {
        output.line(format_args!("  fault: {fault}"))?;
    }
    for warning in &report.warnings {
        output.line(format_args!("  warning: {warning}"))?;
    }
    match &report.measured {
        Some(measured) => output.line(format_args!("  {measured}")),
        None => Ok(()),
    }
}
