//! The options of the server, which are also the arguments of `khet serve`.
//!
//! Flag, environment variable, default and help text of each option are declared here and nowhere
//! else.

use khet_protocol::PersonName;
use std::net::SocketAddr;

use crate::backups::BackupOptions;
use crate::forwarded::ProxyHeader;
use crate::storage::{DatabaseLocation, LocationParser, StorageFaults};
use crate::time::Time;

/// The options of the server.
#[derive(Clone, Debug, clap::Args)]
pub struct Config {
    /// Address to listen on; port 0 takes any free port
    #[arg(long, env = "KHET_ADDRESS", value_name = "IP:PORT", help_heading = "Network",
          default_value_t = Config::ADDRESS)]
    pub address: SocketAddr,
    /// Public URL when behind a reverse proxy; with https, cookies are only sent over TLS
    #[arg(long, env = "KHET_ORIGIN", value_name = "https://NAME", help_heading = "Network",
          value_parser = origin)]
    pub origin: Option<String>,
    /// Trust the address of the client that the reverse proxy in front of the server reports
    #[arg(long, env = "KHET_BEHIND_PROXY", help_heading = "Network")]
    pub behind_proxy: bool,
    /// Header in which the reverse proxy reports the address; its last entry counts
    #[arg(
        long,
        env = "KHET_PROXY_HEADER",
        value_name = "HEADER",
        help_heading = "Network",
        value_enum,
        default_value_t
    )]
    pub proxy_header: ProxyHeader,
    /// Address for /metrics, /healthz and /readyz alone; then /metrics is not at the public address
    #[arg(long, env = "KHET_METRICS_LISTEN", value_name = "IP:PORT", help_heading = "Network")]
    pub metrics_listen: Option<SocketAddr>,
    /// Database: a SQLite file, created if it does not exist, or postgres://USER@HOST/NAME. A
    /// password belongs into the variable or a .pgpass file, because every user sees arguments
    #[arg(
        long,
        env = "KHET_DATABASE",
        hide_env_values = true,
        value_name = "FILE|URL",
        help_heading = "Storage",
        default_value = "khet.sqlite",
        value_parser = LocationParser
    )]
    pub database: DatabaseLocation,
    /// Servers of NATS, for several nodes on one PostgreSQL database; separated by commas. A password
    /// belongs into the variable, because every user sees arguments
    #[arg(
        long,
        env = "KHET_NATS",
        hide_env_values = true,
        value_name = "nats://HOST:PORT",
        help_heading = "Cluster",
        value_delimiter = ','
    )]
    pub nats: Vec<String>,
    /// Name of this node in logs, of letters, digits and hyphens
    #[arg(long, env = "KHET_NODE", value_name = "NAME", help_heading = "Cluster",
          default_value = Config::NODE, value_parser = node_name)]
    pub node: String,
    /// Scheduled backups.
    #[command(flatten)]
    pub backups: BackupOptions,
    /// Deprecated, use `khet moderator add`: existing account that becomes a moderator at the start
    #[arg(
        long = "moderator",
        env = "KHET_MODERATORS",
        value_name = "NAME",
        help_heading = "Gallery",
        value_delimiter = ',',
        hide = true
    )]
    pub moderators: Vec<PersonName>,
    /// Rate limits and other limits.
    #[command(flatten)]
    pub limits: ServerLimits,
    /// Names of the bots that the program runs itself.
    #[arg(skip)]
    pub house_bots: Vec<PersonName>,
    /// The clock. Tests replace it.
    #[arg(skip)]
    pub time: Time,
    /// Faults of the disk. Tests switch them on.
    #[arg(skip)]
    pub faults: StorageFaults,
}

