//! Streaming responses in NDJSON: one line of JSON per message, and an empty line now and then to
//! keep the connection alive.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Extension;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use khet_protocol::{ApiError, PersonId};
use tokio::sync::{mpsc, watch};

use crate::connections::{Peer, VisitPermit};
use crate::people::SessionExpiry;
use crate::server_state::{self, ServerState};
use crate::session_revocation::RevocationReceiver;
use crate::time::Time;

/// Longest time without a line.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

pub(crate) const MEDIA_TYPE: &str = "application/x-ndjson";

/// State of a response.
struct LineStream<T, W, G> {
    first: std::vec::IntoIter<String>,
    inbox: mpsc::Receiver<T>,
    to_line: W,
    session_expiry: Option<u64>,
    time: Time,
    revocations: RevocationReceiver,
    stopping: watch::Receiver<bool>,
    /// Dropped at the end, after the inbox.
    _guard: G,
}

/// The person who reads a stream, if known, and the expiry of the session.
pub(crate) struct StreamReader {
    pub(crate) person: Option<PersonId>,
    pub(crate) session_expiry: Option<Extension<SessionExpiry>>,
}

/// Counts a new stream of a visitor, until the permit is dropped.
pub(crate) fn open(
    server: &ServerState,
    peer: Option<Extension<Peer>>,
    person: Option<PersonId>,
) -> Result<VisitPermit, ApiError> {
    let peer = peer.map(|Extension(peer)| peer);
    let address = peer.map(|Peer(address)| address);
    server.rate_limits.subscriptions.take(person, address, server.time.now())?;
    VisitPermit::acquire(server, peer, person)
}

/// Returns a response of the first lines, followed by the messages from the inbox. It ends when the
/// inbox is closed, the server stops, the person's session is revoked or expires, or the client
/// disconnects; then the guard is dropped.
pub(crate) fn response<T, W, G>(
    server: &ServerState,
    reader: StreamReader,
    first: Vec<String>,
    inbox: mpsc::Receiver<T>,
    to_line: W,
    guard: G,
) -> Response
where
    T: Send + 'static,
    W: FnMut(T) -> Option<String> + Send + 'static,
    G: Send + 'static,
{
    let lines = LineStream {
        first: first.into_iter(),
        inbox,
        to_line,
        session_expiry: reader.session_expiry.map(|Extension(SessionExpiry(expiry))| expiry),
        time: server.time.clone(),
        revocations: server.session_revocations.subscribe(reader.person),
        stopping: server.stopping.subscribe(),
        _guard: guard,
    };
    let lines = stream::unfold(lines, |mut lines| async move {
        let line = lines.next().await?;
        Some((Ok::<_, std::convert::Infallible>(Bytes::from(line)), lines))
    });
    ([(CONTENT_TYPE, MEDIA_TYPE)], Body::from_stream(lines)).into_response()
}

impl<T, W: FnMut(T) -> Option<String>, G> LineStream<T, W, G> {
    async fn next(&mut self) -> Option<String> {
        if let Some(line) = self.first.next() {
            return Some(line + "\n");
        }
        loop {
            tokio::select! {
                biased;
                () = server_state::stop_requested(&mut self.stopping) => return None,
                () = self.revocations.revoked() => return None,
                () = self.time.sleep_until(self.session_expiry) => return None,
                message = self.inbox.recv() => {
                    if let Some(line) = (self.to_line)(message?) {
                        return Some(line + "\n");
                    }
                }
                () = tokio::time::sleep(KEEP_ALIVE) => return Some("\n".to_owned()),
            }
        }
    }
}
