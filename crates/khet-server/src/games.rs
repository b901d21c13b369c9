//! Games: found, started, revived.
//!
//! Every unfinished game has a task of its own, an [actor](self::actor), from the server's start on. Finished games get one when someone
//! opens them, to look, to talk, or for a rematch.

mod actor;
mod attendance;
mod decide;
pub(crate) mod http;
mod lag;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use futures_util::future;
use khet_protocol::{
    Action, ActionAck, ApiError, ChallengeId, ErrorCode, Event, EventKind, GameId, GameStart,
    GameState, PersonId,
};
use tokio::sync::{mpsc, oneshot};

use self::actor::{Actor, Ended};
pub(crate) use self::actor::{Brief, Look, Message, Reply, text};
pub(crate) use self::attendance::Member;
use crate::app::App;
use crate::notices::Notice;
use crate::random;
use crate::refusal::from_storage;
use crate::storage::{StorageError, Store, StoredGame};
use crate::time::Time;

/// How much may be said to a game that has no time to listen.
const MAILBOX: usize = 64;

/// All games in memory, and the way to the others.
pub(crate) struct Games {
    store: Store,
    time: Time,
    tasks: Mutex<HashMap<GameId, Entry>>,
    /// Held while a game is read, so that it gets one task.
    reading: tokio::sync::Mutex<()>,
    /// How many are not over.
    played: AtomicUsize,
    /// The number of the next member of any game.
    next_member: AtomicU64,
}

#[derive(Clone)]
struct Entry {
    mailbox: mpsc::Sender<Message>,
    brief: Arc<Mutex<Brief>>,
}

impl Games {
    pub(crate) fn new(store: Store, time: Time) -> Games {
        Games {
            store,
            time,
            tasks: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
            played: AtomicUsize::new(0),
            next_member: AtomicU64::new(1),
        }
    }

