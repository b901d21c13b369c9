//! The task that owns a live game and is the only one to change it.
//!
//! An action is validated, applied and written, and its events are sent to clients only after the
//! commit. The task waits for the commit, and so do all messages to it.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use khet::{Color, GameError, Placement};
use khet_protocol::{
    Action, ActionAck, ApiError, ApplyError, ByColor, ErrorCode, Event, EventKind, GameId,
    GameJoined, GameStart, GameState, PersonId, Presence, PublicProfile, ServerMessage, Speed,
};
use tokio::sync::{mpsc, oneshot};

use super::decision::{self, ActionContext, Decision};
use super::lag::Lag;
use super::subscribers::{Subscriber, Subscribers};
use crate::error_response::storage_error;
use crate::people;
use crate::rate_limits::{self, Bucket, Rate};
use crate::ratings;
use crate::server_state::ServerState;
use crate::storage::{GameEnd, StorageError};

/// Rate limit of chat messages per player.
const CHAT_RATE: Rate = Rate { times: 5, within: 15_000 };
/// Largest number of chat messages in a game.
const MAX_CHAT_MESSAGES: usize = 400;
/// Time for which an unused finished game stays in memory, in milliseconds.
const IDLE_TIMEOUT: u64 = 60_000;
/// Delay before changes in the number of spectators are sent, in milliseconds.
const PRESENCE_DELAY: u64 = 1000;
/// Time for which the players' profiles are cached, in milliseconds.
const PROFILE_CACHE_TIME: u64 = 30_000;

/// A message to a game.
#[derive(Debug)]
pub(crate) enum Message {
    /// Adds a subscriber, who receives all events after number `seen`. The game sets the colour.
    Join { person: Option<PersonId>, seen: u32, subscriber: Subscriber },
    /// Removes a subscriber.
    Leave { id: u64 },
    /// Performs an action of a person.
    Action { person: PersonId, key: u32, action: Action, reply: Reply },
    /// Returns the current state.
    Snapshot { answer: oneshot::Sender<GameSnapshot> },
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
#[derive(Clone, Debug)]
pub(crate) struct GameSnapshot {
    pub(crate) players: ByColor<PublicProfile>,
    pub(crate) events: Vec<Event>,
    pub(crate) presence: Presence,
}

/// The data of a game in lists of live games.
#[derive(Clone, Debug)]
pub(crate) struct LiveGameInfo {
    pub(crate) started: GameStart,
    pub(crate) started_at: u64,
    pub(crate) moved_at: u64,
    pub(crate) moves: u32,
    pub(crate) position: Placement,
    pub(crate) spectators: u32,
    pub(crate) over: bool,
}

impl LiveGameInfo {
    pub(super) fn of(state: &GameState, spectators: u32) -> LiveGameInfo {
        LiveGameInfo {
            started: state.started().clone(),
            started_at: state.started_at(),
            moved_at: state.moved_at(),
            moves: state.game().moves().len() as u32,
            position: state.game().position().placement(),
            spectators,
            over: state.outcome().is_some(),
        }
    }
}

/// A live game.
pub(super) struct Actor {
    server: ServerState,
    id: GameId,
    state: GameState,
    events: Vec<Event>,
    subscribers: Subscribers,
    lag: Lag,
    chat: [Bucket; 2],
    chat_messages: usize,
    profiles: Option<(u64, ByColor<PublicProfile>)>,
    info: Arc<Mutex<LiveGameInfo>>,
    /// When to send the presence, if it has changed.
    presence_at: Option<u64>,
    /// The time since which there are no subscribers.
    empty_since: u64,
}

/// Reason why a task ends.
pub(super) enum StopReason {
    ServerStopping,
    /// The game is over and has no subscribers.
    Unused,
    /// The storage failed, so the state in memory may differ from the one on disk.
    StorageFailed,
}

impl Actor {
    pub(super) fn new(
        server: ServerState,
        id: GameId,
        state: GameState,
        events: Vec<Event>,
        info: Arc<Mutex<LiveGameInfo>>,
    ) -> Actor {
        let now = server.time.now();
        let chat_messages =
            events.iter().filter(|event| matches!(event.kind, EventKind::Chat { .. })).count();
        Actor {
            server,
            id,
            state,
            events,
            subscribers: Subscribers::new(now),
            lag: Lag::default(),
            chat: [Bucket::default(); 2],
            chat_messages,
            profiles: None,
            info,
            presence_at: None,
            empty_since: now,
        }
    }

