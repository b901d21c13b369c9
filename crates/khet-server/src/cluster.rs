//! Several nodes on one PostgreSQL database: which of them owns a game, and how they talk.
//!
//! Games are divided into [shards](Shard). The table `leases` names the owner of each shard and an
//! epoch, which rises with each new owner; the table `nodes` says until when a node's leases are
//! valid, by the clock of the database.
//!
//! - **Fencing.** Each transaction that appends events reads the leases of its games and locks them
//!   against changes. It fails if this node no longer owns them with the epoch under which the game
//!   was loaded. So a node that was paused or cut off can never write again what it has lost.
//! - **Takeover.** When a node does not renew, the others take its leases after
//!   [`LEASE_TIME`](lease_task::LEASE_TIME), read its games in progress, and credit the clocks with
//!   the time since it last renewed.
//! - **Forwarding.** A node that does not own a game passes subscriptions, actions and requests on to the
//!   owner over NATS, and the messages of the game back to its clients ([`links`]).
//! - **Announcements.** Each node announces its part of the lobby, and notices to people, to all others.
//!   The owner of [`Shard::LOBBY`] pairs seeks, and stores the new games with ids of all shards.
//! - **Outages of NATS.** A node that alone has no connection hands its games over to the others. If NATS is
//!   down, the players at the owner of a game play on, and no clock counts the time of the outage.
//!
//! NATS may lose messages. Nothing that must not be lost depends on it: events are read from the database
//! by clients that reconnect, the lobby is announced again and again, and the sessions that have ended
//! are read from the database.
//!
//! | module | content |
//! |---|---|
//! | `shard`, `node_id`, `ownership` | shards, nodes, who owns what |
//! | `lease_task` | renews, takes and releases leases |
//! | `bus`, `messages` | the connection to NATS, and what nodes say |
//! | `links` | subscriptions to games of other nodes |
//! | `requests` | handles requests and announcements of other nodes |
//! | `announcements`, `live_games` | announces the lobby and the games to watch |
//! | `revocations` | closes connections whose session was ended at another node |

mod announcements;
mod bus;
mod lease_task;
mod links;
mod live_games;
mod messages;
mod node_id;
mod ownership;
mod requests;
mod revocations;
mod shard;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use khet_protocol::{
    Action, ActionAck, ApiError, Challenge, ChallengeId, ErrorCode, GameId, PersonId,
    ReviewProgress, SeekId,
};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use self::bus::{Bus, unreachable};
#[cfg(test)]
pub(crate) use self::lease_task::LEASE_TIME;
use self::links::Links;
pub(crate) use self::links::NodeOutbox;
use self::live_games::NodeGames;
use self::messages::{
    ANNOUNCEMENTS, Announcement, AnnouncementContent, NodeFrame, NodeRequest, NodeResponse,
    NodeResult, request_subject,
};
pub(crate) use self::node_id::NodeId;
use self::ownership::Ownership;
pub(crate) use self::ownership::{Fence, ShardOwner};
pub(crate) use self::shard::Shard;
use crate::games::{GameSnapshot, Outbox, Subscriber};
use crate::notices::Notice;
use crate::random;
use crate::server_state::ServerState;
use crate::storage::{LeaseStore, StorageError};
use crate::time::Time;

/// Longest time for the connections for leases to close when the server stops.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// Number of ids that are drawn in search of one whose shard has an owner.
const MAX_DRAWS: usize = 32;
/// Number of attempts to let the owner of a new game load it, and the pause between them.
const LOAD_ATTEMPTS: usize = 5;
const LOAD_PAUSE: Duration = Duration::from_secs(1);

/// This node's part of the cluster.
pub(crate) struct Cluster {
    node: NodeId,
    leases: LeaseStore,
    ownership: Ownership,
    /// `None` if the server was started without NATS.
    bus: Option<Bus>,
    links: Links,
    live_games: NodeGames,
    leases_changed: Notify,
    health: Mutex<NodeHealth>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

/// State of this node at the last step of its lease task.
#[derive(Clone, Copy, Debug)]
struct NodeHealth {
    /// When the leases were last renewed.
    renewed: Instant,
    /// This node alone has lost NATS.
    is_cut_off: bool,
}

/// The nodes that may get a new game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GamePlace {
    /// This one, where one of the players is connected.
    ThisNode,
    /// Any, because this one starts the games of players at all nodes.
    AnyNode,
}

