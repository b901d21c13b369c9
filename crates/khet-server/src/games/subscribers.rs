//! The connections of a game: players, perhaps with several tabs, and spectators.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::extract::ws::Utf8Bytes;
use khet::Color;
use khet_protocol::{ByColor, GameState, PersonId, Presence};
use tokio::sync::mpsc;

use super::decision;
use crate::cluster::NodeOutbox;

/// The channel to a client. Clients that do not keep up are dropped.
#[derive(Debug)]
pub(crate) enum Outbox {
    /// The client's connection is at this node.
    Local(mpsc::Sender<Utf8Bytes>),
    /// The client's connection is at another node.
    OtherNode(NodeOutbox),
}

impl Outbox {
    /// Queues a message. `false` if the client is gone or does not keep up.
    fn try_send(&self, message: Utf8Bytes) -> bool {
        match self {
            Outbox::Local(sender) => sender.try_send(message).is_ok(),
            Outbox::OtherNode(outbox) => outbox.try_send(message),
        }
    }
}

/// A connection to a game.
#[derive(Debug)]
pub(crate) struct Subscriber {
    /// A unique id.
    pub(crate) id: u64,
    /// The person, if the connection has a session. The game sets it.
    pub(crate) person: Option<PersonId>,
    /// The colour of a player; `None` for a spectator. The game sets it.
    pub(crate) color: Option<Color>,
    pub(crate) outbox: Outbox,
    /// The last round trip that the server measured, in milliseconds.
    pub(crate) round_trip: Arc<AtomicU32>,
}

/// The connections of a game, and the times since which players are gone.
#[derive(Debug)]
pub(crate) struct Subscribers {
    list: Vec<Subscriber>,
    gone_since: [Option<u64>; 2],
}

impl Subscribers {
    pub(crate) fn new(now: u64) -> Subscribers {
        Subscribers { list: Vec::new(), gone_since: [Some(now); 2] }
    }

    /// Adds a subscriber.
    pub(crate) fn join(&mut self, subscriber: Subscriber) {
        if let Some(color) = subscriber.color {
            self.gone_since[color as usize] = None;
        }
        self.list.push(subscriber);
    }

    /// Removes a subscriber. Returns whether it existed.
    pub(crate) fn leave(&mut self, id: u64, now: u64) -> bool {
        let before = self.list.len();
        self.list.retain(|subscriber| subscriber.id != id);
        self.update_gone_since(now);
        self.list.len() < before
    }

    fn update_gone_since(&mut self, now: u64) {
        for color in Color::ALL {
            let present = self.list.iter().any(|subscriber| subscriber.color == Some(color));
            let since = &mut self.gone_since[color as usize];
            if !present && since.is_none() {
                *since = Some(now);
            }
        }
    }

    /// Sends a message to all. Subscribers with a full channel are dropped and will reconnect.
    pub(crate) fn send(&mut self, now: u64, message: impl Fn(Option<Color>) -> Utf8Bytes) {
        let before = self.list.len();
        self.list.retain(|subscriber| subscriber.outbox.try_send(message(subscriber.color)));
        if self.list.len() < before {
            self.update_gone_since(now);
        }
    }

    /// Sends a message to one subscriber.
    pub(crate) fn send_to(&mut self, id: u64, message: Utf8Bytes) {
        if let Some(subscriber) = self.list.iter().find(|subscriber| subscriber.id == id) {
            subscriber.outbox.try_send(message);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the number of spectators. A person with several connections counts once; nothing
    /// tells whose connections without a session are, so each of them counts.
    pub(crate) fn spectators(&self) -> u32 {
        let connections = self.list.iter().filter(|subscriber| subscriber.color.is_none());
        let (people, strangers): (Vec<_>, Vec<_>) =
            connections.map(|subscriber| subscriber.person).partition(Option::is_some);
        let people: HashSet<_> = people.into_iter().collect();
        (people.len() + strangers.len()) as u32
    }

    /// Returns since when a player has no connection, if so.
    pub(crate) fn gone_since(&self, color: Color) -> Option<u64> {
        self.gone_since[color as usize]
    }

    /// Counts the absence of players from now on, because an outage kept them away. Returns whether
    /// anybody is absent.
    pub(crate) fn restart_absences(&mut self, now: u64) -> bool {
        for since in self.gone_since.iter_mut().flatten() {
            *since = now;
        }
        self.gone_since.iter().any(Option::is_some)
    }

    /// Records that a player acted over HTTP: a player without a connection counts as gone only
    /// since then. Returns whether the player has no connection.
    pub(crate) fn record_action(&mut self, color: Color, now: u64) -> bool {
        let since = &mut self.gone_since[color as usize];
        *since = since.map(|_| now);
        since.is_some()
    }

    /// Returns a player's round trip, the longest of their connections, in milliseconds.
    pub(crate) fn round_trip(&self, color: Color) -> u64 {
        let of_player = self.list.iter().filter(|subscriber| subscriber.color == Some(color));
        let longest =
            of_player.map(|subscriber| subscriber.round_trip.load(Ordering::Relaxed)).max();
        u64::from(longest.unwrap_or(0))
    }

    /// Returns the presence as clients see it.
    pub(crate) fn presence(&self, state: &GameState) -> Presence {
        let present = |color: Color| self.gone_since[color as usize].is_none();
        let claims = Color::ALL.into_iter().filter_map(|color| {
            // Neither player can claim while both are gone.
            let since = self.gone_since(color).filter(|_| present(!color))?;
            decision::claim_at(state, since)
        });
        Presence {
            connected: ByColor { silver: present(Color::Silver), red: present(Color::Red) },
            spectators: self.spectators(),
            claim_at: claims.min(),
        }
    }
}

#[cfg(test)]
mod tests {
    use khet::Color;

    use super::Subscribers;

    #[test]
    fn time_of_an_outage_does_not_count_as_absence() {
        let mut subscribers = Subscribers::new(1000);
        assert!(subscribers.restart_absences(70_000));
        assert_eq!(subscribers.gone_since(Color::Silver), Some(70_000));
    }
}
