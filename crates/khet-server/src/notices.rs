//! What a person is told wherever they are connected: a game began, a challenge came.

use std::collections::HashMap;
use std::sync::Mutex;

use khet_protocol::{ChallengeId, GameId, PersonId};
use tokio::sync::mpsc;

/// Something that concerns a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// A game of theirs has begun; from which challenge, if it was one.
    GameStarted { game: GameId, challenge: Option<ChallengeId> },
    /// Someone challenges them.
    Challenged { challenge: ChallengeId },
}

/// How many notices may wait for someone who does not listen.
const WAITING: usize = 16;

/// Who listens for whom.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    listeners: Mutex<HashMap<PersonId, Vec<mpsc::Sender<Notice>>>>,
}

impl Notices {
    /// Listens for a person until the receiver is dropped.
    pub(crate) fn listen(&self, person: PersonId) -> mpsc::Receiver<Notice> {
        let (sender, receiver) = mpsc::channel(WAITING);
        let mut listeners = self.lock();
        // Now and then is often enough to forget who has gone.
        if listeners.len() % 64 == 63 {
            listeners.retain(|_, senders| senders.iter().any(|sender| !sender.is_closed()));
        }
        let senders = listeners.entry(person).or_default();
        senders.retain(|sender| !sender.is_closed());
        senders.push(sender);
        receiver
    }

    /// Whether someone listens for a person.
    pub(crate) fn has_listener(&self, person: PersonId) -> bool {
        let listeners = self.lock();
        let senders = listeners.get(&person);
        senders.is_some_and(|senders| senders.iter().any(|sender| !sender.is_closed()))
    }

    /// Tells a person. Who does not keep up misses it.
    pub(crate) fn tell(&self, person: PersonId, notice: Notice) {
        let mut listeners = self.lock();
        let Some(senders) = listeners.get_mut(&person) else { return };
        senders.retain(|sender| {
            let _ = sender.try_send(notice);
            !sender.is_closed()
        });
        if senders.is_empty() {
            listeners.remove(&person);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PersonId, Vec<mpsc::Sender<Notice>>>> {
        self.listeners.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