/// Error of joining a cluster.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The address of NATS is wrong.
    #[error("NATS: {0}")]
    Nats(String),
}

impl Cluster {
    /// Prepares a node with this name. It owns nothing until [`join`] is called.
    pub(crate) async fn new(
        leases: LeaseStore,
        name: &str,
        nats: &[String],
        time: Time,
    ) -> Result<Cluster, JoinError> {
        let node = NodeId::start(name);
        let bus = if nats.is_empty() {
            None
        } else {
            let prefix = format!("khet.{}", leases.cluster_id().await?);
            let connected = Bus::connect(nats, prefix, node.as_str(), time).await;
            Some(connected.map_err(|error| JoinError::Nats(error.to_string()))?)
        };
        Ok(Cluster {
            node,
            leases,
            ownership: Ownership::default(),
            bus,
            links: Links::default(),
            live_games: NodeGames::default(),
            leases_changed: Notify::new(),
            health: Mutex::new(NodeHealth { renewed: Instant::now(), is_cut_off: false }),
            tasks: Mutex::default(),
        })
    }

    /// Returns the owner of a game.
    pub(crate) fn owner(&self, game: GameId) -> ShardOwner {
        self.ownership.owner(Shard::of(game))
    }

    /// Returns whether a node is the owner of a game, as far as this one knows.
    fn is_owned_by(&self, game: GameId, node: &NodeId) -> bool {
        matches!(self.owner(game), ShardOwner::Other(owner) if owner == *node)
    }

    /// Returns since when players at other nodes can't reach the games of this one, if so.
    pub(crate) fn cut_off_since(&self) -> Option<u64> {
        let since = self.bus.as_ref()?.lost_since()?;
        (!self.ownership.others().is_empty()).then_some(since)
    }

