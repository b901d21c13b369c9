//! The connection to NATS, which carries messages between nodes. It may lose any of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, Subject, Subscriber};
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
    ) -> Result<Bus, async_nats::ConnectError> {
        let lost_since = Arc::new(AtomicU64::new(time.now()));
        let lost = Arc::clone(&lost_since);
        let options = ConnectOptions::new()
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
