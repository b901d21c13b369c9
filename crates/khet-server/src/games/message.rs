//! Messages to the task of a game.

use khet_protocol::{
    Action, ActionAck, ApiError, ByColor, Event, PersonId, Presence, PublicProfile,
};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::subscribers::Subscriber;

/// A message to a game, with the time at which the server received it. A busy game handles it
/// later, but the time counts for the clocks.
#[derive(Debug)]
pub(crate) struct ArrivedMessage {
    pub(crate) arrived: u64,
    pub(crate) message: Message,
}

/// A message to a game.
#[derive(Debug)]
pub(crate) enum Message {
    /// Adds a subscriber, who receives all events after number `seen`. The game sets the colour.
    Join {
        person: Option<PersonId>,
        seen: u32,
        players: Box<ByColor<PublicProfile>>,
        subscriber: Subscriber,
    },
    /// Removes a subscriber.
    Leave { id: u64 },
    /// Performs an action of a person.
    Action { person: PersonId, key: u32, action: Action, reply: Reply },
    /// Gives the player to move the time of an outage back.
    CreditOutage { since: u64 },
    /// Hides the chat messages of a person who has deleted the account.
    HideChat { person: PersonId, done: oneshot::Sender<()> },
    /// Returns the current state.
    Snapshot { players: Box<ByColor<PublicProfile>>, answer: oneshot::Sender<GameSnapshot> },
    /// Stops the task, because the server stops.
    Stop,
}

/// The recipient of an action's result.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A subscriber, as a message.
    Subscriber(u64),
    /// A request.
    Request(oneshot::Sender<Result<ActionAck, ApiError>>),
}

/// The state of a game at one time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameSnapshot {
    pub(crate) players: ByColor<PublicProfile>,
    pub(crate) events: Vec<Event>,
    pub(crate) presence: Presence,
}