    /// Returns why clients should use another node, if so.
    pub(crate) fn failure(&self) -> Option<&'static str> {
        let health = *self.health.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if health.renewed.elapsed() > lease_task::GIVE_UP_AFTER {
            return Some("this node can't renew its leases");
        }
        health.is_cut_off.then_some("this node alone has no connection to NATS")
    }

    fn set_health(&self, health: NodeHealth) {
        *self.health.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = health;
    }

    /// Returns whether this node owns a shard.
    pub(crate) fn owns(&self, shard: Shard) -> bool {
        self.ownership.owns(shard)
    }

    /// Returns an id for a new game, and the right to write it unless another node owns it.
    pub(crate) fn new_game(&self, place: GamePlace) -> Result<(GameId, Option<Fence>), ApiError> {
        if place == GamePlace::AnyNode && self.bus.as_ref().is_some_and(Bus::is_connected) {
            for _ in 0..MAX_DRAWS {
                let id = GameId::from_number(random::number());
                match self.owner(id) {
                    ShardOwner::Here(fence) => return Ok((id, Some(fence))),
                    ShardOwner::Other(_) => return Ok((id, None)),
                    ShardOwner::Unknown => {}
                }
            }
        }
        let here = self.ownership.here();
        if here.iter().all(|fence| fence.shard >= Shard::LOBBY) {
            return Err(unreachable("this node owns no shard"));
        }
        loop {
            let id = GameId::from_number(random::number());
            if let ShardOwner::Here(fence) = self.owner(id) {
                return Ok((id, Some(fence)));
            }
            // Only if all shards were lost in the meantime.
            if self.ownership.here().is_empty() {
                return Err(unreachable("this node owns no shard"));
            }
        }
    }

    /// Gives the games of shards up: their tasks end, and their clients reconnect.
    fn give_up(&self, server: &ServerState, shards: &BTreeSet<Shard>) {
        // First, so that no game is loaded again.
        self.ownership.remove_here(shards);
        server.games.evict(shards);
    }

    /// Announces something to all other nodes. It may get lost.
    async fn announce(&self, content: AnnouncementContent) {
        if let Some(bus) = &self.bus {
            bus.publish(ANNOUNCEMENTS, &Announcement { from: self.node.clone(), content }).await;
        }
    }

    /// Announces something without waiting.
    fn announce_later(server: &ServerState, content: AnnouncementContent) {
        let server = server.clone();
        tokio::spawn(async move {
            if let Some(cluster) = &server.cluster {
                cluster.announce(content).await;
            }
        });
    }

    /// Sends a request to a node.
    async fn request(&self, node: &NodeId, request: &NodeRequest) -> NodeResult {
        let bus = self.bus.as_ref().ok_or_else(|| unreachable("there is no NATS"))?;
        bus.request::<NodeResult>(&request_subject(node), request).await?
    }

    /// Subscribes a connection of this node to a game of another one.
    pub(crate) async fn join_game(
        &self,
        owner: &NodeId,
        (game, person, seen): (GameId, Option<PersonId>, u32),
        subscriber: Subscriber,
    ) -> Result<(), ApiError> {
        let Subscriber { id, outbox, round_trip, .. } = subscriber;
        let Outbox::Local(outbox) = outbox else {
            return Err(unreachable("the game has moved on"));
        };
        let request = NodeRequest::Join {
            from: self.node.clone(),
            game,
            person,
            seen,
            subscriber: id,
            round_trip: round_trip.load(std::sync::atomic::Ordering::Relaxed),
        };
        // Registered first, because messages may arrive before the response.
        self.links.add_local(owner, (game, id), outbox, round_trip);
        let joined = self.request(owner, &request).await;
        if joined.is_err() {
            self.links.remove_local(id);
        }
        joined.map(drop)
    }

    /// Passes an action of a subscriber of this node on, who gets the result as a message. `None`
    /// if the subscriber's game is not at another node.
    pub(crate) fn act_as_subscriber(
        &self,
        subscriber: u64,
        (game, person): (GameId, PersonId),
        (key, action): (u32, Action),
    ) -> Option<Result<(), ApiError>> {
        let (owner, round_trip) = self.links.local(subscriber)?;
        let bus = self.bus.as_ref()?;
        let frame = NodeFrame::Action { game, person, key, action, subscriber, round_trip };
        let is_sent = bus.is_connected() && self.links.try_send(&self.node, bus, &owner, frame);
        Some(if is_sent { Ok(()) } else { Err(unreachable("the link is broken")) })
    }

    /// Ends the subscription of a connection of this node to a game of another one. Returns whether
    /// there was one.
    pub(crate) fn leave_game(&self, subscriber: u64) -> bool {
        let Some(owner) = self.links.remove_local(subscriber) else { return false };
        if let Some(bus) = &self.bus {
            self.links.send(&self.node, bus, &owner, NodeFrame::Leave { subscriber });
        }
        true
    }

    /// Performs an action in a game of another node.
    pub(crate) async fn act(
        &self,
        owner: &NodeId,
        (game, person): (GameId, PersonId),
        (key, action): (u32, Action),
    ) -> Result<ActionAck, ApiError> {
        match self.request(owner, &NodeRequest::Act { game, person, key, action }).await? {
            NodeResponse::Acted(ack) => Ok(ack),
            _ => Err(unexpected()),
        }
    }

    /// Returns the state of a game of another node.
    pub(crate) async fn snapshot(
        &self,
        owner: &NodeId,
        game: GameId,
    ) -> Result<GameSnapshot, ApiError> {
        match self.request(owner, &NodeRequest::Snapshot { game }).await? {
            NodeResponse::Snapshot(snapshot) => Ok(*snapshot),
            _ => Err(unexpected()),
        }
    }

    /// Returns the progress of a review at another node. `None` if it is not in the queue there.
    pub(crate) async fn review_progress(
        &self,
        owner: &NodeId,
        game: GameId,
    ) -> Result<Option<ReviewProgress>, ApiError> {
        match self.request(owner, &NodeRequest::ReviewProgress { game }).await? {
            NodeResponse::ReviewProgress(progress) => Ok(progress),
            _ => Err(unexpected()),
        }
    }

    /// Requests a review from another node.
    pub(crate) async fn request_review(
        &self,
        owner: &NodeId,
        game: GameId,
    ) -> Result<ReviewProgress, ApiError> {
        match self.request(owner, &NodeRequest::Review { game }).await? {
            NodeResponse::ReviewProgress(Some(progress)) => Ok(progress),
            _ => Err(unexpected()),
        }
    }

    /// Hides the chat messages of a person in the games of all other nodes.
    pub(crate) async fn hide_chat(&self, person: PersonId) -> Result<(), ApiError> {
        for node in self.ownership.others() {
            self.request(&node, &NodeRequest::HideChat { person }).await?;
        }
        Ok(())
    }

    /// Lets the node that pairs seeks start a game. `None` if that is this node.
    pub(crate) async fn accept_seek(
        &self,
        seek: SeekId,
        person: PersonId,
    ) -> Option<Result<GameId, ApiError>> {
        let owner = match self.ownership.owner(Shard::LOBBY) {
            ShardOwner::Here(_) => return None,
            ShardOwner::Other(owner) => owner,
            ShardOwner::Unknown => return Some(Err(unreachable("nobody owns the lobby"))),
        };
        let response = self.request(&owner, &NodeRequest::AcceptSeek { seek, person }).await;
        Some(response.and_then(|response| match response {
            NodeResponse::GameStarted(game) => Ok(game),
            _ => Err(unexpected()),
        }))
    }

    /// Returns the games of other nodes that may be worth watching.
    pub(crate) fn games_of_other_nodes(&self) -> Vec<(GameId, crate::games::LiveGameInfo)> {
        self.live_games.all()
    }
}

