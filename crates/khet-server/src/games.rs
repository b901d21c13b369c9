//! Live games: lookup, start, resumption.
//!
//! Every game in progress has a task, its [actor](self::actor), from the server's start on. A
//! finished game gets one while clients view it, chat, or ask for a rematch.

mod actor;
pub(crate) mod decision;
pub(crate) mod http;
mod in_progress;
mod lag;
mod live_game_info;
mod message;
mod outgoing;
mod profile_cache;
mod subscribers;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use futures_util::future;
use khet_protocol::{
    Action, ActionAck, ApiError, ByColor, ChallengeId, ErrorCode, Event, EventKind, GameId,
    GameStart, GameState, PersonId, PersonKind, PublicProfile,
};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

use self::actor::{Actor, StopReason};
use self::in_progress::GamesInProgress;
pub(crate) use self::live_game_info::LiveGameInfo;
use self::message::ArrivedMessage;
pub(crate) use self::message::{GameSnapshot, Message, Reply};
pub(crate) use self::outgoing::to_json;
use self::profile_cache::ProfileCache;
pub(crate) use self::subscribers::{Outbox, Subscriber};
use crate::cluster::{self, Fence, GamePlace, NodeId, Shard, ShardOwner};
use crate::error_response::storage_error;
use crate::lobby::StartingGame;
use crate::notices::Notice;
use crate::people;
use crate::random;
use crate::server_state::ServerState;
use crate::storage::{ClaimedLease, StorageError, Store, StoredGame};
use crate::time::Time;

/// Number of messages that may wait for a busy game.
const MAILBOX_CAPACITY: usize = 64;

/// All games in memory, and access to those on disk.
pub(crate) struct Games {
    store: Store,
    time: Time,
    tasks: Mutex<HashMap<GameId, RegistryEntry>>,
    /// Held while a game is loaded, so that it gets only one task.
    reading: tokio::sync::Mutex<()>,
    in_progress: GamesInProgress,
    /// The id of the next subscriber of any game.
    next_subscriber: AtomicU64,
}

#[derive(Clone)]
struct RegistryEntry {
    mailbox: mpsc::Sender<ArrivedMessage>,
    info: Arc<Mutex<LiveGameInfo>>,
    profiles: Arc<ProfileCache>,
    task: AbortHandle,
    /// The right with which the task writes the game, if there are several nodes.
    fence: Option<Fence>,
}

