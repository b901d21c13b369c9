//! Announces to the open connections of a person that a session or token was revoked, so that they
//! are closed and have to identify themselves again.
//!
//! Each person has a channel of their own that only counts: no announcement is lost, however slow a
//! connection is, and nobody is disconnected because of others.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use khet_protocol::PersonId;
use tokio::sync::watch;

/// The channels of people with open connections.
#[derive(Debug, Default)]
pub(crate) struct SessionRevocations(Mutex<HashMap<PersonId, watch::Sender<()>>>);

/// Receives the announcements to one person. A connection without a person receives none.
#[derive(Debug)]
pub(crate) struct RevocationReceiver(Option<watch::Receiver<()>>);

impl SessionRevocations {
    fn lock(&self) -> MutexGuard<'_, HashMap<PersonId, watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Announces that sessions or tokens of a person were revoked.
    pub(crate) fn announce(&self, person: PersonId) {
        // New connections get a new channel.
        if let Some(sender) = self.lock().remove(&person) {
            sender.send_replace(());
        }
    }

    /// Subscribes to the announcements to a person.
    pub(crate) fn subscribe(&self, person: Option<PersonId>) -> RevocationReceiver {
        let Some(person) = person else { return RevocationReceiver(None) };
        let mut channels = self.lock();
        // Removes people without connections, only now and then because it visits all.
        if channels.len() % 64 == 63 {
            channels.retain(|_, sender| sender.receiver_count() > 0);
        }
        RevocationReceiver(Some(channels.entry(person).or_default().subscribe()))
    }
}

impl RevocationReceiver {
    /// Waits until a session or token of the person is revoked.
    pub(crate) async fn revoked(&mut self) {
        match &mut self.0 {
            // The sender is dropped after the announcement, or when the server has stopped.
            Some(receiver) => {
                let _ = receiver.changed().await;
            }
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use khet_protocol::PersonId;

    use super::SessionRevocations;

    #[test]
    fn only_the_persons_own_connections_are_closed() {
        let revocations = SessionRevocations::default();
        let person = PersonId::from_number;
        let mut mine = [1, 1].map(|number| revocations.subscribe(Some(person(number))));
        let mut other = revocations.subscribe(Some(person(2)));
        let mut nobody = revocations.subscribe(None);
        // More than any connection can handle at once.
        for number in 3..10_000 {
            revocations.subscribe(Some(person(number)));
            revocations.announce(person(number));
        }
        for receiver in mine.iter_mut().chain([&mut other, &mut nobody]) {
            assert!(receiver.revoked().now_or_never().is_none());
        }
        revocations.announce(person(1));
        for receiver in &mut mine {
            assert!(receiver.revoked().now_or_never().is_some());
        }
        for receiver in [&mut other, &mut nobody] {
            assert!(receiver.revoked().now_or_never().is_none());
        }
        let mut again = revocations.subscribe(Some(person(1)));
        assert!(again.revoked().now_or_never().is_none());
        assert!(revocations.lock().len() < 100);
    }
}