    fn tasks(&self) -> MutexGuard<'_, HashMap<GameId, Entry>> {
        self.tasks.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A number for a new member of a game.
    pub(crate) fn member_id(&self) -> u64 {
        self.next_member.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether any game is not over.
    pub(crate) fn are_played(&self) -> bool {
        self.played.load(Ordering::Relaxed) > 0
    }

    /// How many games are not over.
    pub(crate) fn count_played(&self) -> usize {
        self.played.load(Ordering::Relaxed)
    }

    /// A game ended.
    fn one_ended(&self) {
        self.played.fetch_sub(1, Ordering::Relaxed);
    }

    /// Makes every unfinished game live, with the time for which the server was away credited to clocks. Returns how many they are.
    pub(crate) async fn revive(&self, app: &App, away: u64) -> Result<usize, StorageError> {
        let stored = self.store.unfinished_games().await?;
        let now = self.time.now();
        let games = future::join_all(stored.into_iter().map(|game| self.credit(game, away, now)));
        let mut count = 0;
        for game in games.await {
            let Some((id, state, events)) = game? else { continue };
            self.spawn(app, id, state, events);
            count += 1;
        }
        self.played.store(count, Ordering::Relaxed);
        Ok(count)
    }

    /// A game that is read, with time credited to its clocks. A game that can't be read stays as it is, and does not keep the
    /// others from being played.
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
                tracing::error!(%id, %error, "a game can't be read");
                return Ok(None);
            }
        };
        if away > 0 && state.outcome().is_none() && state.clock().is_some() {
            let last = events.last().map_or(0, |event| event.at);
            // Time that passed before the last event is not counted anyway.
            let time = away.min(now.saturating_sub(last));
            let number = state.last() + 1;
            let credit = Event { number, at: now.max(last), kind: EventKind::Credited { time } };
            if state.apply(&credit).is_ok() {
                events.extend(self.store.append(id, vec![credit], None).await?);
            }
        }
        Ok(Some((id, state, events)))
    }

    /// Starts a game. Both players are told.
    ///
    /// Once begun it is done, even if whoever asked for it no longer waits: a game on disk has its task.
    pub(crate) async fn create(
        &self,
        app: &App,
        started: GameStart,
        challenge: Option<ChallengeId>,
    ) -> Result<GameId, ApiError> {
        let app = app.clone();
        let creating =
            tokio::spawn(async move { app.games.create_now(&app, started, challenge).await });
        creating
            .await
            .unwrap_or_else(|error| Err(ApiError::new(ErrorCode::Internal, error.to_string())))
    }

    async fn create_now(
        &self,
        app: &App,
        started: GameStart,
        challenge: Option<ChallengeId>,
    ) -> Result<GameId, ApiError> {
        let id = GameId::from_number(random::number());
        let people = [started.silver, started.red];
        let first =
            Event { number: 1, at: self.time.now(), kind: EventKind::Started(Box::new(started)) };
        let state = GameState::begin(&first)
            .map_err(|misfit| ApiError::new(ErrorCode::Invalid, misfit.to_string()))?;
        match challenge {
            None => self.store.start_game(id, first.clone()).await,
            Some(challenge) => {
                let accepted = self.store.accept_challenge(challenge, id, first.clone()).await;
                app.lobby.remove(challenge);
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
        .map_err(|error| from_storage(&error))?;
        self.played.fetch_add(1, Ordering::Relaxed);
        self.spawn(app, id, state, vec![first]);
        metrics::counter!("khet_games_started_total").increment(1);
        for person in people {
            app.notices.tell(person, Notice::GameStarted { game: id, challenge });
        }
        Ok(id)
    }

    fn spawn(&self, app: &App, id: GameId, state: GameState, events: Vec<Event>) -> Entry {
        let (mailbox, mut messages) = mpsc::channel(MAILBOX);
        let brief = Arc::new(Mutex::new(Brief::of(&state, 0)));
        let entry = Entry { mailbox, brief: Arc::clone(&brief) };
        self.tasks().insert(id, entry.clone());
        metrics::gauge!("khet_games_live").increment(1);
        let app = app.clone();
        tokio::spawn(async move {
            let mut actor = Actor::new(app.clone(), id, state, events, brief);
            let ended = actor.run(&mut messages).await;
            drop(actor);
            metrics::gauge!("khet_games_live").decrement(1);
            app.games.retire(&app, id, messages, ended).await;
        });
        entry
    }

    /// A task has ended. What was still said to it is said to its successor.
    async fn retire(
        &self,
        app: &App,
        id: GameId,
        mut messages: mpsc::Receiver<Message>,
        ended: Ended,
    ) {
        self.tasks().remove(&id);
        messages.close();
        if matches!(ended, Ended::Stopped) {
            return;
        }
        if matches!(ended, Ended::Broken) {
            tracing::error!(%id, "a game is read anew");
            // An unfinished game must not wait for someone to open it, or its flag would not fall.
            if let Err(error) = self.find(app, id).await {
                tracing::error!(%id, %error, "a game is gone until someone opens it");
            }
        }
        while let Some(message) = messages.recv().await {
            let _ = Box::pin(self.send(app, id, message)).await;
        }
    }

    /// The way to a game, which is read if it is not in memory.
    async fn find(&self, app: &App, id: GameId) -> Result<Option<Entry>, StorageError> {
        if let Some(entry) = self.tasks().get(&id) {
            return Ok(Some(entry.clone()));
        }
        let _one = self.reading.lock().await;
        if let Some(entry) = self.tasks().get(&id) {
            return Ok(Some(entry.clone()));
        }
        let Some(game) = self.store.game(id).await? else { return Ok(None) };
        let state = GameState::fold(&game.events)
            .map_err(|misfit| StorageError::Corrupt(format!("game {id}: {misfit}")))?;
        Ok(Some(self.spawn(app, id, state, game.events)))
    }

    /// Says something to a game.
    pub(crate) async fn send(
        &self,
        app: &App,
        id: GameId,
        mut message: Message,
    ) -> Result<(), ApiError> {
        // A task may end between being found and being spoken to; its successor does not.
        for _ in 0..3 {
            if app.is_stopping() {
                break;
            }
            let entry = self.find(app, id).await.map_err(|error| from_storage(&error))?;
            let Some(entry) = entry else {
                return Err(ApiError::new(ErrorCode::NotFound, "there is no such game"));
            };
            match entry.mailbox.send(message).await {
                Ok(()) => return Ok(()),
                Err(mpsc::error::SendError(returned)) => message = returned,
            }
            tokio::task::yield_now().await;
        }
        Err(ApiError::new(ErrorCode::Unavailable, "the game can't be reached now").retry_after(1))
    }

    /// Does something in a game, for requests.
    pub(crate) async fn act(
        &self,
        app: &App,
        id: GameId,
        person: PersonId,
        key: u32,
        act: Action,
    ) -> Result<ActionAck, ApiError> {
        let (sender, answer) = oneshot::channel();
        let reply = Reply::Request(sender);
        self.send(app, id, Message::Action { person, key, act, reply }).await?;
        answer.await.map_err(|_| unavailable())?
    }

    /// A game as it stands.
    pub(crate) async fn look(&self, app: &App, id: GameId) -> Result<Look, ApiError> {
        let (answer, looked) = oneshot::channel();
        self.send(app, id, Message::Look { answer }).await?;
        looked.await.map_err(|_| unavailable())
    }

    /// All games in memory that are not over.
    pub(crate) fn live(&self) -> Vec<(GameId, Brief)> {
        let entries: Vec<(GameId, Entry)> =
            self.tasks().iter().map(|(&id, entry)| (id, entry.clone())).collect();
        let briefs = entries.into_iter().map(|(id, entry)| {
            let brief = entry.brief.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
            (id, brief)
        });
        briefs.filter(|(_, brief)| !brief.over).collect()
    }

    /// Ends all tasks; what they have begun is written first.
    pub(crate) async fn stop(&self) {
        let mailboxes: Vec<_> = self.tasks().values().map(|entry| entry.mailbox.clone()).collect();
        for mailbox in mailboxes {
            let _ = mailbox.send(Message::Stop).await;
            mailbox.closed().await;
        }
    }
}

fn unavailable() -> ApiError {
    ApiError::new(ErrorCode::Unavailable, "the game can't be reached now").retry_after(1)
}
