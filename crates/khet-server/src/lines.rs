//! Answers that go on: JSON, a line for everything that happens, and an empty one now and then to show that the
//! connection lives.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use khet_protocol::PersonId;
use tokio::sync::{broadcast, mpsc, watch};

use crate::departures;
use crate::server_state::{self, ServerState};

/// How long it may be silent.
const SILENCE: Duration = Duration::from_secs(15);

/// The media type.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// What goes on.
struct Lines<T, W, G> {
    first: std::vec::IntoIter<String>,
    inbox: mpsc::Receiver<T>,
    write: W,
    person: Option<PersonId>,
    departures: broadcast::Receiver<PersonId>,
    stopping: watch::Receiver<bool>,
    /// Dropped at the end, behind the inbox.
    _guard: G,
}

/// An answer of the first lines, and then what comes into the inbox, until that is closed, the server stops, the person
/// departs, or nobody reads any more. The guard is dropped at the end.
pub(crate) fn answer<T, W, G>(
    app: &ServerState,
    person: Option<PersonId>,
    first: Vec<String>,
    inbox: mpsc::Receiver<T>,
    write: W,
    guard: G,
) -> Response
where
    T: Send + 'static,
    W: FnMut(T) -> Option<String> + Send + 'static,
    G: Send + 'static,
{
    let lines = Lines {
        first: first.into_iter(),
        inbox,
        write,
        person,
        departures: app.departures.listen(),
        stopping: app.stopping.subscribe(),
        _guard: guard,
    };
    let lines = stream::unfold(lines, |mut lines| async move {
        let line = lines.next().await?;
        Some((Ok::<_, std::convert::Infallible>(Bytes::from(line)), lines))
    });
    ([(CONTENT_TYPE, NDJSON)], Body::from_stream(lines)).into_response()
}

impl<T, W: FnMut(T) -> Option<String>, G> Lines<T, W, G> {
    async fn next(&mut self) -> Option<String> {
        if let Some(line) = self.first.next() {
            return Some(line + "\n");
        }
        loop {
            tokio::select! {
                biased;
                () = server_state::stop_requested(&mut self.stopping) => return None,
                () = departures::of(self.person, &mut self.departures) => return None,
                came = self.inbox.recv() => {
                    if let Some(line) = (self.write)(came?) {
                        return Some(line + "\n");
                    }
                }
                () = tokio::time::sleep(SILENCE) => return Some("\n".to_owned()),
            }
        }
    }
}
