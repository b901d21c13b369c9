//! Notices to people on all their connections: a game has started, a challenge has arrived.

use std::collections::HashMap;
use std::sync::Mutex;

use khet_protocol::{ChallengeId, GameId, PersonId};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

/// A notice to one person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Notice {
    /// A game of the person has started, perhaps from a challenge.
    GameStarted { game: GameId, challenge: Option<ChallengeId> },
    /// The person was challenged.
    Challenged { challenge: ChallengeId },
    /// A challenge by the person was declined.
    ChallengeDeclined { challenge: ChallengeId },
    /// A challenge to the person was withdrawn.
    ChallengeWithdrawn,
}

/// Number of notices that a slow subscriber may have pending.
const CHANNEL_CAPACITY: usize = 16;

/// A connection of a person.
#[derive(Debug)]
struct NoticeSubscriber {
    sender: mpsc::Sender<Notice>,
    /// The person waits for games.
    awaits_games: bool,
}

/// The subscribers of each person.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    subscribers: Mutex<HashMap<PersonId, Vec<NoticeSubscriber>>>,
}

impl NoticeSubscriber {
    fn is_open(&self) -> bool {
        !self.sender.is_closed()
    }
}

impl Notices {
    /// Subscribes a person who waits for games to notices, until the receiver is dropped.
    pub(crate) fn subscribe(&self, person: PersonId) -> mpsc::Receiver<Notice> {
        self.add(person, true)
    }

    /// Subscribes a person who is busy, such as with a game, until the receiver is dropped.
    pub(crate) fn subscribe_busy(&self, person: PersonId) -> mpsc::Receiver<Notice> {
        self.add(person, false)
    }

    fn add(&self, person: PersonId, awaits_games: bool) -> mpsc::Receiver<Notice> {
        let (sender, receiver) = mpsc::channel(CHANNEL_CAPACITY);
        let mut subscribers = self.lock();
        // Removes people without subscribers, only now and then because it visits all.
        if subscribers.len() % 64 == 63 {
            subscribers.retain(|_, of_person| of_person.iter().any(NoticeSubscriber::is_open));
        }
        let of_person = subscribers.entry(person).or_default();
        of_person.retain(NoticeSubscriber::is_open);
        of_person.push(NoticeSubscriber { sender, awaits_games });
        receiver
    }

    /// Returns whether a person is connected and waits for games.
    pub(crate) fn awaits_games(&self, person: PersonId) -> bool {
        let subscribers = self.lock();
        let of_person = subscribers.get(&person);
        let awaits_games = |one: &NoticeSubscriber| one.awaits_games && one.is_open();
        of_person.is_some_and(|of_person| of_person.iter().any(awaits_games))
    }

    /// Sends a notice to a person's connections at this node. Subscribers with a full channel miss it.
    pub(crate) fn notify(&self, person: PersonId, notice: Notice) {
        let mut subscribers = self.lock();
        let Some(of_person) = subscribers.get_mut(&person) else { return };
        of_person.retain(|one| {
            let _ = one.sender.try_send(notice);
            one.is_open()
        });
        if of_person.is_empty() {
            subscribers.remove(&person);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PersonId, Vec<NoticeSubscriber>>> {
        self.subscribers.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