    /// Runs until the game is over and unused.
    pub(super) async fn run(&mut self, mailbox: &mut mpsc::Receiver<Message>) -> StopReason {
        let time = self.server.time.clone();
        loop {
            let next = self.next_moment();
            let message = tokio::select! {
                message = mailbox.recv() => message,
                () = time.sleep_until(next) => {
                    let now = time.now();
                    if self.is_unused(now) {
                        return StopReason::Unused;
                    }
                    self.send_presence_if_due(now);
                    if self.end_if_time_is_up(now).await.is_err() {
                        return StopReason::StorageFailed;
                    }
                    continue;
                }
            };
            let now = time.now();
            // A flag that has fallen comes before the message.
            if self.end_if_time_is_up(now).await.is_err() {
                return StopReason::StorageFailed;
            }
            match message {
                None | Some(Message::Stop) => return StopReason::ServerStopping,
                Some(Message::Join { person, seen, subscriber }) => {
                    if self.join(person, seen, subscriber, now).await.is_err() {
                        return StopReason::StorageFailed;
                    }
                }
                Some(Message::Leave { id }) => self.leave(id, now),
                Some(Message::Action { person, key, action, reply }) => {
                    if self.handle_action(person, key, &action, reply, now).await.is_err() {
                        return StopReason::StorageFailed;
                    }
                }
                Some(Message::Snapshot { answer }) => {
                    let Ok(players) = self.players(now).await else {
                        return StopReason::StorageFailed;
                    };
                    let presence = self.subscribers.presence(&self.state);
                    let _ = answer.send(GameSnapshot {
                        players,
                        events: self.events.clone(),
                        presence,
                    });
                }
            }
        }
    }

    /// Returns the time at which there is something to do without a message.
    fn next_moment(&self) -> Option<u64> {
        let unused = self.is_idle().then_some(self.empty_since + IDLE_TIMEOUT);
        [self.time_up_at(), self.presence_at, unused].into_iter().flatten().min()
    }

    fn is_idle(&self) -> bool {
        self.state.outcome().is_some() && self.subscribers.is_empty()
    }

    fn is_unused(&self, now: u64) -> bool {
        self.is_idle() && now >= self.empty_since + IDLE_TIMEOUT
    }

    /// Returns the time at which the flag falls, including lag compensation.
    fn time_up_at(&self) -> Option<u64> {
        let deadline = decision::deadline(&self.state)?;
        let by = self.state.to_move();
        Some(deadline + self.lag.available(by, self.subscribers.round_trip(by)))
    }

    async fn end_if_time_is_up(&mut self, now: u64) -> Result<(), StorageError> {
        if self.time_up_at().is_some_and(|at| now >= at) {
            let end = EventKind::Ended(decision::time_up(&self.state));
            match self.append_event(end, now).await {
                Err(ActionError::Storage(error)) => return Err(error),
                // Only moves are refused.
                Ok(_) | Err(ActionError::Rejected(_)) => {}
            }
        }
        Ok(())
    }

    async fn join(
        &mut self,
        person: Option<PersonId>,
        seen: u32,
        mut subscriber: Subscriber,
        now: u64,
    ) -> Result<(), StorageError> {
        let you = person.and_then(|person| self.state.color_of(person));
        subscriber.color = you;
        let after = if seen > self.state.last() { 0 } else { seen };
        let events = self.events[after as usize..].iter().map(|event| visible_to(event, you));
        let events = events.collect();
        let (id, players) = (subscriber.id, self.players(now).await?);
        let was_here = you.is_none_or(|color| self.subscribers.gone_since(color).is_none());
        self.subscribers.join(subscriber);
        let joined = ServerMessage::GameJoined(Box::new(GameJoined {
            game: self.id,
            you,
            players,
            after,
            events,
            presence: self.subscribers.presence(&self.state),
            now,
        }));
        self.subscribers.send_to(id, text(&joined));
        self.presence_changed(if was_here { now + PRESENCE_DELAY } else { now }, now);
        Ok(())
    }

