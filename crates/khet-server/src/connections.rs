//! TCP connections: their number in total and per address, and their timeouts.
//!
//! Connections are accepted here instead of by `axum::serve` because of these limits: a connection
//! beyond them is dropped before anything is read from it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use khet_protocol::{ApiError, PersonId};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower::Service;

use crate::forwarded::{self, ProxyHeader};
use crate::rate_limits;
use crate::server_state::{self, ServerState};
use crate::time::Time;

/// Longest time for receiving the header of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(15);
/// Largest header of a request, in bytes.
const MAX_HEADER_SIZE: usize = 16 * 1024;
/// Milliseconds after which a client with too many WebSockets or streams may try again.
const TOO_MANY_VISITS_RETRY: u64 = 10_000;
/// Longest time for requests in progress when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// The address of a client. All addresses of an IPv6 network (/64) count as one, because one client
/// owns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Peer {
    fn new(address: IpAddr) -> Peer {
        Peer(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from(network))
            }
            address => address,
        })
    }
}

/// The time at which a request arrived: before it waited for anything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrivalTime(pub(crate) u64);

/// Limits the number of connections, in total and per owner: an address or a person.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConnectionLimiter(Arc<Mutex<Counts>>);

/// The owner of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Owner {
    Address(IpAddr),
    Person(PersonId),
}

#[derive(Debug, Default)]
struct Counts {
    total: usize,
    by_owner: HashMap<Owner, usize>,
}

/// Counts a connection until it is dropped. A WebSocket holds the permit of its request.
#[derive(Debug)]
pub(crate) struct Permit {
    limiter: ConnectionLimiter,
    owner: Owner,
}

impl ConnectionLimiter {
    /// Locks the counts.
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns a permit, unless there are too many in total or for this owner.
    pub(crate) fn acquire(
        &self,
        owner: Owner,
        max_total: usize,
        max_per_owner: usize,
    ) -> Option<Permit> {
        let mut counts = self.counts();
        let count = counts.by_owner.get(&owner).copied().unwrap_or(0);
        if counts.total >= max_total || count >= max_per_owner {
            return None;
        }
        counts.total += 1;
        counts.by_owner.insert(owner, count + 1);
        Some(Permit { limiter: self.clone(), owner })
    }
}

/// Counts a WebSocket or a stream until it is dropped, for its address and its person. Unlike TCP
/// connections these are counted behind a proxy, too, which has one address for all visitors.
#[derive(Debug)]
pub(crate) struct VisitPermit(#[allow(dead_code)] Vec<Permit>);

impl VisitPermit {
    /// Returns a permit, unless the address or the person has too many.
    pub(crate) fn acquire(
        server: &ServerState,
        peer: Option<Peer>,
        person: Option<PersonId>,
    ) -> Result<VisitPermit, ApiError> {
        let limit = server.config.limits.connections_per_address;
        let address = peer.map(|Peer(address)| Owner::Address(address));
        let owners = address.into_iter().chain(person.map(Owner::Person));
        let acquire = |owner| server.open_visits.acquire(owner, usize::MAX, limit);
        let permits: Option<Vec<Permit>> = owners.map(acquire).collect();
        permits.map(VisitPermit).ok_or_else(|| rate_limits::too_many(TOO_MANY_VISITS_RETRY))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut counts = self.limiter.counts();
        counts.total = counts.total.saturating_sub(1);
        let count = counts.by_owner.get(&self.owner).copied().unwrap_or(0);
        if count > 1 {
            counts.by_owner.insert(self.owner, count - 1);
        } else {
            counts.by_owner.remove(&self.owner);
        }
    }
}

/// Serves all connections of a listener until the server stops.
pub(crate) async fn serve(listener: TcpListener, server: ServerState, router: Router) {
    let limiter = ConnectionLimiter::default();
    let mut stopping = server.stopping.subscribe();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = server_state::stop_requested(&mut stopping) => break,
        };
        while connections.try_join_next().is_some() {}
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                handle_accept_error(&error).await;
                continue;
            }
        };
        let limits = server.config.limits;
        let peer = Peer::new(address.ip());
        let behind_proxy = server.config.behind_proxy.then_some(server.config.proxy_header);
        // All connections from a proxy have one address; there WebSockets and streams are limited
        // per visitor.
        let per_address = match behind_proxy {
            Some(_) => usize::MAX,
            None => limits.connections_per_address,
        };
        // A connection beyond the limit is closed without a response, which costs least.
        let Some(permit) = limiter.acquire(Owner::Address(peer.0), limits.connections, per_address)
        else {
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (router, stopping) = (router.clone(), server.stopping.subscribe());
        let origin = ConnectionOrigin { peer, behind_proxy, time: server.time.clone() };
        connections.spawn(serve_connection(stream, router, origin, permit, stopping));
    }
    drop(listener);
    let finished = async { while connections.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, finished).await;
}

/// Tells requests where they come from and when they arrived.
struct ConnectionOrigin {
    peer: Peer,
    /// The header with the address of the client, if a proxy passes requests on.
    behind_proxy: Option<ProxyHeader>,
    time: Time,
}

/// Serves the requests of a connection until it ends or the server stops.
async fn serve_connection(
    stream: TcpStream,
    router: Router,
    origin: ConnectionOrigin,
    permit: Permit,
    mut stopping: watch::Receiver<bool>,
) {
    let permit = Arc::new(permit);
    let service = service_fn(move |mut request: Request<Incoming>| {
        let ConnectionOrigin { peer, behind_proxy, ref time } = origin;
        request.extensions_mut().insert(ArrivalTime(time.now()));
        let client =
            behind_proxy.and_then(|header| forwarded::client_address(request.headers(), header));
        let peer = client.map_or(peer, Peer::new);
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(Arc::clone(&permit));
        let mut router = router.clone();
        async move {
            let response: Result<_, Infallible> = router.call(request.map(Body::new)).await;
            response
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MAX_HEADER_SIZE)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        // Errors of the client need no log entry.
        _ = serving.as_mut() => {}
        () = server_state::stop_requested(&mut stopping) => {
            serving.as_mut().graceful_shutdown();
            let _ = serving.await;
        }
    }
}

/// Handles a failed `accept`. Unless the client caused it, the process has too many open files, so
/// it waits for some to close.
async fn handle_accept_error(error: &io::Error) {
    let caused_by_client = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    );
    if !caused_by_client {
        tracing::warn!(%error, "could not accept a connection");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::Peer;

    #[test]
    fn ipv6_network_counts_as_one_peer() {
        let peer = |text: &str| Peer::new(text.parse().unwrap());
        assert_eq!(peer("2001:db8::1"), peer("2001:db8::ffff:1"));
        assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
        assert_ne!(peer("192.0.2.1"), peer("192.0.2.2"));
        assert_eq!(peer("::ffff:192.0.2.1"), peer("192.0.2.1"));
    }
}
