//! `khet serve`: the web app and the game server.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use khet::TimeControl;
use khet_engine::Level;
use khet_protocol::PersonName;
use khet_server::{Config, StartError};

use crate::bot::{self, Bot, BotConfig};
use crate::output::{Output, Problem};

/// Run the server: the web app and online games
///
/// Example: khet serve --address 127.0.0.1:8080 --database khet.sqlite
///
/// Stop it with Ctrl-C: games continue after the next start, and the time in between is not counted
/// on their clocks. With --database postgres://USER@HOST/NAME, games are kept on a PostgreSQL server
/// (version 15 or later). 127.0.0.1 is reachable only from this machine, 0.0.0.0 from the whole network.
///
/// Each option can also be set by an environment variable; options take precedence.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    house_bots: HouseBotArgs,
    #[command(flatten)]
    logs: LogArgs,
}

#[derive(clap::Args)]
#[command(next_help_heading = "House bots")]
struct HouseBotArgs {
    /// Levels of the bots that this server runs, for example 1,4,7; each posts a challenge
    #[arg(long, env = "KHET_HOUSE_BOTS", value_name = "LEVELS", value_delimiter = ',',
          value_parser = bot::parse_level)]
    house_bots: Vec<Level>,
    /// Time control of their challenges: 300+3 (seconds and increment), 3d (days per move) or none
    #[arg(long, env = "KHET_HOUSE_BOT_CLOCKS", default_value_t = TimeControl::DEFAULT,
          value_name = "TIME", value_parser = bot::parse_online_time_control)]
    house_bot_clocks: TimeControl,
    /// Maximum number of simultaneous games per bot
    #[arg(long, env = "KHET_HOUSE_BOT_GAMES", default_value_t = 5, value_name = "N")]
    house_bot_games: usize,
}

impl HouseBotArgs {
    fn names(&self) -> Result<Vec<PersonName>, Problem> {
        let mut levels = self.house_bots.clone();
        levels.sort_unstable();
        levels.dedup();
        let name = |level: Level| format!("Khet-{}", level.number()).parse();
        levels
            .into_iter()
            .map(name)
            .collect::<Result<_, _>>()
            .map_err(|error: khet_protocol::ParseNameError| Problem::Input(error.to_string()))
    }

    /// Starts the bots, each in its own thread. They use the HTTP API, as all bots do.
    fn start(&self, server: &khet_server::Server) -> Vec<Arc<Bot>> {
        let address = server.address();
        let port = address.port();
        let host = match address.ip() {
            ip if ip.is_unspecified() && ip.is_ipv4() => format!("127.0.0.1:{port}"),
            ip if ip.is_unspecified() => format!("[::1]:{port}"),
            _ => address.to_string(),
        };
        let start = |(name, token): &(PersonName, String)| {
            let level =
                name.as_str().rsplit('-').next().and_then(|level| bot::parse_level(level).ok())?;
            let bot = Bot::new(BotConfig {
                server: format!("http://{host}"),
                token: token.clone(),
                level,
                open: Some(self.house_bot_clocks),
                games: self.house_bot_games,
                log: |_| {},
            });
            let player = Arc::clone(&bot);
            thread::spawn(move || player.play());
            Some(bot)
        };
        server.house_bots().iter().filter_map(start).collect()
    }
}

#[derive(clap::Args)]
#[command(next_help_heading = "Logs")]
struct LogArgs {
    /// Log filter, for example info or khet_server=debug,warn
    #[arg(long, env = "KHET_LOG", default_value = "info", value_name = "FILTER")]
    log: String,
    /// Log format, on standard error
    #[arg(long, env = "KHET_LOG_FORMAT", default_value = "text", value_name = "FORMAT")]
    log_format: LogFormat,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    start_logs(&args.logs)?;
    #[cfg(unix)]
    raise_file_limit();
    let Args { config, house_bots, .. } = args;
    let (address, database, metrics) =
        (config.address, &config.database, config.metrics_listen.unwrap_or(config.address));
    let config = Config { house_bots: house_bots.names()?, ..config.clone() };
    let mut printed = Ok(());
    let mut bots = Vec::new();
    let result = khet_server::run(config, |server| {
        printed = output
            .line(format_args!("Khet is at http://{} (Ctrl-C stops it)", server.address()))
            .and_then(|()| output.flush());
        bots = house_bots.start(server);
    });
    for bot in bots {
        bot.stop();
    }
    printed?;
    result.map_err(|error| match error {
        StartError::Storage(error) => Problem::Input(format!("{database}: {error}")),
        error @ StartError::WriterFailed => Problem::Io(io::Error::other(error)),
        StartError::Cluster(error) => Problem::Input(format!("the other nodes: {error}")),
        StartError::HouseBot(error) => Problem::Input(format!("house bots: {error}")),
        StartError::Network(error) => network_problem(error, address, "--address"),
        StartError::Metrics(error) => network_problem(error, metrics, "--metrics-listen"),
    })
}

/// Raises the soft limit of open files to the hard limit, because every connection is an open file.
#[cfg(unix)]
fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // With the lower limit the server still works, with fewer connections.
    let _ = setrlimit(Resource::Nofile, limit);
}

fn start_logs(logs: &LogArgs) -> Result<(), Problem> {
    let filter = tracing_subscriber::EnvFilter::try_new(&logs.log)
        .map_err(|error| Problem::Input(format!("{:?} is not a log filter: {error}", logs.log)))?;
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        // A log on a full disk can't be written. To report that, the library would panic, and the
        // task that stores moves with it.
        .log_internal_errors(false);
    let started = match logs.log_format {
        LogFormat::Text => subscriber.try_init(),
        LogFormat::Json => subscriber.json().try_init(),
    };
    started.map_err(|error| Problem::Input(format!("can't start logging: {error}")))
}

fn network_problem(error: io::Error, address: SocketAddr, option: &str) -> Problem {
    match error.kind() {
        io::ErrorKind::AddrInUse => Problem::Input(format!(
            "{address} is used by another program; choose another port: {option} {}:{}",
            address.ip(),
            address.port().checked_add(1).unwrap_or(8080),
        )),
        io::ErrorKind::PermissionDenied => Problem::Input(format!(
            "this user may not listen on {address}; use a port from 1024: {option} {}:8080",
            address.ip(),
        )),
        io::ErrorKind::AddrNotAvailable => {
            Problem::Input(format!("{} is not an address of this machine", address.ip()))
        }
        _ => Problem::Io(error),
    }
}