    fn leave(&mut self, id: u64, now: u64) {
        let before = self.subscribers.presence(&self.state).connected;
        if self.subscribers.leave(id, now) {
            let same = self.subscribers.presence(&self.state).connected == before;
            self.presence_changed(if same { now + PRESENCE_DELAY } else { now }, now);
        }
        if self.subscribers.is_empty() {
            self.empty_since = now;
        }
    }

    /// Schedules sending the presence: at once for players, with a delay for spectators.
    fn presence_changed(&mut self, at: u64, now: u64) {
        self.presence_at = Some(self.presence_at.map_or(at, |before| before.min(at)));
        self.send_presence_if_due(now);
    }

    fn send_presence_if_due(&mut self, now: u64) {
        if self.presence_at.take_if(|at| *at <= now).is_some() {
            let message = text(&ServerMessage::Presence(self.subscribers.presence(&self.state)));
            self.subscribers.send(now, |_| message.clone());
            self.update_info();
        }
    }

    fn update_info(&self) {
        let info = LiveGameInfo::of(&self.state, self.subscribers.spectators());
        *self.info.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = info;
    }

    async fn players(&mut self, now: u64) -> Result<ByColor<PublicProfile>, StorageError> {
        if let Some((until, profiles)) = &self.profiles
            && now < *until
        {
            return Ok(profiles.clone());
        }
        let speed = Speed::of(self.state.options().time);
        let profiles = ByColor {
            silver: people::public_profile(
                &self.server.store,
                self.state.person(Color::Silver),
                speed,
            )
            .await?,
            red: people::public_profile(&self.server.store, self.state.person(Color::Red), speed)
                .await?,
        };
        self.profiles = Some((now + PROFILE_CACHE_TIME, profiles.clone()));
        Ok(profiles)
    }

    async fn handle_action(
        &mut self,
        person: PersonId,
        key: u32,
        action: &Action,
        reply: Reply,
        now: u64,
    ) -> Result<(), StorageError> {
        let began = Instant::now();
        let done = self.perform(person, key, action, now).await;
        let (answer, failed) = match done {
            Ok(number) => (Ok(ActionAck { key, number }), Ok(())),
            Err(ActionError::Rejected(error)) => (Err(error), Ok(())),
            Err(ActionError::Storage(error)) => (Err(storage_error(&error)), Err(error)),
        };
        metrics::histogram!("khet_action_seconds").record(began.elapsed());
        match reply {
            Reply::Subscriber(id) => {
                let message = match answer {
                    Ok(made) => ServerMessage::Done(made),
                    Err(error) => ServerMessage::Refused { key, error },
                };
                self.subscribers.send_to(id, text(&message));
            }
            Reply::Request(sender) => {
                let _ = sender.send(answer);
            }
        }
        failed
    }

    async fn perform(
        &mut self,
        person: PersonId,
        key: u32,
        action: &Action,
        now: u64,
    ) -> Result<u32, ActionError> {
        let Some(by) = self.state.color_of(person) else {
            return Err(ApiError::new(ErrorCode::Forbidden, "you do not play in this game").into());
        };
        if self.subscribers.record_action(by, now) {
            self.presence_changed(now + PRESENCE_DELAY, now);
        }
        if matches!(action, Action::Chat { .. }) {
            self.check_chat(by, now)?;
        }
        let running = self.state.clock().and_then(|clock| clock.running_since());
        let thought = running.map_or(0, |since| now.saturating_sub(since.as_millis() as u64));
        let lag = self.lag.available(by, self.subscribers.round_trip(by)).min(thought);
        let other_gone_since = self.subscribers.gone_since(!by);
        let context = ActionContext { now, lag, other_gone_since };
        match decision::decide(&self.state, by, key, action, context)? {
            Decision::Duplicate(number) => Ok(number),
            Decision::Append(kind) => {
                let number = self.append_event(kind, now).await?;
                if matches!(action, Action::Move { .. }) {
                    self.lag.spend(by, lag);
                }
                Ok(number)
            }
            Decision::Rematch => {
                let started = self.state.started();
                let next = GameStart {
                    silver: started.red,
                    red: started.silver,
                    options: started.options.clone(),
                };
                let game = self.server.games.create(&self.server, next, None).await?;
                self.append_event(EventKind::Rematched { game }, now).await
            }
        }
    }

