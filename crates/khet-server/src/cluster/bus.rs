//! The connection to NATS, which carries messages between nodes. It may lose any of them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, ServerAddr, Subject, Subscriber};
use khet_protocol::{ApiError, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::time::Time;

/// Longest wait for the response to a request. Clients try again, perhaps after another node has
/// taken the game over.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(1);
/// Longest pause between two attempts to connect. Short, so that all nodes are connected again at
/// nearly the same time: see `CUT_OFF_AFTER` in [`super::lease_task`].
const MAX_RECONNECT_PAUSE: Duration = Duration::from_millis(500);
/// Interval of pings, by which a dead connection is found.
const PING_INTERVAL: Duration = Duration::from_millis(500);
/// Time until a silent connection counts as lost: async-nats gives up when the third ping is due.
/// Clocks are credited with this time too.
const DETECTION_TIME: Duration = Duration::from_millis(1500);

/// Error of the URLs of NATS. It does not repeat them, because they may contain a password.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BusError {
    #[error("the URL of a server is not valid: {0}")]
    Url(io::Error),
    #[error("the user or the password in the URL of a server is not valid")]
    Credentials,
    #[error(transparent)]
    Connect(#[from] async_nats::ConnectError),
}

/// The connection to NATS.
#[derive(Clone, Debug)]
pub(crate) struct Bus {
    client: Client,
    /// The first part of all subjects. It differs between databases, so that several of them can
    /// share the servers of NATS.
    prefix: String,
    /// The start of the current outage, which lasts until [`Bus::end_outage`] is called; 0 if there is
    /// none.
    lost_since: Arc<AtomicU64>,
}

impl Bus {
    /// Connects to the servers. Returns before there is a connection, and keeps trying.
    pub(crate) async fn connect(
        servers: &[String],
        prefix: String,
        name: &str,
        time: Time,
    ) -> Result<Bus, BusError> {
        let lost_since = Arc::new(AtomicU64::new(time.now()));
        let lost = Arc::clone(&lost_since);
        let options = NatsCredentials::of(servers)?
            .options()
            .name(name)
            .retry_on_initial_connect()
            .ping_interval(PING_INTERVAL)
            .request_timeout(Some(REQUEST_TIMEOUT))
            .reconnect_delay_callback(|attempts| {
                MAX_RECONNECT_PAUSE.min(Duration::from_millis(50 * attempts as u64))
            })
            .event_callback(move |event| {
                if event == Event::Disconnected {
                    let since = time.now().saturating_sub(DETECTION_TIME.as_millis() as u64);
                    // A second loss before the end of an outage belongs to it.
                    let _ = lost.compare_exchange(0, since, Ordering::Relaxed, Ordering::Relaxed);
                }
                async move { log(&event) }
            });
        let client = options.connect(servers).await?;
        Ok(Bus { client, prefix, lost_since })
    }

    fn subject(&self, name: &str) -> Subject {
        format!("{}.{name}", self.prefix).into()
    }

    /// Returns whether there is a connection.
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Returns the start of the current outage, which lasts until [`Bus::end_outage`] is called.
    pub(crate) fn lost_since(&self) -> Option<u64> {
        Some(self.lost_since.load(Ordering::Relaxed)).filter(|since| *since > 0)
    }

    /// Ends the outage, after the clocks were credited.
    pub(crate) fn end_outage(&self) {
        self.lost_since.store(0, Ordering::Relaxed);
    }

    /// Subscribes to a subject.
    pub(crate) async fn subscribe(
        &self,
        name: &str,
    ) -> Result<Subscriber, async_nats::SubscribeError> {
        self.client.subscribe(self.subject(name)).await
    }

    /// Publishes a message. Returns `false` if there is no connection: messages do not wait for one,
    /// because they would be out of date when they arrive.
    pub(crate) async fn publish(&self, name: &str, message: &impl Serialize) -> bool {
        if !self.is_connected() {
            return false;
        }
        let Ok(payload) = serde_json::to_vec(message) else { return false };
        self.client.publish(self.subject(name), payload.into()).await.is_ok()
    }

    /// Sends a request and waits for its response.
    pub(crate) async fn request<T: DeserializeOwned>(
        &self,
        name: &str,
        message: &impl Serialize,
    ) -> Result<T, ApiError> {
        if !self.is_connected() {
            return Err(unreachable("there is no connection to NATS"));
        }
        let payload = serde_json::to_vec(message).map_err(|error| {
            ApiError::new(ErrorCode::Internal, format!("a request to another node: {error}"))
        })?;
        let response = self.client.request(self.subject(name), payload.into()).await;
        let response = response.map_err(|error| unreachable(&error.to_string()))?;
        serde_json::from_slice(&response.payload).map_err(|error| unreachable(&error.to_string()))
    }

    /// Sends a response.
    pub(crate) async fn respond(&self, to: Subject, message: &impl Serialize) {
        if let Ok(payload) = serde_json::to_vec(message) {
            let _ = self.client.publish(to, payload.into()).await;
        }
    }
}

/// Proof of this node's identity for the servers.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
enum NatsCredentials {
    None,
    Password { user: String, password: String },
    Token(String),
}

impl NatsCredentials {
    /// Returns the credentials in the first URL that has some. async-nats does not read them from there,
    /// and uses the same ones for all servers.
    fn of(servers: &[String]) -> Result<NatsCredentials, BusError> {
        let decode = |text: &str| percent_decoded(text).ok_or(BusError::Credentials);
        for server in servers {
            let server: ServerAddr = server.parse().map_err(BusError::Url)?;
            match (server.username(), server.password()) {
                (Some(user), Some(password)) => {
                    let (user, password) = (decode(user)?, decode(password)?);
                    return Ok(NatsCredentials::Password { user, password });
                }
                (Some(token), None) => return Ok(NatsCredentials::Token(decode(token)?)),
                (None, _) => {}
            }
        }
        Ok(NatsCredentials::None)
    }

    fn options(self) -> ConnectOptions {
        match self {
            NatsCredentials::None => ConnectOptions::new(),
            NatsCredentials::Password { user, password } => {
                ConnectOptions::with_user_and_password(user, password)
            }
            NatsCredentials::Token(token) => ConnectOptions::with_token(token),
        }
    }
}

/// Decodes a part of a URL, such as `p%40ss`. `None` if it is not valid.
fn percent_decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut decoded = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        decoded.push(u8::from_str_radix(digits, 16).ok()?);
        decoded.extend(rest.as_bytes());
    }
    String::from_utf8(decoded).ok()
}

