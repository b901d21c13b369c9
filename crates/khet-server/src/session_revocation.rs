//! Announces people whose sessions or tokens were revoked, so that their open connections are
//! closed and have to identify themselves again.

use khet_protocol::PersonId;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// Number of announcements that a slow connection may have pending.
const CHANNEL_CAPACITY: usize = 64;

/// The channel of announcements.
#[derive(Debug)]
pub(crate) struct SessionRevocations(broadcast::Sender<PersonId>);

impl Default for SessionRevocations {
    fn default() -> SessionRevocations {
        SessionRevocations(broadcast::Sender::new(CHANNEL_CAPACITY))
    }
}

impl SessionRevocations {
    /// Announces that sessions or tokens of a person were revoked.
    pub(crate) fn announce(&self, person: PersonId) {
        // Fails if there are no subscribers.
        let _ = self.0.send(person);
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<PersonId> {
        self.0.subscribe()
    }
}

/// Waits until a person's session is revoked, or forever for a connection without a person.
pub(crate) async fn wait_for(
    person: Option<PersonId>,
    revocations: &mut broadcast::Receiver<PersonId>,
) {
    let Some(person) = person else { return std::future::pending().await };
    loop {
        match revocations.recv().await {
            Ok(revoked) if revoked == person => return,
            Ok(_) => {}
            // The missed announcements may include this person, so the connection is closed.
            Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => return std::future::pending().await,
        }
    }
}