    fn check_chat(&mut self, by: Color, now: u64) -> Result<(), ApiError> {
        self.chat[by as usize].take(CHAT_RATE, now).map_err(rate_limits::too_many)?;
        if self.chat_messages >= MAX_CHAT_MESSAGES {
            return Err(ApiError::new(ErrorCode::NotNow, "this game has too many chat messages"));
        }
        Ok(())
    }

    /// Applies an event, writes it, and broadcasts it after the commit. Returns its number.
    ///
    /// The event is applied first, so that a move is played once. No client sees the new state before
    /// the commit, because this task answers nothing while it waits for it; if writing fails, the
    /// task ends and the state is dropped with it.
    async fn append_event(&mut self, kind: EventKind, now: u64) -> Result<u32, ActionError> {
        // The system clock may have gone back between two starts; times of events must not.
        let at = now.max(self.events.last().map_or(0, |event| event.at));
        let events = match decision::apply(&mut self.state, kind, at) {
            Ok(events) => events,
            Err(ApplyError::Move(GameError::Illegal(error))) => {
                return Err(ApiError::new(ErrorCode::IllegalMove, error.to_string()).into());
            }
            Err(error) => return Err(self.corrupt(self.state.last() + 1, &error).into()),
        };
        let number = events.first().map_or(0, |event| event.number);
        let end = self.game_end(&events, at);
        for event in self.server.store.append(self.id, events, end).await? {
            // The storage adds the change of the ratings.
            if event.number > self.state.last() {
                self.state.apply(&event).map_err(|error| self.corrupt(event.number, &error))?;
            }
            self.broadcast(&event, now);
            match event.kind {
                EventKind::Move { .. } => metrics::counter!("khet_moves_total").increment(1),
                EventKind::Chat { .. } => self.chat_messages += 1,
                EventKind::Ended(_) => {
                    self.server.games.game_ended();
                    self.server.explorer.game_ended();
                }
                EventKind::Rated { .. } => self.profiles = None,
                _ => {}
            }
            self.events.push(event);
        }
        self.update_info();
        if self.state.outcome().is_some() && self.subscribers.is_empty() {
            self.empty_since = now;
        }
        Ok(number)
    }

    fn corrupt(&self, number: u32, error: &ApplyError) -> StorageError {
        StorageError::Corrupt(format!("event {number} of game {}: {error}", self.id))
    }

    /// Returns the end of the game, if it is among these events.
    fn game_end(&self, events: &[Event], at: u64) -> Option<Box<GameEnd>> {
        let outcome = events.iter().find_map(|event| match event.kind {
            EventKind::Ended(outcome) => Some(outcome),
            _ => None,
        })?;
        let game = self.state.game();
        Some(Box::new(GameEnd {
            started: self.state.started().clone(),
            outcome,
            at,
            moves: game.moves().len() as u32,
            position: game.position().placement(),
            rate: ratings::rating_of(self.state.options()),
        }))
    }

    fn broadcast(&mut self, event: &Event, now: u64) {
        let for_players = text(&ServerMessage::Event(event.clone()));
        let for_spectators = match event.kind {
            EventKind::Chat { .. } => text(&ServerMessage::Event(visible_to(event, None))),
            _ => for_players.clone(),
        };
        self.subscribers.send(now, |color| {
            if color.is_some() { for_players.clone() } else { for_spectators.clone() }
        });
    }
}

/// Error of an action.
enum ActionError {
    /// The action is not allowed.
    Rejected(ApiError),
    /// The events could not be written.
    Storage(StorageError),
}

impl From<ApiError> for ActionError {
    fn from(error: ApiError) -> ActionError {
        ActionError::Rejected(error)
    }
}

impl From<StorageError> for ActionError {
    fn from(error: StorageError) -> ActionError {
        ActionError::Storage(error)
    }
}

/// Returns an event as a player or a spectator may see it.
pub(crate) fn visible_to(event: &Event, color: Option<Color>) -> Event {
    let kind = match color {
        Some(_) => event.kind.clone(),
        None => event.kind.for_spectators(),
    };
    Event { number: event.number, at: event.at, kind }
}

/// Serialises a message.
pub(crate) fn text(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).unwrap_or_default().into()
}