/// Announces a notice to a person's connections at other nodes.
pub(crate) fn announce_notice(server: &ServerState, person: PersonId, notice: Notice) {
    if server.cluster.is_some() {
        Cluster::announce_later(server, AnnouncementContent::Notice { person, notice });
    }
}

/// Lets the owner of a stored game load it, without waiting. If that fails, the first player who joins
/// loads it.
pub(crate) fn load_game_later(server: &ServerState, game: GameId) {
    let server = server.clone();
    tokio::spawn(async move {
        let Some(cluster) = &server.cluster else { return };
        for _ in 0..LOAD_ATTEMPTS {
            let loaded = match cluster.owner(game) {
                ShardOwner::Here(_) => server.games.load_here(&server, game).await,
                ShardOwner::Other(node) => {
                    cluster.request(&node, &NodeRequest::Load { game }).await.map(drop)
                }
                ShardOwner::Unknown => Err(unreachable("the game has no owner")),
            };
            match loaded {
                Ok(()) => return,
                Err(error) => tracing::debug!(%game, %error, "could not load a new game"),
            }
            tokio::time::sleep(LOAD_PAUSE).await;
        }
    });
}

/// Announces a new challenge to the other nodes.
pub(crate) fn announce_challenge(server: &ServerState, challenge: &Challenge) {
    if server.cluster.is_some() {
        let challenge = Box::new(challenge.clone());
        Cluster::announce_later(server, AnnouncementContent::ChallengeAdded(challenge));
    }
}

/// Announces to the other nodes that a challenge is no longer open.
pub(crate) fn announce_removed_challenge(server: &ServerState, id: ChallengeId) {
    if server.cluster.is_some() {
        Cluster::announce_later(server, AnnouncementContent::ChallengeRemoved(id));
    }
}

/// Joins the cluster: takes free leases, resumes their games, and starts the tasks.
pub(crate) async fn join(server: &ServerState) -> Result<(), JoinError> {
    let Some(cluster) = &server.cluster else { return Ok(()) };
    let mut tasks = Vec::new();
    if let Some(bus) = &cluster.bus {
        let listening = requests::listen(server, cluster, bus).await;
        tasks.extend(listening.map_err(|error| JoinError::Nats(error.to_string()))?);
    }
    lease_task::start(server).await?;
    tasks.push(tokio::spawn(lease_task::run(server.clone())));
    tasks.push(tokio::spawn(announcements::run(server.clone())));
    tasks.push(tokio::spawn(revocations::run(server.clone())));
    tasks.push(tokio::spawn(crate::lobby::pair_seeks(server.clone())));
    *cluster.tasks.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = tasks;
    Ok(())
}

/// Hands everything over to the other nodes. The games of this node have ended their tasks.
pub(crate) async fn leave(server: &ServerState) {
    let Some(cluster) = &server.cluster else { return };
    let tasks =
        std::mem::take(&mut *cluster.tasks.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    for task in tasks {
        task.abort();
    }
    if let Err(error) = cluster.leases.leave(&cluster.node, server.time.now()).await {
        tracing::warn!(%error, "could not release the leases; they expire");
    }
    cluster.announce(AnnouncementContent::LeasesChanged).await;
    if tokio::time::timeout(CLOSE_TIMEOUT, cluster.leases.close()).await.is_err() {
        tracing::warn!("the connections for leases did not close in time");
    }
}

/// Returns the error for a response that does not fit the request.
fn unexpected() -> ApiError {
    ApiError::new(ErrorCode::Internal, "another server gave an unexpected answer")
}
