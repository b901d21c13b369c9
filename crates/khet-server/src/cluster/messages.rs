//! The messages between nodes. They are JSON, so that nodes of two versions understand each other
//! during an upgrade: unknown fields and unknown announcements are ignored, and unknown requests are refused.
//! An unknown frame is lost with its batch, which ends the subscriptions between both nodes, so a new kind
//! of frame is sent only by the version after the one that reads it, or when that does not matter.

use khet_protocol::{
    Action, ActionAck, ApiError, Challenge, ChallengeId, GameId, PersonId, ReviewProgress, SeekId,
};
use serde::{Deserialize, Serialize};

use super::NodeId;
use crate::games::{GameSnapshot, LiveGameInfo};
use crate::lobby::NodeLobby;
use crate::notices::Notice;

/// The subject of announcements to all nodes.
pub(super) const ANNOUNCEMENTS: &str = "announcements";

/// Returns the subject of requests to a node.
pub(super) fn request_subject(node: &NodeId) -> String {
    format!("requests.{node}")
}

/// Returns the subject of frames to a node.
pub(super) fn frame_subject(node: &NodeId) -> String {
    format!("frames.{node}")
}

/// A message to all nodes.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Announcement {
    pub(super) from: NodeId,
    pub(super) content: AnnouncementContent,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AnnouncementContent {
    /// Leases were released or taken.
    LeasesChanged,
    /// The part of the lobby that the sender's connections make up. It is sent whenever it changes,
    /// and now and then, so that a lost message is replaced soon.
    Lobby(Box<NodeLobby>),
    /// The sender's games in progress that may be worth watching.
    LiveGames(Vec<(GameId, LiveGameInfo)>),
    /// A notice to a person, wherever connected.
    Notice {
        person: PersonId,
        notice: Notice,
    },
    ChallengeAdded(Box<Challenge>),
    ChallengeRemoved(ChallengeId),
}

/// A request to another node. The response is a `Result<NodeResponse, ApiError>`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum NodeRequest {
    /// Subscribes a connection of the sender to a game. Messages to it come as frames.
    Join {
        from: NodeId,
        game: GameId,
        person: Option<PersonId>,
        seen: u32,
        subscriber: u64,
        round_trip: u32,
    },
    /// Performs an action that came over HTTP.
    Act {
        game: GameId,
        person: PersonId,
        key: u32,
        action: Action,
    },
    Snapshot {
        game: GameId,
    },
    /// Loads a game that the sender has stored.
    Load {
        game: GameId,
    },
    /// Returns the progress of the review of a game.
    ReviewProgress {
        game: GameId,
    },
    /// Reviews a finished game.
    Review {
        game: GameId,
    },
    /// Hides the chat messages of a person in all games in memory.
    HideChat {
        person: PersonId,
    },
    /// Starts a game with the author of a seek.
    AcceptSeek {
        seek: SeekId,
        person: PersonId,
    },
}

/// The response to a [`NodeRequest`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum NodeResponse {
    Done,
    Acted(ActionAck),
    Snapshot(Box<GameSnapshot>),
    /// The progress of a review, if it is in the queue.
    ReviewProgress(Option<ReviewProgress>),
    GameStarted(GameId),
}

/// The response to a request of another node.
pub(super) type NodeResult = Result<NodeResponse, ApiError>;

/// Frames of one node to another, in order. The receiver finds out by the number whether a batch was
/// lost.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FrameBatch {
    pub(super) from: NodeId,
    /// The task that sends. Its batches are numbered from 1.
    pub(super) link: u64,
    /// The number of this batch. Without frames, which is a heartbeat, that of the last batch.
    pub(super) number: u64,
    pub(super) frames: Vec<NodeFrame>,
}

/// A message of a game to connections of another node, or back.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum NodeFrame {
    /// A message to subscribers.
    Message { to: Vec<u64>, text: String },
    /// The beginning of a message that is too long for one batch. The next `Message` is its end.
    MessagePart { text: String },
    /// The game has dropped a subscriber.
    Dropped { subscriber: u64 },
    /// An action of a subscriber, who gets the result as a message.
    Action {
        game: GameId,
        person: PersonId,
        key: u32,
        action: Action,
        subscriber: u64,
        round_trip: u32,
    },
    /// A subscriber has left.
    Leave { subscriber: u64 },
    /// The sender has lost frames, so all subscriptions between both nodes end.
    Reset,
}
