//! Everything that the server can be told.

use std::net::SocketAddr;
use std::path::PathBuf;

use khet_protocol::PersonName;

use crate::time::Time;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; with port 0 the system chooses one.
    pub address: SocketAddr,
    /// The file in which everything is kept.
    pub database: PathBuf,
    /// The address that people see, as in `https://khet.example`, if it is not what the request says. With `https` cookies are
    /// only sent over TLS.
    pub origin: Option<String>,
    /// Whether a proxy stands before the server, and its header says where requests come from.
    pub behind_proxy: bool,
    /// Programs of the house that play, by their names.
    pub house_bots: Vec<PersonName>,
    /// Accounts that decide about reported setups, by their names.
    pub moderators: Vec<PersonName>,
    /// How much is too much.
    pub limits: Limits,
    /// The clock. Tests have their own.
    pub time: Time,
}

/// How much is too much.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at once.
    pub connections: usize,
    /// Connections at once from one address.
    pub connections_per_address: usize,
    /// Requests in a minute from one address.
    pub requests_per_minute: u32,
    /// Requests in a minute by one person, from wherever.
    pub requests_per_minute_and_person: u32,
    /// New accounts in an hour from one address.
    pub sign_ups_per_hour: u32,
    /// Attempts to sign in, in an hour from one address.
    pub sign_ins_per_hour: u32,
    /// Exports of many games in an hour from one address.
    pub exports_per_hour: u32,
    /// New reviews of games in an hour, from one address and for one person.
    pub reviews_per_hour: u32,
    /// New guests in an hour from one address.
    pub guests_per_hour: u32,
    /// Challenges and seeks in a minute by one person.
    pub challenges_per_minute: u32,
    /// Setups published in an hour by one person.
    pub setups_per_hour: u32,
    /// Messages in a second over one WebSocket; twice that at once.
    pub messages_per_second: u32,
    /// Challenges of one person that wait.
    pub waiting_challenges: usize,
}

impl Config {
    /// The usual, with everything kept in this file.
    pub fn new(database: PathBuf) -> Config {
        Config {
            address: SocketAddr::from(([127, 0, 0, 1], 8080)),
            database,
            origin: None,
            behind_proxy: false,
            house_bots: Vec::new(),
            moderators: Vec::new(),
            limits: Limits::default(),
            time: Time::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
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
            messages_per_second: 20,
            waiting_challenges: 10,
        }
    }
}
