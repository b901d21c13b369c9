//! People whose sessions were ended: what is still open in their name is closed, and must be opened anew.

use khet_protocol::PersonId;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// How many departures may wait for a connection that does not listen.
const WAITING: usize = 64;

/// Where departures are told.
#[derive(Debug)]
pub(crate) struct Departures(broadcast::Sender<PersonId>);

impl Default for Departures {
    fn default() -> Departures {
        Departures(broadcast::Sender::new(WAITING))
    }
}

impl Departures {
    /// A person's sessions or tokens have ended.
    pub(crate) fn tell(&self, person: PersonId) {
        // Perhaps nobody is connected.
        let _ = self.0.send(person);
    }

    /// Listens from now on.
    pub(crate) fn listen(&self) -> broadcast::Receiver<PersonId> {
        self.0.subscribe()
    }
}

/// Waits until a person departs; for nobody, forever.
pub(crate) async fn of(person: Option<PersonId>, departures: &mut broadcast::Receiver<PersonId>) {
    let Some(person) = person else { return std::future::pending().await };
    loop {
        match departures.recv().await {
            Ok(departed) if departed == person => return,
            Ok(_) => {}
            // Who has missed some can't know, and is let go to be safe.
            Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => return std::future::pending().await,
        }
    }
}
