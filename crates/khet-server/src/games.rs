//! Live games: lookup, start, resumption.
//!
//! Every game in progress has a task, its [actor](self::actor), from the server's start on. A
//! finished game gets one while clients view it, chat, or ask for a rematch.

mod actor;
mod decision;
pub(crate) mod http;
mod lag;
mod live_game_info;
mod message;
mod outgoing;
mod subscribers;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use futures_util::future;
use khet_protocol::{
    Action, ActionAck, ApiError, ChallengeId, ErrorCode, Event, EventKind, GameId, GameStart,
    GameState, PersonId,
};
use tokio::sync::{mpsc, oneshot};

use self::actor::{Actor, StopReason};
pub(crate) use self::live_game_info::LiveGameInfo;
pub(crate) use self::message::{GameSnapshot, Message, Reply};
pub(crate) use self::outgoing::to_json;
pub(crate) use self::subscribers::Subscriber;
use crate::error_response::storage_error;
use crate::lobby::StartingGame;
use crate::notices::Notice;
use crate::random;
use crate::server_state::ServerState;
use crate::storage::{StorageError, Store, StoredGame};
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
    /// Number of games in progress.
    in_progress: AtomicUsize,
    /// The id of the next subscriber of any game.
    next_subscriber: AtomicU64,
}

#[derive(Clone)]
struct RegistryEntry {
    mailbox: mpsc::Sender<Message>,
    info: Arc<Mutex<LiveGameInfo>>,
}

