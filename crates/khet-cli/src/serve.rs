//! `khet serve`: the web app and the game server.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
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
    network: Network,
    #[command(flatten)]
    storage: Storage,
    #[command(flatten)]
    bots: Bots,
    #[command(flatten)]
    gallery: Gallery,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    logs: Logs,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Network")]
struct Network {
    /// Where to listen; port 0 takes any free one
    #[arg(long, env = "KHET_ADDRESS", default_value = "127.0.0.1:8080", value_name = "IP:PORT")]
    address: SocketAddr,
    /// The address that people see, if a proxy stands before: with https, cookies need TLS
    #[arg(long, env = "KHET_ORIGIN", value_name = "https://NAME", value_parser = origin)]
    origin: Option<String>,
    /// A proxy stands before, and its X-Forwarded-For says where requests come from
    #[arg(long, env = "KHET_BEHIND_PROXY")]
    behind_proxy: bool,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Storage")]
struct Storage {
    /// The file in which games and people are kept; it is made if it is not there
    #[arg(long, env = "KHET_DATABASE", default_value = "khet.sqlite", value_name = "FILE")]
    database: PathBuf,
}

#[derive(clap::Args)]
#[command(next_help_heading = "House bots")]
struct Bots {
    /// Levels at which the computer plays on this server, as in 1,4,7: each waits in the lobby
    #[arg(long, env = "KHET_HOUSE_BOTS", value_name = "LEVELS", value_delimiter = ',', value_parser = bot::parse_level)]
    house_bots: Vec<Level>,
    /// The clocks of their challenges: seconds and increment, or none
    #[arg(long, env = "KHET_HOUSE_BOT_CLOCKS", default_value_t = TimeControl::DEFAULT,
          value_name = "TIME", value_parser = bot::parse_online_time_control)]
    house_bot_clocks: TimeControl,
    /// How many games each plays at once
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
#[command(next_help_heading = "Gallery")]
struct Gallery {
    /// An account that decides about reported setups; may be said several times. Whoever has the name decides: make
    /// the account first
    #[arg(long = "moderator", env = "KHET_MODERATORS", value_name = "NAME", value_delimiter = ',')]
    moderators: Vec<PersonName>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// Connections at once
    #[arg(long, env = "KHET_CONNECTIONS", default_value_t = Limits::default().connections, value_name = "N")]
    connections: usize,
    /// Connections at once from one address
    #[arg(long, env = "KHET_CONNECTIONS_PER_ADDRESS", default_value_t = Limits::default().connections_per_address, value_name = "N")]
    connections_per_address: usize,
    /// Requests in a minute from one address
    #[arg(long, env = "KHET_REQUESTS_PER_MINUTE", default_value_t = Limits::default().requests_per_minute, value_name = "N")]
    requests_per_minute: u32,
    /// Requests in a minute by one person, from wherever
    #[arg(long, env = "KHET_REQUESTS_PER_MINUTE_AND_PERSON", default_value_t = Limits::default().requests_per_minute_and_person, value_name = "N")]
    requests_per_minute_and_person: u32,
    /// New accounts in an hour from one address
    #[arg(long, env = "KHET_SIGN_UPS_PER_HOUR", default_value_t = Limits::default().sign_ups_per_hour, value_name = "N")]
    sign_ups_per_hour: u32,
    /// Attempts to sign in, in an hour from one address
    #[arg(long, env = "KHET_SIGN_INS_PER_HOUR", default_value_t = Limits::default().sign_ins_per_hour, value_name = "N")]
    sign_ins_per_hour: u32,
    /// Exports of many games in an hour from one address
    #[arg(long, env = "KHET_EXPORTS_PER_HOUR", default_value_t = Limits::default().exports_per_hour, value_name = "N")]
    exports_per_hour: u32,
    /// New reviews of games in an hour, from one address and for one person
    #[arg(long, env = "KHET_REVIEWS_PER_HOUR", default_value_t = Limits::default().reviews_per_hour, value_name = "N")]
    reviews_per_hour: u32,
    /// New guests in an hour from one address
    #[arg(long, env = "KHET_GUESTS_PER_HOUR", default_value_t = Limits::default().guests_per_hour, value_name = "N")]
    guests_per_hour: u32,
    /// Challenges in a minute by one person
    #[arg(long, env = "KHET_CHALLENGES_PER_MINUTE", default_value_t = Limits::default().challenges_per_minute, value_name = "N")]
    challenges_per_minute: u32,
    /// Challenges of one person that may wait
    #[arg(long, env = "KHET_WAITING_CHALLENGES", default_value_t = Limits::default().waiting_challenges, value_name = "N")]
    waiting_challenges: usize,
    /// Setups that one person may publish in an hour
    #[arg(long, env = "KHET_SETUPS_PER_HOUR", default_value_t = Limits::default().setups_per_hour, value_name = "N")]
    setups_per_hour: u32,
    /// Messages in a second over one WebSocket
    #[arg(long, env = "KHET_MESSAGES_PER_SECOND", default_value_t = Limits::default().messages_per_second, value_name = "N")]
    messages_per_second: u32,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Logs")]
struct Logs {
    /// What is logged, as in info or khet_server=debug,warn
    #[arg(long, env = "KHET_LOG", default_value = "info", value_name = "FILTER")]
    log: String,
    /// How logs are written, to standard error
    #[arg(long, env = "KHET_LOG_FORMAT", default_value = "text", value_name = "FORMAT")]
    log_format: LogFormat,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

/// Reads an address as browsers write it, without a path.
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', ' ']) => Ok(text.to_owned()),
        _ => Err("it begins with https:// or http:// and has no path".to_owned()),
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    start_logs(&args.logs)?;
    #[cfg(unix)]
    raise_file_limit();
    let Args { network, storage, bots, gallery, limits, .. } = args;
    let config = Config {
        address: network.address,
        origin: network.origin.clone(),
        behind_proxy: network.behind_proxy,
        house_bots: bots.names()?,
        moderators: gallery.moderators.clone(),
        limits: Limits {
            connections: limits.connections,
            connections_per_address: limits.connections_per_address,
            requests_per_minute: limits.requests_per_minute,
            requests_per_minute_and_person: limits.requests_per_minute_and_person,
            sign_ups_per_hour: limits.sign_ups_per_hour,
            sign_ins_per_hour: limits.sign_ins_per_hour,
            exports_per_hour: limits.exports_per_hour,
            reviews_per_hour: limits.reviews_per_hour,
            guests_per_hour: limits.guests_per_hour,
            challenges_per_minute: limits.challenges_per_minute,
            waiting_challenges: limits.waiting_challenges,
            setups_per_hour: limits.setups_per_hour,
            messages_per_second: limits.messages_per_second,
        },
        ..Config::new(storage.database.clone())
    };
    let address = network.address;
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
        StartError::Storage(error) => {
            Problem::Input(format!("{}: {error}", storage.database.display()))
        }
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