/// Returns the error for a node that does not answer. Clients try again, when the node is back or
/// another one has taken its games over.
pub(crate) fn unreachable(reason: &str) -> ApiError {
    tracing::debug!(reason, "another node could not be reached");
    ApiError::new(ErrorCode::Unavailable, "the game is moving to another server").retry_after(1)
}

fn log(event: &Event) {
    match event {
        Event::Connected => tracing::info!("connected to NATS"),
        Event::Disconnected => tracing::warn!("the connection to NATS is lost"),
        Event::SlowConsumer(_) => metrics::counter!("khet_bus_messages_dropped_total").increment(1),
        event => tracing::debug!(%event, "NATS"),
    }
}

#[cfg(test)]
mod tests {
    use super::{BusError, NatsCredentials, percent_decoded};

    fn credentials(urls: &[&str]) -> Result<NatsCredentials, BusError> {
        let urls: Vec<String> = urls.iter().map(|url| (*url).to_owned()).collect();
        NatsCredentials::of(&urls)
    }

    #[test]
    fn credentials_in_a_url_are_used() {
        assert_eq!(credentials(&["nats://a:4222", "b"]).unwrap(), NatsCredentials::None);
        let password = credentials(&["nats://a", "tls://khet:p%40ss@b"]).unwrap();
        let (user, secret) = ("khet".to_owned(), "p@ss".to_owned());
        assert_eq!(password, NatsCredentials::Password { user, password: secret });
        assert_eq!(
            credentials(&["token@a:4222"]).unwrap(),
            NatsCredentials::Token("token".to_owned())
        );
        for url in ["http://khet:secret@b", "nats://khet:secret%FF@b", "nats://khet:secret@b:port"]
        {
            let error = credentials(&[url]).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn passwords_are_decoded() {
        assert_eq!(percent_decoded("a%40b%C3%A9"), Some("a@bé".to_owned()));
        for wrong in ["%", "%4", "a%xy", "%FF", "%é"] {
            assert_eq!(percent_decoded(wrong), None, "{wrong}");
        }
    }
}
