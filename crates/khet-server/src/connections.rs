//! Connections from the network: how many, from where, and how long they may take to say something.

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
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower::Service;

use crate::router;
use crate::server_state::{self, ServerState};

/// How long a client may take to say what it wants.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// How much of it is read before it is understood.
const HEAD_SIZE: usize = 16 * 1024;
/// How long requests under way may hold up a stop.
const PATIENCE: Duration = Duration::from_secs(3);

/// Where a request comes from. Whoever has a network of IPv6 has all its addresses, and counts once.
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

/// Who is connected, how often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// A place that is taken while a connection lasts; a WebSocket keeps the one of its request.
#[derive(Debug)]
pub(crate) struct Place {
    crowd: Crowd,
    address: IpAddr,
}

impl Crowd {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A place, if there are not so many taken, and not so many by this peer.
    pub(crate) fn take(&self, peer: Peer, all: usize, by_peer: usize) -> Option<Place> {
        let Peer(address) = peer;
        let mut counts = self.counts();
        let here = counts.by_address.get(&address).copied().unwrap_or(0);
        if counts.all >= all || here >= by_peer {
            return None;
        }
        counts.all += 1;
        counts.by_address.insert(address, here + 1);
        Some(Place { crowd: self.clone(), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.crowd.counts();
        counts.all = counts.all.saturating_sub(1);
        let here = counts.by_address.get(&self.address).copied().unwrap_or(0);
        if here > 1 {
            counts.by_address.insert(self.address, here - 1);
        } else {
            counts.by_address.remove(&self.address);
        }
    }
}

/// Serves everything that comes to a listener, until the app stops.
pub(crate) async fn serve(listener: TcpListener, app: ServerState) {
    let router = router::router(&app);
    let crowd = Crowd::default();
    let mut stopping = app.stopping.subscribe();
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
                accept_failed(&error).await;
                continue;
            }
        };
        let limits = app.config.limits;
        let peer = Peer::new(address.ip());
        let behind_proxy = app.config.behind_proxy;
        // Behind a proxy all come from one address; there the sockets of each visitor are counted.
        let per_address = if behind_proxy { usize::MAX } else { limits.connections_per_address };
        // What is too much is closed at once: answering would take more than refusing.
        let Some(place) = crowd.take(peer, limits.connections, per_address) else {
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (router, stopping) = (router.clone(), app.stopping.subscribe());
        connections.spawn(connection(stream, router, peer, place, behind_proxy, stopping));
    }
    drop(listener);
    let finished = async { while connections.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(PATIENCE, finished).await;
}

async fn connection(
    stream: TcpStream,
    router: Router,
    peer: Peer,
    place: Place,
    behind_proxy: bool,
    mut stopping: watch::Receiver<bool>,
) {
    let place = Arc::new(place);
    let service = service_fn(move |mut request: Request<Incoming>| {
        let peer = if behind_proxy { forwarded(&request).unwrap_or(peer) } else { peer };
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(Arc::clone(&place));
        let mut router = router.clone();
        async move {
            let answer: Result<_, Infallible> = router.call(request.map(Body::new)).await;
            answer
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_SIZE)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        // What clients do wrong here is theirs to know.
        _ = serving.as_mut() => {}
        () = server_state::stop_requested(&mut stopping) => {
            serving.as_mut().graceful_shutdown();
            let _ = serving.await;
        }
    }
}

/// The address that the proxy saw: the last one of its list, which it wrote itself.
fn forwarded(request: &Request<Incoming>) -> Option<Peer> {
    let list = request.headers().get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    list.rsplit(',').next()?.trim().parse().ok().map(Peer::new)
}

/// A connection that could not be accepted: the client's fault, or there is no room for more, for a moment.
async fn accept_failed(error: &io::Error) {
    let clients_fault = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    );
    if !clients_fault {
        tracing::warn!(%error, "no connection can be accepted");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::Peer;

    #[test]
    fn a_network_counts_once() {
        let peer = |text: &str| Peer::new(text.parse().unwrap());
        assert_eq!(peer("2001:db8::1"), peer("2001:db8::ffff:1"));
        assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
        assert_ne!(peer("192.0.2.1"), peer("192.0.2.2"));
        assert_eq!(peer("::ffff:192.0.2.1"), peer("192.0.2.1"));
    }
}
