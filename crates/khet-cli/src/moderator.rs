//! `khet moderator`: the accounts that decide about reported setups.

use khet_protocol::PersonName;
use khet_server::maintenance;

use crate::database::DatabaseArgs;
use crate::output::{Output, Problem};

/// Add, remove or list the moderators of a server
///
/// Example: khet moderator add Anna --database khet.sqlite
///
/// Moderators see the reports of setups, remove setups or keep them, and undo such decisions. The
/// role belongs to an account that exists, not to its name. It takes effect at once, also while the
/// server runs.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: ModeratorCommand,
}

#[derive(clap::Subcommand)]
enum ModeratorCommand {
    /// Make an account a moderator
    ///
    /// Example: khet moderator add Anna --database khet.sqlite
    Add(NamedArgs),
    /// Take the role away from an account
    ///
    /// Example: khet moderator remove Anna --database khet.sqlite
    Remove(NamedArgs),
    /// List the moderators, one name per line
    ///
    /// Example: khet moderator list --database khet.sqlite
    List(DatabaseArgs),
}

#[derive(clap::Args)]
struct NamedArgs {
    /// Name of the account
    name: PersonName,
    #[command(flatten)]
    database: DatabaseArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    match &args.command {
        ModeratorCommand::Add(args) => set(args, true, output),
        ModeratorCommand::Remove(args) => set(args, false, output),
        ModeratorCommand::List(args) => {
            let database = args.existing()?;
            let names = maintenance::moderators(database)
                .map_err(|error| Problem::Input(format!("{}: {error}", database)))?;
            names.iter().try_for_each(|name| output.line(name))
        }
    }
}

/// Grants or takes the role.
fn set(args: &NamedArgs, moderator: bool, output: &mut Output) -> Result<(), Problem> {
    let NamedArgs { name, database } = args;
    let database = database.existing()?;
    let known = maintenance::set_moderator(database, name, moderator)
        .map_err(|error| Problem::Input(format!("{}: {error}", database)))?;
    if !known {
        let message = format!("{}: no account has the name {name}", database);
        return Err(Problem::Input(message));
    }
    let change = if moderator { "is now a moderator" } else { "is no longer a moderator" };
    output.line(format_args!("{name} {change}"))
}