impl Games {
    pub(crate) fn new(store: Store, time: Time) -> Games {
        Games {
            store,
            time,
            tasks: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
            in_progress: AtomicUsize::new(0),
            next_subscriber: AtomicU64::new(1),
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
        self.in_progress.load(Ordering::Relaxed) > 0
    }

    /// Returns the number of games in progress.
    pub(crate) fn count_in_progress(&self) -> usize {
        self.in_progress.load(Ordering::Relaxed)
    }

    /// Counts the end of a game in progress.
    fn game_ended(&self) {
        self.in_progress.fetch_sub(1, Ordering::Relaxed);
    }

    /// Starts the tasks of all games in progress, and credits their clocks with the time for which
    /// the server was down. Returns the number of games.
    pub(crate) async fn resume_all(
        &self,
        server: &ServerState,
        away: u64,
    ) -> Result<usize, StorageError> {
        let stored = self.store.unfinished_games().await?;
        let now = self.time.now();
        let games = future::join_all(stored.into_iter().map(|game| self.credit(game, away, now)));
        let mut count = 0;
        for game in games.await {
            let Some((id, state, events)) = game? else { continue };
            self.spawn(server, id, state, events);
            count += 1;
        }
        self.in_progress.store(count, Ordering::Relaxed);
        Ok(count)
    }

    /// Credits the clocks of a stored game. A corrupt game is logged and skipped, so that it does
    /// not prevent the others from resuming.
    async fn credit(
        &self,
        game: StoredGame,
        away: u64,
        now: u64,
    ) -> Result<Option<(GameId, GameState, Vec<Event>)>, StorageError> {
        let StoredGame { id, mut events } = game;
        let mut state = match GameState::fold(&events) {
            Ok(state) => state,
            Err(error) => {
                tracing::error!(%id, %error, "could not load a game");
                return Ok(None);
            }
        };
        if away > 0 && state.outcome().is_none() && state.clock().is_some() {
            let last = events.last().map_or(0, |event| event.at);
            // Time before the last event does not count on the clock.
            let time = away.min(now.saturating_sub(last));
            let number = state.last_event_number() + 1;
            let credit = Event { number, at: now.max(last), kind: EventKind::Credited { time } };
            if state.apply(&credit).is_ok() {
                events.extend(self.store.append(id, vec![credit], None).await?);
            }
        }
        Ok(Some((id, state, events)))
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
        let server = server.clone();
        let creating = tokio::spawn(async move {
            let created = server.games.create_now(&server, started, challenge).await;
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
        server: &ServerState,
        started: GameStart,
        challenge: Option<ChallengeId>,
    ) -> Result<GameId, ApiError> {
        let people = [started.silver, started.red];
        let game = self.store_and_spawn(server, started, challenge).await?;
        server.lobby.remove_seeks_of(people);
        server.lobby.counts_changed();
        for person in people {
            server.notices.notify(person, Notice::GameStarted { game, challenge });
        }
        Ok(game)
    }

    /// Stores a new game and starts its task.
    async fn store_and_spawn(
        &self,
        server: &ServerState,
        started: GameStart,
        challenge: Option<ChallengeId>,
    ) -> Result<GameId, ApiError> {
        let id = GameId::from_number(random::number());
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
        self.in_progress.fetch_add(1, Ordering::Relaxed);
        self.spawn(server, id, state, vec![first]);
        metrics::counter!("khet_games_started_total").increment(1);
        Ok(id)
    }

    /// Starts the task of a game.
    fn spawn(
        &self,
        server: &ServerState,
        id: GameId,
        state: GameState,
        events: Vec<Event>,
    ) -> RegistryEntry {
        let (mailbox, mut messages) = mpsc::channel(MAILBOX_CAPACITY);
        let info = Arc::new(Mutex::new(LiveGameInfo::of(&state, 0)));
        let entry = RegistryEntry { mailbox, info: Arc::clone(&info) };
        self.tasks().insert(id, entry.clone());
        metrics::gauge!("khet_games_live").increment(1);
        let server = server.clone();
        tokio::spawn(async move {
            let mut actor = Actor::new(server.clone(), id, state, events, info);
            let ended = actor.run(&mut messages).await;
            drop(actor);
            metrics::gauge!("khet_games_live").decrement(1);
            server.games.retire(&server, id, messages, ended).await;
        });
        entry
    }

    /// Removes a task that has ended. Messages that it did not read go to its successor.
    async fn retire(
        &self,
        server: &ServerState,
        id: GameId,
        mut messages: mpsc::Receiver<Message>,
        ended: StopReason,
    ) {
        self.tasks().remove(&id);
        messages.close();
        if matches!(ended, StopReason::ServerStopping) {
            return;
        }
        if matches!(ended, StopReason::StorageFailed) {
            tracing::error!(%id, "reloading a game after a storage error");
            // A game in progress needs its task at once; otherwise its flag would not fall.
            if let Err(error) = self.find(server, id).await {
                tracing::error!(%id, %error, "could not reload a game; clients can open it later");
            }
        }
        while let Some(message) = messages.recv().await {
            let _ = Box::pin(self.send(server, id, message)).await;
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
        let Some(game) = self.store.game(id).await? else { return Ok(None) };
        let state = GameState::fold(&game.events)
            .map_err(|error| StorageError::Corrupt(format!("game {id}: {error}")))?;
        Ok(Some(self.spawn(server, id, state, game.events)))
    }

    /// Sends a message to a game.
    pub(crate) async fn send(
        &self,
        server: &ServerState,
        id: GameId,
        mut message: Message,
    ) -> Result<(), ApiError> {
        // A task may end after it was found; then the message goes to its successor.
        for _ in 0..3 {
            if server.is_stopping() {
                break;
            }
            let entry = self.find(server, id).await.map_err(|error| storage_error(&error))?;
            let Some(entry) = entry else {
                return Err(ApiError::new(ErrorCode::NotFound, "there is no such game"));
            };
            match entry.mailbox.send(message).await {
                Ok(()) => return Ok(()),
                Err(mpsc::error::SendError(returned)) => message = returned,
            }
            tokio::task::yield_now().await;
        }
        Err(ApiError::new(ErrorCode::Unavailable, "the game is not available now").retry_after(1))
    }

    /// Performs an action in a game and waits for the result.
    pub(crate) async fn act(
        &self,
        server: &ServerState,
        id: GameId,
        person: PersonId,
        key: u32,
        action: Action,
    ) -> Result<ActionAck, ApiError> {
        let (sender, answer) = oneshot::channel();
        let reply = Reply::Request(sender);
        self.send(server, id, Message::Action { person, key, action, reply }).await?;
        answer.await.map_err(|_| unavailable())?
    }

    /// Hides the chat messages of a person in all games in memory.
    pub(crate) async fn hide_chat(&self, person: PersonId) -> Result<(), ApiError> {
        let entries: Vec<RegistryEntry> = self.tasks().values().cloned().collect();
        for RegistryEntry { mailbox, info } in entries {
            let plays = {
                let info = info.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                [info.started.silver, info.started.red].contains(&person)
            };
            if !plays {
                continue;
            }
            let (done, hidden) = oneshot::channel();
            // A game that is no longer in memory is read from the database when it is needed.
            if mailbox.send(Message::HideChat { person, done }).await.is_ok()
                && hidden.await.is_err()
                && !mailbox.is_closed()
            {
                return Err(unavailable());
            }
        }
        Ok(())
    }

    /// Returns the current state of a game.
    pub(crate) async fn snapshot(
        &self,
        server: &ServerState,
        id: GameId,
    ) -> Result<GameSnapshot, ApiError> {
        let (answer, response) = oneshot::channel();
        self.send(server, id, Message::Snapshot { answer }).await?;
        response.await.map_err(|_| unavailable())
    }

    /// Returns all games in progress.
    pub(crate) fn live(&self) -> Vec<(GameId, LiveGameInfo)> {
        self.live_where(|_| true)
    }

    /// Returns a person's games in progress.
    pub(crate) fn live_of(&self, person: PersonId) -> Vec<(GameId, LiveGameInfo)> {
        self.live_where(|info| [info.started.silver, info.started.red].contains(&person))
    }

    /// Returns the games in progress that meet a condition.
    fn live_where(&self, meets: impl Fn(&LiveGameInfo) -> bool) -> Vec<(GameId, LiveGameInfo)> {
        let entries: Vec<(GameId, RegistryEntry)> =
            self.tasks().iter().map(|(&id, entry)| (id, entry.clone())).collect();
        let infos = entries.into_iter().filter_map(|(id, entry)| {
            let info = entry.info.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            (!info.over && meets(&info)).then(|| (id, info.clone()))
        });
        infos.collect()
    }

    /// Stops all tasks after they have written their events.
    pub(crate) async fn stop(&self) {
        let mailboxes: Vec<_> = self.tasks().values().map(|entry| entry.mailbox.clone()).collect();
        for mailbox in mailboxes {
            let _ = mailbox.send(Message::Stop).await;
            mailbox.closed().await;
        }
    }
}

fn unavailable() -> ApiError {
    ApiError::new(ErrorCode::Unavailable, "the game is not available now").retry_after(1)
}