/// Limits that protect the server from overload.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct ServerLimits {
    /// Maximum number of open connections
    #[arg(long, env = "KHET_CONNECTIONS", value_name = "N",
          default_value_t = ServerLimits::default().connections)]
    pub connections: usize,
    /// Maximum number of open connections per address
    #[arg(long, env = "KHET_CONNECTIONS_PER_ADDRESS", value_name = "N",
          default_value_t = ServerLimits::default().connections_per_address)]
    pub connections_per_address: usize,
    /// Requests per minute and address
    #[arg(long, env = "KHET_REQUESTS_PER_MINUTE", value_name = "N",
          default_value_t = ServerLimits::default().requests_per_minute)]
    pub requests_per_minute: u32,
    /// Requests per minute and person, from any address
    #[arg(long, env = "KHET_REQUESTS_PER_MINUTE_AND_PERSON", value_name = "N",
          default_value_t = ServerLimits::default().requests_per_minute_and_person)]
    pub requests_per_minute_and_person: u32,
    /// New accounts per hour and address
    #[arg(long, env = "KHET_SIGN_UPS_PER_HOUR", value_name = "N",
          default_value_t = ServerLimits::default().sign_ups_per_hour)]
    pub sign_ups_per_hour: u32,
    /// Sign-in attempts per hour and address
    #[arg(long, env = "KHET_SIGN_INS_PER_HOUR", value_name = "N",
          default_value_t = ServerLimits::default().sign_ins_per_hour)]
    pub sign_ins_per_hour: u32,
    /// Exports of many games per hour and address
    #[arg(long, env = "KHET_EXPORTS_PER_HOUR", value_name = "N",
          default_value_t = ServerLimits::default().exports_per_hour)]
    pub exports_per_hour: u32,
    /// New game reviews per hour, for each address and for each person
    #[arg(long, env = "KHET_REVIEWS_PER_HOUR", value_name = "N",
          default_value_t = ServerLimits::default().reviews_per_hour)]
    pub reviews_per_hour: u32,
    /// New guests per hour and address
    #[arg(long, env = "KHET_GUESTS_PER_HOUR", value_name = "N",
          default_value_t = ServerLimits::default().guests_per_hour)]
    pub guests_per_hour: u32,
    /// Challenges and seeks per minute and person
    #[arg(long, env = "KHET_CHALLENGES_PER_MINUTE", value_name = "N",
          default_value_t = ServerLimits::default().challenges_per_minute)]
    pub challenges_per_minute: u32,
    /// Maximum number of open challenges per person
    #[arg(long, env = "KHET_WAITING_CHALLENGES", value_name = "N",
          default_value_t = ServerLimits::default().waiting_challenges)]
    pub waiting_challenges: usize,
    /// Published setups per hour and person
    #[arg(long, env = "KHET_SETUPS_PER_HOUR", value_name = "N",
          default_value_t = ServerLimits::default().setups_per_hour)]
    pub setups_per_hour: u32,
    /// Maximum number of games in progress per account; a fifth for guests, tenfold for bots
    #[arg(long, env = "KHET_GAMES_PER_PERSON", value_name = "N",
          default_value_t = ServerLimits::default().games_per_person)]
    pub games_per_person: usize,
    /// Started games per minute: accepted challenges and seeks, and rematches, per person; four
    /// times as many per address
    #[arg(long, env = "KHET_GAMES_PER_MINUTE", value_name = "N",
          default_value_t = ServerLimits::default().games_per_minute)]
    pub games_per_minute: u32,
    /// Searches of the game archive per minute and address
    #[arg(long, env = "KHET_SEARCHES_PER_MINUTE", value_name = "N",
          default_value_t = ServerLimits::default().searches_per_minute)]
    pub searches_per_minute: u32,
    /// WebSocket messages per second and person, with bursts of twice as many; ten times as many
    /// per address
    #[arg(long, env = "KHET_MESSAGES_PER_SECOND", value_name = "N",
          default_value_t = ServerLimits::default().messages_per_second)]
    pub messages_per_second: u32,
    /// Subscriptions per minute and address over WebSockets and streams: games opened, lobby visits
    #[arg(long, env = "KHET_SUBSCRIPTIONS_PER_MINUTE", value_name = "N",
          default_value_t = ServerLimits::default().subscriptions_per_minute)]
    pub subscriptions_per_minute: u32,
}

impl Config {
    const ADDRESS: SocketAddr =
        SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

    const NODE: &str = "node";

    /// Returns the default options with this database.
    pub fn new(database: impl Into<DatabaseLocation>) -> Config {
        Config {
            address: Config::ADDRESS,
            database: database.into(),
            origin: None,
            behind_proxy: false,
            proxy_header: ProxyHeader::default(),
            metrics_listen: None,
            nats: Vec::new(),
            node: Config::NODE.to_owned(),
            backups: BackupOptions::default(),
            house_bots: Vec::new(),
            moderators: Vec::new(),
            limits: ServerLimits::default(),
            time: Time::default(),
            faults: StorageFaults::default(),
        }
    }

    /// Returns whether browsers reach the server by https.
    pub(crate) fn is_secure(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.starts_with("https://"))
    }
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            connections: 20_000,
            connections_per_address: 100,
            requests_per_minute: 600,
            requests_per_minute_and_person: 1200,
            sign_ups_per_hour: 20,
            sign_ins_per_hour: 60,
            exports_per_hour: 60,
            reviews_per_hour: 60,
            guests_per_hour: 100,
            challenges_per_minute: 20,
            setups_per_hour: 10,
            games_per_person: 100,
            games_per_minute: 30,
            searches_per_minute: 60,
            messages_per_second: 20,
            subscriptions_per_minute: 300,
            waiting_challenges: 10,
        }
    }
}

/// Reads the name of a node, which is part of the subjects of its messages.
fn node_name(text: &str) -> Result<String, String> {
    let is_valid = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    if text.is_empty() || text.len() > 40 || !text.chars().all(is_valid) {
        return Err("expected 1 to 40 letters, digits and hyphens".to_owned());
    }
    Ok(text.to_owned())
}

/// Reads an origin as browsers write it: a URL without a path.
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', ' ']) => Ok(text.to_owned()),
        _ => Err("expected https:// or http:// and a host, without a path".to_owned()),
    }
}