impl RegistryEntry {
    fn info(&self) -> LiveGameInfo {
        self.info.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

impl Games {
    pub(crate) fn new(store: Store, time: Time) -> Games {
        Games {
            store,
            time,
            tasks: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
            in_progress: GamesInProgress::default(),
            // Other nodes know subscribers by their ids, too.
            next_subscriber: AtomicU64::new(u64::from_le_bytes(random::bytes()) >> 16),
        }
    }

    /// Locks the tasks.
    fn tasks(&self) -> MutexGuard<'_, HashMap<GameId, RegistryEntry>> {
        self.tasks.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns a new id for a subscriber.
    pub(crate) fn next_subscriber_id(&self) -> u64 {
        self.next_subscriber.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns whether any game is in progress.
    pub(crate) fn any_in_progress(&self) -> bool {
        self.in_progress.total() > 0
    }

    /// Returns the number of games in progress.
    pub(crate) fn count_in_progress(&self) -> usize {
        self.in_progress.total()
    }

    /// Returns the number of a person's games in progress.
    pub(crate) async fn count_of(
        &self,
        server: &ServerState,
        person: PersonId,
    ) -> Result<usize, StorageError> {
        if server.cluster.is_none() {
            return Ok(self.in_progress.of(person));
        }
        // Other nodes have games of the person, too.
        Ok(self.store.unfinished_games_of(person).await?.len())
    }

    /// Returns one of these people who has reached the limit with games of all nodes. Always `None` without a
    /// cluster.
    async fn busy_in_cluster(
        &self,
        server: &ServerState,
        limits: [(PersonId, usize); 2],
    ) -> Result<Option<PersonId>, StorageError> {
        if server.cluster.is_some() {
            for (person, limit) in limits {
                if self.count_of(server, person).await? >= limit {
                    return Ok(Some(person));
                }
            }
        }
        Ok(None)
    }

    /// Counts the end of a game in progress.
    fn game_ended(&self, players: [PersonId; 2]) {
        self.in_progress.remove(players);
    }

    /// Starts the tasks of all games in progress, and credits their clocks with the time since the
    /// server was last `alive`. Returns the number of games.
    pub(crate) async fn resume_all(
        &self,
        server: &ServerState,
        alive: Option<u64>,
    ) -> Result<usize, StorageError> {
        let stored = self.store.unfinished_games().await?;
        let games: Vec<_> = stored.into_iter().filter_map(fold_stored).collect();
        // Reading many games takes time, in which nobody can move either.
        let now = self.time.now();
        let away = alive.map_or(0, |alive| now.saturating_sub(alive));
        let credited = games.into_iter().map(|game| self.credit(game, away, now, None));
        let mut count = 0;
        for game in future::join_all(credited).await {
            let (id, state, events) = game?;
            let game = OwnedGame { id, state, events, fence: None };
            self.spawn(server, game, &mut self.tasks(), CountedGame::No);
            count += 1;
        }
        tracing::info!(games = count, away, "resumed the games in progress");
        Ok(count)
    }

    /// Starts the tasks of the games in progress of shards that this node has taken, and credits their
    /// clocks with the time in which nobody owned them. Returns the number of games.
    pub(crate) async fn resume_claimed(
        &self,
        server: &ServerState,
        claimed: &[ClaimedLease],
    ) -> Result<usize, StorageError> {
        let claimed: BTreeMap<Shard, ClaimedLease> =
            claimed.iter().map(|&lease| (lease.fence.shard, lease)).collect();
        let mut ids = self.store.unfinished_game_ids().await?;
        ids.retain(|id| claimed.contains_key(&Shard::of(*id)));
        let stored = self.store.games(&ids).await?;
        let games: Vec<_> = stored.into_iter().filter_map(fold_stored).collect();
        let now = self.time.now();
        let credited = games.into_iter().map(|game| async {
            let lease = claimed[&Shard::of(game.0)];
            let away = lease.since.map_or(0, |since| now.saturating_sub(since));
            let credited = self.credit(game, away, now, Some(lease.fence)).await?;
            Ok::<_, StorageError>((credited, lease.fence))
        });
        let mut count = 0;
        for game in future::join_all(credited).await {
            let ((id, state, events), fence) = game?;
            let game = OwnedGame { id, state, events, fence: Some(fence) };
            self.spawn(server, game, &mut self.tasks(), CountedGame::No);
            count += 1;
        }
        Ok(count)
    }

    /// Gives the players of all games of this node the time of an outage back, in which some of them
    /// could not reach it.
    pub(crate) fn credit_outage(&self, since: u64) {
        let mailboxes: Vec<_> = self.tasks().values().map(|entry| entry.mailbox.clone()).collect();
        let arrived = self.time.now();
        let message = || ArrivedMessage { arrived, message: Message::CreditOutage { since } };
        let is_full = |mailbox: &mpsc::Sender<_>| {
            matches!(mailbox.try_send(message()), Err(mpsc::error::TrySendError::Full(_)))
        };
        for mailbox in mailboxes.into_iter().filter(is_full) {
            let message = message();
            tokio::spawn(async move { mailbox.send(message).await });
        }
    }

    /// Ends the tasks of all games of shards that another node owns from now on, and the subscriptions to
    /// them. What the tasks are writing fails, unless it is committed before the other node reads.
    pub(crate) fn evict(&self, shards: &BTreeSet<Shard>) {
        let evicted: Vec<RegistryEntry> = {
            let mut tasks = self.tasks();
            let (evicted, kept) = tasks
                .drain()
                .partition::<HashMap<_, _>, _>(|(id, _)| shards.contains(&Shard::of(*id)));
            *tasks = kept;
            evicted.into_values().collect()
        };
        for entry in evicted {
            self.abort(&entry);
        }
    }

    /// Ends a task whose entry was removed.
    fn abort(&self, entry: &RegistryEntry) {
        entry.task.abort();
        let info = entry.info();
        if !info.over {
            self.in_progress.remove([info.started.silver, info.started.red]);
        }
        metrics::gauge!("khet_games_live").decrement(1);
    }

    /// Credits the clocks of a stored game.
    async fn credit(
        &self,
        (id, mut state, mut events): LoadedGame,
        away: u64,
        now: u64,
        fence: Option<Fence>,
    ) -> Result<LoadedGame, StorageError> {
        if away > 0 && state.outcome().is_none() && state.clock().is_some() {
            let last = events.last().map_or(0, |event| event.at);
            // Time before the last event does not count on the clock.
            let time = away.min(now.saturating_sub(last));
            let number = state.last_event_number() + 1;
            let credit = Event { number, at: now.max(last), kind: EventKind::Credited { time } };
            if state.apply(&credit).is_ok() {
                events.extend(self.store.append(id, vec![credit], None, fence).await?);
            }
        }
        Ok((id, state, events))
    }

    /// Starts a game and notifies both players. They are not paired with others until it has started.
    ///
    /// It runs in a task of its own, so that a stored game gets its actor even if the caller stops
    /// waiting.
    pub(crate) async fn create(
        &self,
        server: &ServerState,
        started: GameStart,
        challenge: Option<ChallengeId>,
        starting: StartingGame,
    ) -> Result<GameId, ApiError> {
        self.create_at(GamePlace::ThisNode, server, started, challenge, starting).await
    }

    /// Starts a game at this or another node.
    pub(crate) async fn create_at(
        &self,
        place: GamePlace,
        server: &ServerState,
        started: GameStart,
        challenge: Option<ChallengeId>,
        starting: StartingGame,
    ) -> Result<GameId, ApiError> {
        let server = server.clone();
        let creating = tokio::spawn(async move {
            let created = server.games.create_now(place, &server, started, challenge).await;
            drop(starting);
            created
        });
        creating
            .await
            .unwrap_or_else(|error| Err(ApiError::new(ErrorCode::Internal, error.to_string())))
    }

    /// Creates a game, ends the players' seeks, and notifies the players.
    async fn create_now(
        &self,
        place: GamePlace,
        server: &ServerState,
        started: GameStart,
        challenge: Option<ChallengeId>,
    ) -> Result<GameId, ApiError> {
        let people = [started.silver, started.red];
        let mut limits = [(started.silver, 0), (started.red, 0)];
        for (person, limit) in &mut limits {
            *limit = games_limit(server, *person).await.map_err(|error| storage_error(&error))?;
        }
        let busy = match self.busy_in_cluster(server, limits).await {
            Ok(None) => self.in_progress.add(limits).err(),
            Ok(busy) => busy,
            Err(error) => return Err(storage_error(&error)),
        };
        if let Some(person) = busy {
            // Otherwise everybody who seeks would be paired with this person in vain.
            server.lobby.remove_seeks_of([person, person]);
            return Err(too_many_games());
        }
        let stored = self.store_and_spawn(place, server, started, challenge).await;
        if stored.is_err() {
            self.in_progress.remove(people);
        }
        let game = stored?;
        server.lobby.remove_seeks_of(people);
        server.lobby.counts_changed();
        for person in people {
            server.notify(person, Notice::GameStarted { game, challenge });
        }
        Ok(game)
    }

    /// Stores a new game and starts its task, here or at the node that owns it.
    async fn store_and_spawn(
        &self,
        place: GamePlace,
        server: &ServerState,
        started: GameStart,
        challenge: Option<ChallengeId>,
    ) -> Result<GameId, ApiError> {
        let (id, fence) = match &server.cluster {
            None => (GameId::from_number(random::number()), None),
            Some(cluster) => cluster.new_game(place)?,
        };
        let players = [started.silver, started.red];
        let first =
            Event { number: 1, at: self.time.now(), kind: EventKind::Started(Box::new(started)) };
        let state = GameState::begin(&first)
            .map_err(|error| ApiError::new(ErrorCode::Invalid, error.to_string()))?;
        match challenge {
            None => self.store.start_game(id, first.clone()).await,
            Some(challenge) => {
                let accepted = self.store.accept_challenge(challenge, id, first.clone()).await;
                // After an error the challenge is still open.
                if accepted.is_ok() {
                    server.lobby.remove(challenge);
                    cluster::announce_removed_challenge(server, challenge);
                }
                match accepted {
                    Ok(false) => {
                        return Err(ApiError::new(
                            ErrorCode::Taken,
                            "the challenge is no longer open",
                        ));
                    }
                    Ok(true) => Ok(()),
                    Err(error) => Err(error),
                }
            }
        }
        .map_err(|error| storage_error(&error))?;
        let game = OwnedGame { id, state, events: vec![first], fence };
        if self.spawn_if_owner(server, game, CountedGame::Yes).is_none() {
            self.in_progress.remove(players);
            cluster::load_game_later(server, id);
        }
        metrics::counter!("khet_games_started_total").increment(1);
        Ok(id)
    }

    /// Starts the task of a game, unless this node has lost the right to write it.
    fn spawn_if_owner(
        &self,
        server: &ServerState,
        game: OwnedGame,
        counted: CountedGame,
    ) -> Option<RegistryEntry> {
        // Locked before the check: a shard that is lost afterwards is evicted with this task.
        let mut tasks = self.tasks();
        if let Some(cluster) = &server.cluster {
            let fence = game.fence?;
            if cluster.owner(game.id) != ShardOwner::Here(fence) {
                return None;
            }
        }
        Some(self.spawn(server, game, &mut tasks, counted))
    }

    /// Starts the task of a game, unless it has one. The tasks are locked until it is registered, so that it
    /// does not end before.
    fn spawn(
        &self,
        server: &ServerState,
        game: OwnedGame,
        tasks: &mut HashMap<GameId, RegistryEntry>,
        counted: CountedGame,
    ) -> RegistryEntry {
        let (id, fence) = (game.id, game.fence);
        let GameStart { silver, red, .. } = *game.state.start();
        if let Some(entry) = tasks.get(&id).filter(|entry| entry.fence == fence) {
            // It was found between being stored and being started, and counted by then.
            if counted == CountedGame::Yes {
                self.in_progress.remove([silver, red]);
            }
            return entry.clone();
        }
        if let Some(stale) = tasks.remove(&id) {
            self.abort(&stale);
        }
        if counted == CountedGame::No && game.state.outcome().is_none() {
            // Limits do not end games that have started.
            let _ = self.in_progress.add([(silver, usize::MAX), (red, usize::MAX)]);
        }
        let (mailbox, mut messages) = mpsc::channel(MAILBOX_CAPACITY);
        let info = Arc::new(Mutex::new(LiveGameInfo::of(&game.state, 0)));
        let profiles = Arc::new(ProfileCache::default());
        let (shared_info, shared_profiles) = (Arc::clone(&info), Arc::clone(&profiles));
        let server = server.clone();
        let task = tokio::spawn(async move {
            let own_info = Arc::clone(&shared_info);
            let mut actor = Actor::new(server.clone(), game, shared_info, shared_profiles);
            let ended = actor.run(&mut messages).await;
            drop(actor);
            server.games.retire(&server, id, &own_info, messages, ended).await;
        });
        let entry = RegistryEntry { mailbox, info, profiles, task: task.abort_handle(), fence };
        tasks.insert(id, entry.clone());
        metrics::gauge!("khet_games_live").increment(1);
        entry
    }

    /// Removes a task that has ended. Messages that it did not read go to its successor.
    async fn retire(
        &self,
        server: &ServerState,
        id: GameId,
        info: &Arc<Mutex<LiveGameInfo>>,
        mut messages: mpsc::Receiver<ArrivedMessage>,
        ended: StopReason,
    ) {
        messages.close();
        {
            let mut tasks = self.tasks();
            if !tasks.get(&id).is_some_and(|entry| Arc::ptr_eq(&entry.info, info)) {
                // It was evicted at the same time, and may have a successor.
                return;
            }
            tasks.remove(&id);
        }
        metrics::gauge!("khet_games_live").decrement(1);
        match ended {
            StopReason::Unused => {}
            StopReason::ServerStopping => return,
            StopReason::OwnerChanged(players) => {
                if let Some(players) = players {
                    self.in_progress.remove(players);
                }
                return;
            }
        }
        while let Some(delivery) = messages.recv().await {
            let _ = Box::pin(self.deliver(server, id, delivery)).await;
        }
    }

    /// Returns the entry of a game, which is loaded if it is not in memory.
    async fn find(
        &self,
        server: &ServerState,
        id: GameId,
    ) -> Result<Option<RegistryEntry>, StorageError> {
        if let Some(entry) = self.tasks().get(&id) {
            return Ok(Some(entry.clone()));
        }
        let _guard = self.reading.lock().await;
        if let Some(entry) = self.tasks().get(&id) {
            return Ok(Some(entry.clone()));
        }
        let fence = match server.cluster.as_ref().map(|cluster| cluster.owner(id)) {
            None => None,
            Some(ShardOwner::Here(fence)) => Some(fence),
            Some(_) => return Err(StorageError::NotOwner),
        };
        let Some(game) = self.store.game(id).await? else { return Ok(None) };
        let state = GameState::fold(&game.events)
            .map_err(|error| StorageError::Corrupt(format!("game {id}: {error}")))?;
        let game = OwnedGame { id, state, events: game.events, fence };
        let found = self.spawn_if_owner(server, game, CountedGame::No);
        found.map(Some).ok_or(StorageError::NotOwner)
    }

    /// Loads a game of this node.
    pub(crate) async fn load_here(&self, server: &ServerState, id: GameId) -> Result<(), ApiError> {
        let found = self.find(server, id).await.map_err(|error| storage_error(&error))?;
        found.map(drop).ok_or_else(no_such_game)
    }

    /// Returns the node that owns a game. `None` if it is this one.
    pub(crate) fn node_with(
        &self,
        server: &ServerState,
        id: GameId,
    ) -> Result<Option<NodeId>, ApiError> {
        match server.cluster.as_ref().map(|cluster| cluster.owner(id)) {
            None | Some(ShardOwner::Here(_)) => Ok(None),
            Some(ShardOwner::Other(node)) => Ok(Some(node)),
            Some(ShardOwner::Unknown) => Err(unavailable()),
        }
    }

    /// Sends a message to a game of this node, which arrived now.
    pub(crate) async fn send_here(
        &self,
        server: &ServerState,
        id: GameId,
        message: Message,
    ) -> Result<(), ApiError> {
        let arrived = self.time.now();
        self.deliver(server, id, ArrivedMessage { arrived, message }).await
    }

    /// Sends a message to a game that is in the memory of this node, unless too many are waiting.
    pub(crate) fn try_send_here(&self, id: GameId, message: Message) -> Result<(), ApiError> {
        let mailbox = self.tasks().get(&id).map(|entry| entry.mailbox.clone());
        let delivery = ArrivedMessage { arrived: self.time.now(), message };
        mailbox.ok_or_else(unavailable)?.try_send(delivery).map_err(|_| unavailable())
    }

    /// Sends a message to a game.
    async fn deliver(
        &self,
        server: &ServerState,
        id: GameId,
        mut delivery: ArrivedMessage,
    ) -> Result<(), ApiError> {
        // A task may end after it was found; then the message goes to its successor.
        for _ in 0..3 {
            if server.is_stopping() {
                break;
            }
            let entry = self.find(server, id).await.map_err(|error| storage_error(&error))?;
            let Some(entry) = entry else { return Err(no_such_game()) };
            match entry.mailbox.send(delivery).await {
                Ok(()) => return Ok(()),
                Err(mpsc::error::SendError(returned)) => delivery = returned,
            }
            tokio::task::yield_now().await;
        }
        Err(unavailable())
    }

    /// Removes a subscriber from a game.
    pub(crate) async fn leave(&self, server: &ServerState, id: GameId, subscriber: u64) {
        if server.cluster.as_ref().is_none_or(|cluster| !cluster.leave_game(subscriber)) {
            self.leave_here(server, id, subscriber).await;
        }
    }

    /// Removes a subscriber from a game of this node, if the game is in memory.
    pub(crate) async fn leave_here(&self, server: &ServerState, id: GameId, subscriber: u64) {
        let is_loaded = self.tasks().contains_key(&id);
        if is_loaded {
            let _ = self.send_here(server, id, Message::Leave { id: subscriber }).await;
        }
    }

    /// Removes a subscriber from a game of this node without waiting for the game.
    pub(crate) fn leave_soon(&self, id: GameId, subscriber: u64) {
        let Some(mailbox) = self.tasks().get(&id).map(|entry| entry.mailbox.clone()) else {
            return;
        };
        let message = Message::Leave { id: subscriber };
        let leave = ArrivedMessage { arrived: self.time.now(), message };
        if let Err(mpsc::error::TrySendError::Full(leave)) = mailbox.try_send(leave) {
            tokio::spawn(async move { mailbox.send(leave).await });
        }
    }

    /// Performs an action of a subscriber, who gets the result as a message.
    pub(crate) async fn act_as_subscriber(
        &self,
        server: &ServerState,
        subscriber: u64,
        (id, person): (GameId, PersonId),
        (key, action): (u32, Action),
    ) -> Result<(), ApiError> {
        if let Some(cluster) = &server.cluster {
            let sent = cluster.act_as_subscriber(subscriber, (id, person), (key, action.clone()));
            if let Some(sent) = sent {
                return sent;
            }
        }
        let reply = Reply::Subscriber(subscriber);
        self.send_here(server, id, Message::Action { person, key, action, reply }).await
    }

    /// Performs an action in a game, which arrived at this time, and waits for the result.
    pub(crate) async fn act(
        &self,
        server: &ServerState,
        id: GameId,
        person: PersonId,
        action: (u32, Action),
        arrived: u64,
    ) -> Result<ActionAck, ApiError> {
        match (&server.cluster, self.node_with(server, id)?) {
            (Some(cluster), Some(node)) => cluster.act(&node, (id, person), action).await,
            _ => self.act_here(server, id, person, action, arrived).await,
        }
    }

    /// Performs an action in a game of this node.
    pub(crate) async fn act_here(
        &self,
        server: &ServerState,
        id: GameId,
        person: PersonId,
        (key, action): (u32, Action),
        arrived: u64,
    ) -> Result<ActionAck, ApiError> {
        let (sender, answer) = oneshot::channel();
        let reply = Reply::Request(sender);
        let message = Message::Action { person, key, action, reply };
        self.deliver(server, id, ArrivedMessage { arrived, message }).await?;
        answer.await.map_err(|_| unavailable())?
    }

    /// Hides the chat messages of a person in all games in the memory of any node.
    pub(crate) async fn hide_chat(
        &self,
        server: &ServerState,
        person: PersonId,
    ) -> Result<(), ApiError> {
        self.hide_chat_here(person).await?;
        match &server.cluster {
            Some(cluster) => cluster.hide_chat(person).await,
            None => Ok(()),
        }
    }

    /// Hides the chat messages of a person in all games in the memory of this node.
    pub(crate) async fn hide_chat_here(&self, person: PersonId) -> Result<(), ApiError> {
        let entries: Vec<RegistryEntry> = self.tasks().values().cloned().collect();
        for entry in entries {
            let started = entry.info().started;
            if ![started.silver, started.red].contains(&person) {
                continue;
            }
            entry.profiles.clear();
            let (done, hidden) = oneshot::channel();
            let message = Message::HideChat { person, done };
            let delivery = ArrivedMessage { arrived: self.time.now(), message };
            // A game that is no longer in memory is read from the database when it is needed.
            if entry.mailbox.send(delivery).await.is_ok()
                && hidden.await.is_err()
                && !entry.mailbox.is_closed()
            {
                return Err(unavailable());
            }
        }
        Ok(())
    }

    /// Subscribes to a game. The subscriber receives all events after number `seen`.
    pub(crate) async fn join(
        &self,
        server: &ServerState,
        id: GameId,
        person: Option<PersonId>,
        seen: u32,
        subscriber: Subscriber,
    ) -> Result<(), ApiError> {
        match (&server.cluster, self.node_with(server, id)?) {
            (Some(cluster), Some(node)) => {
                cluster.join_game(&node, (id, person, seen), subscriber).await
            }
            _ => self.join_here(server, id, person, seen, subscriber).await,
        }
    }

    /// Subscribes to a game of this node.
    pub(crate) async fn join_here(
        &self,
        server: &ServerState,
        id: GameId,
        person: Option<PersonId>,
        seen: u32,
        subscriber: Subscriber,
    ) -> Result<(), ApiError> {
        let players = self.players(server, id).await?;
        self.send_here(server, id, Message::Join { person, seen, players, subscriber }).await
    }

    /// Returns the current state of a game.
    pub(crate) async fn snapshot(
        &self,
        server: &ServerState,
        id: GameId,
    ) -> Result<GameSnapshot, ApiError> {
        match (&server.cluster, self.node_with(server, id)?) {
            (Some(cluster), Some(node)) => cluster.snapshot(&node, id).await,
            _ => self.snapshot_here(server, id).await,
        }
    }

    /// Returns the current state of a game of this node.
    pub(crate) async fn snapshot_here(
        &self,
        server: &ServerState,
        id: GameId,
    ) -> Result<GameSnapshot, ApiError> {
        let players = self.players(server, id).await?;
        let (answer, response) = oneshot::channel();
        self.send_here(server, id, Message::Snapshot { players, answer }).await?;
        response.await.map_err(|_| unavailable())
    }

    /// Returns the profiles of a game's players. They are read here and not in the game's task, in
    /// which moves would wait for them.
    async fn players(
        &self,
        server: &ServerState,
        id: GameId,
    ) -> Result<Box<ByColor<PublicProfile>>, ApiError> {
        let load = async {
            let Some(entry) = self.find(server, id).await? else { return Ok(None) };
            let started = entry.info().started;
            entry.profiles.get(&self.store, &started, self.time.now()).await.map(Some)
        };
        let players = load.await.map_err(|error: StorageError| storage_error(&error))?;
        players.map(Box::new).ok_or_else(no_such_game)
    }

    /// Returns all games in progress of this node.
    pub(crate) fn live(&self) -> Vec<(GameId, LiveGameInfo)> {
        self.live_where(|_| true)
    }

    /// Returns a person's games in progress.
    pub(crate) async fn live_of(
        &self,
        server: &ServerState,
        person: PersonId,
    ) -> Result<Vec<(GameId, LiveGameInfo)>, StorageError> {
        let mut live =
            self.live_where(|info| [info.started.silver, info.started.red].contains(&person));
        if server.cluster.is_some() {
            let mut ids = self.store.unfinished_games_of(person).await?;
            ids.retain(|id| live.iter().all(|(known, _)| known != id));
            let elsewhere = self.store.games(&ids).await?.into_iter().filter_map(fold_stored);
            live.extend(elsewhere.map(|(id, state, _)| (id, LiveGameInfo::of(&state, 0))));
        }
        Ok(live)
    }

    /// Returns the games in progress that meet a condition.
    fn live_where(&self, meets: impl Fn(&LiveGameInfo) -> bool) -> Vec<(GameId, LiveGameInfo)> {
        let entries: Vec<(GameId, RegistryEntry)> =
            self.tasks().iter().map(|(&id, entry)| (id, entry.clone())).collect();
        let infos = entries.into_iter().map(|(id, entry)| (id, entry.info()));
        infos.filter(|(_, info)| !info.over && meets(info)).collect()
    }

    /// Stops all tasks after they have written their events.
    pub(crate) async fn stop(&self) {
        let mailboxes: Vec<_> = self.tasks().values().map(|entry| entry.mailbox.clone()).collect();
        for mailbox in mailboxes {
            let stop = ArrivedMessage { arrived: self.time.now(), message: Message::Stop };
            let _ = mailbox.send(stop).await;
            mailbox.closed().await;
        }
    }
}

fn unavailable() -> ApiError {
    ApiError::new(ErrorCode::Unavailable, "the game is not available now").retry_after(1)
}

fn no_such_game() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "there is no such game")
}

/// Returns the error for a person with too many games in progress.
pub(crate) fn too_many_games() -> ApiError {
    ApiError::new(ErrorCode::TooMany, "a player has too many games in progress; finish some first")
}

/// Returns the largest number of games that a person may play at once. Guests get fewer, because
/// anybody can be many guests; bots get more, because everybody plays them.
pub(crate) async fn games_limit(
    server: &ServerState,
    person: PersonId,
) -> Result<usize, StorageError> {
    let limit = server.config.limits.games_per_person;
    Ok(match people::load_public_profile(&server.store, person, None).await?.kind {
        PersonKind::Guest | PersonKind::Deleted => limit.div_ceil(5),
        PersonKind::Account => limit,
        PersonKind::Bot => limit.saturating_mul(10),
    })
}

/// A game that a task owns.
struct OwnedGame {
    id: GameId,
    state: GameState,
    events: Vec<Event>,
    /// The right to write the game, if there are several nodes.
    fence: Option<Fence>,
}

/// States if a game is counted among the games in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CountedGame {
    Yes,
    No,
}

/// A game with its state and its events.
type LoadedGame = (GameId, GameState, Vec<Event>);

/// Returns the state of a stored game. A corrupt game is logged and left out, so that it does not
/// prevent the others from resuming.
fn fold_stored(game: StoredGame) -> Option<LoadedGame> {
    let StoredGame { id, events } = game;
    match GameState::fold(&events) {
        Ok(state) => Some((id, state, events)),
        Err(error) => {
            tracing::error!(%id, %error, "a game can't be read and is left out");
            metrics::counter!("khet_games_unreadable_total").increment(1);
            None
        }
    }
}
