//! `khet serve`: the web app and the game server.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use khet::TimeControl;
use khet_engine::Level;
use khet_protocol::PersonName;
use khet_server::{Config, Limits, StartError};

use crate::bot::{self, Bot, BotConfig};
use crate::output::{Output, Problem};

/// Run the server: the web app and online games
///
/// Example: khet serve --address 127.0.0.1:8080 --database khet.sqlite
///
/// Stop it with Ctrl-C: games continue after the next start, and the time in between is not counted
/// on their clocks. 127.0.0.1 is reachable only from this machine, 0.0.0.0 from the whole network.
///
/// Each option can also be set by an environment variable; options take precedence.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    bots: Bots,
    #[command(flatten)]
    logs: Logs,
}

#[derive(clap::Args)]
#[command(next_help_heading = "House bots")]
struct Bots {
    /// Levels at which the computer plays on this server, as in 1,4,7: each waits in the lobby
    #[arg(long, env = "KHET_HOUSE_BOTS", value_name = "LEVELS", value_delimiter = ',', value_parser = bot::parse_level)]
    house_bots: Vec<Level>,
    /// Time control of their challenges: 300+3 (seconds and increment), 3d (days per move) or none
    #[arg(long, env = "KHET_HOUSE_BOT_CLOCKS", default_value_t = TimeControl::DEFAULT,
          value_name = "TIME", value_parser = bot::parse_online_time_control)]
    house_bot_clocks: TimeControl,
    /// Maximum number of simultaneous games per bot
    #[arg(long, env = "KHET_HOUSE_BOT_GAMES", default_value_t = 5, value_name = "N")]
    house_bot_games: usize,
}

impl Bots {
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

    /// Lets them play, each in a thread of its own, over the same API as everybody's programs.
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
            let playing = Arc::clone(&bot);
            thread::spawn(move || playing.play());
            Some(bot)
        };
        server.house_bots().iter().filter_map(start).collect()
    }
}

#[derive(clap::Args)]
#[command(next_help_heading = "Logs")]
struct Logs {
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
    let Args { config, bots, .. } = args;
    let (address, database) = (config.address, &config.database);
    let config = Config { house_bots: bots.names()?, ..config.clone() };
    let mut told = Ok(());
    let mut playing = Vec::new();
    let served = khet_server::run(config, |server| {
        told = output
            .line(format_args!("Khet is at http://{} (Ctrl-C stops it)", server.address()))
            .and_then(|()| output.flush());
        playing = bots.start(server);
    });
    for bot in playing {
        bot.stop();
    }
    told?;
    served.map_err(|failure| match failure {
        StartError::Storage(error) => Problem::Input(format!("{}: {error}", database.display())),
        StartError::HouseBot(error) => Problem::Input(format!("house bots: {error}")),
        StartError::Network(error) => network_problem(error, address),
    })
}

/// Every connection is an open file: as many as the system allows, not as few as it gives at first.
#[cfg(unix)]
fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Without it there are fewer connections; what the limit allows is served all the same.
    let _ = setrlimit(Resource::Nofile, limit);
}

fn start_logs(logs: &Logs) -> Result<(), Problem> {
    let filter = tracing_subscriber::EnvFilter::try_new(&logs.log).map_err(|error| {
        Problem::Input(format!("{:?} is not a filter of logs: {error}", logs.log))
    })?;
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = match logs.log_format {
        LogFormat::Text => subscriber.try_init(),
        LogFormat::Json => subscriber.json().try_init(),
    };
    started.map_err(|error| Problem::Input(format!("logs can't be written: {error}")))
}

fn network_problem(error: io::Error, address: SocketAddr) -> Problem {
    match error.kind() {
        io::ErrorKind::AddrInUse => Problem::Input(format!(
            "another program is at {address}; choose another port, as in --address {}:{}",
            address.ip(),
            address.port().checked_add(1).unwrap_or(8080),
        )),
        io::ErrorKind::PermissionDenied => Problem::Input(format!(
            "{address} is not allowed to this user; ports from 1024 are, as in --address {}:8080",
            address.ip(),
        )),
        io::ErrorKind::AddrNotAvailable => {
            Problem::Input(format!("this machine does not have the address {}", address.ip()))
        }
        _ => Problem::Io(error),
    }
}
