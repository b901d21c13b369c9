//! Notices to people on all their connections: a game has started, a challenge has arrived.

use std::collections::HashMap;
use std::sync::Mutex;

use khet_protocol::{ChallengeId, GameId, PersonId};
use tokio::sync::mpsc;

/// A notice to one person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// A game of the person has started, perhaps from a challenge.
    GameStarted { game: GameId, challenge: Option<ChallengeId> },
    /// The person was challenged.
    Challenged { challenge: ChallengeId },
    /// A challenge by the person was declined.
    ChallengeDeclined { challenge: ChallengeId },
}

/// Number of notices that a slow subscriber may have pending.
const CHANNEL_CAPACITY: usize = 16;

/// The subscribers of each person.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    subscribers: Mutex<HashMap<PersonId, Vec<mpsc::Sender<Notice>>>>,
}

impl Notices {
    /// Subscribes to a person's notices until the receiver is dropped.
    pub(crate) fn subscribe(&self, person: PersonId) -> mpsc::Receiver<Notice> {
        let (sender, receiver) = mpsc::channel(CHANNEL_CAPACITY);
        let mut subscribers = self.lock();
        // Removes people without subscribers, only now and then because it visits all.
        if subscribers.len() % 64 == 63 {
            subscribers.retain(|_, senders| senders.iter().any(|sender| !sender.is_closed()));
        }
        let senders = subscribers.entry(person).or_default();
        senders.retain(|sender| !sender.is_closed());
        senders.push(sender);
        receiver
    }

    /// Returns whether a person has a subscriber.
    pub(crate) fn has_subscriber(&self, person: PersonId) -> bool {
        let subscribers = self.lock();
        let senders = subscribers.get(&person);
        senders.is_some_and(|senders| senders.iter().any(|sender| !sender.is_closed()))
    }

    /// Sends a notice to a person. Subscribers with a full channel miss it.
    pub(crate) fn notify(&self, person: PersonId, notice: Notice) {
        let mut subscribers = self.lock();
        let Some(senders) = subscribers.get_mut(&person) else { return };
        senders.retain(|sender| {
            let _ = sender.try_send(notice);
            !sender.is_closed()
        });
        if senders.is_empty() {
            subscribers.remove(&person);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PersonId, Vec<mpsc::Sender<Notice>>>> {
        self.subscribers.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
