//! The one task that owns a live game. Nothing else changes it.
//!
//! An act is decided, written, and only then applied and shown: while the disk works, the task waits, and so does everything that is
//! said to it.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use khet::{Color, Placement};
use khet_protocol::{
    Action, ActionAck, ApiError, ByColor, ErrorCode, Event, EventKind, GameId, GameJoined,
    GameStart, GameState, PersonId, Presence, PublicProfile, ServerMessage, Speed,
};
use tokio::sync::{mpsc, oneshot};

use super::attendance::{Attendance, Member};
use super::decide::{self, Moment, Verdict};
use super::lag::Lag;
use crate::app::App;
use crate::limits::{self, Bucket, Rate};
use crate::people;
use crate::refusal::from_storage;
use crate::storage::{Finish, StorageError};

/// How much a player may say.
const CHAT: Rate = Rate { times: 5, within: 15_000 };
/// How much is said in one game at most.
const CHAT_MESSAGES: usize = 400;
/// How long a finished game that nobody looks at stays in memory, in milliseconds.
const KEPT: u64 = 60_000;
/// How often people are told at most that others came to watch, in milliseconds.
const PRESENCE_PAUSE: u64 = 1000;
/// For how long the names of the players are taken as known, in milliseconds.
const FACES_KEPT: u64 = 30_000;

/// What is said to a game.
#[derive(Debug)]
pub(crate) enum Message {
    /// Someone wants to hear everything behind an event. Their colour is found out by the game.
    Join { person: Option<PersonId>, seen: u32, member: Member },
    /// Someone no longer listens.
    Leave { id: u64 },
    /// Someone does something.
    Action { person: PersonId, key: u32, act: Action, reply: Reply },
    /// Someone wants to know how it stands.
    Look { answer: oneshot::Sender<Look> },
    /// The server stops.
    Stop,
}

/// Where the answer to an act goes.
#[derive(Debug)]
pub(crate) enum Reply {
    /// To a member, as a message.
    Member(u64),
    /// To a request.
    Request(oneshot::Sender<Result<ActionAck, ApiError>>),
}

/// A game at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) players: ByColor<PublicProfile>,
    pub(crate) events: Vec<Event>,
    pub(crate) presence: Presence,
}

/// What lists tell about a game.
#[derive(Clone, Debug)]
pub(crate) struct Brief {
    pub(crate) started: GameStart,
    pub(crate) started_at: u64,
    pub(crate) moved_at: u64,
    pub(crate) moves: u32,
    pub(crate) position: Placement,
    pub(crate) watching: u32,
    pub(crate) over: bool,
}

impl Brief {
    pub(super) fn of(state: &GameState, watching: u32) -> Brief {
        Brief {
            started: state.started().clone(),
            started_at: state.started_at(),
            moved_at: state.moved_at(),
            moves: state.game().moves().len() as u32,
            position: state.game().position().placement(),
            watching,
            over: state.outcome().is_some(),
        }
    }
}

/// A live game.
pub(super) struct Actor {
    app: App,
    id: GameId,
    state: GameState,
    events: Vec<Event>,
    attendance: Attendance,
    lag: Lag,
    chat: [Bucket; 2],
    chat_messages: usize,
    faces: Option<(u64, ByColor<PublicProfile>)>,
    brief: Arc<Mutex<Brief>>,
    /// When people are told who is there, if that has changed.
    presence_at: Option<u64>,
    /// Since when nobody is there.
    empty_since: u64,
}

/// Why a task ends.
pub(super) enum Ended {
    /// The server stops.
    Stopped,
    /// The game is over, and nobody looks at it.
    Unused,
    /// The storage failed: what is in memory may not be what is on disk.
    Broken,
}

impl Actor {
    pub(super) fn new(
        app: App,
        id: GameId,
        state: GameState,
        events: Vec<Event>,
        brief: Arc<Mutex<Brief>>,
    ) -> Actor {
        let now = app.time.now();
        let chat_messages =
            events.iter().filter(|event| matches!(event.kind, EventKind::Chat { .. })).count();
        Actor {
            app,
            id,
            state,
            events,
            attendance: Attendance::new(now),
            lag: Lag::default(),
            chat: [Bucket::default(); 2],
            chat_messages,
            faces: None,
            brief,
            presence_at: None,
            empty_since: now,
        }
    }

    /// Lives until the game is over and nobody looks at it any more.
    pub(super) async fn run(&mut self, mailbox: &mut mpsc::Receiver<Message>) -> Ended {
        let time = self.app.time.clone();
        loop {
            let next = self.next_moment();
            let message = tokio::select! {
                message = mailbox.recv() => message,
                () = time.sleep_until(next) => {
                    let now = time.now();
                    if self.is_unused(now) {
                        return Ended::Unused;
                    }
                    self.tell_presence_if_due(now);
                    if self.end_if_time_is_up(now).await.is_err() {
                        return Ended::Broken;
                    }
                    continue;
                }
            };
            let now = time.now();
            // Whoever asks is told about the game as it is now: a flag that has fallen comes first.
            if self.end_if_time_is_up(now).await.is_err() {
                return Ended::Broken;
            }
            match message {
                None | Some(Message::Stop) => return Ended::Stopped,
                Some(Message::Join { person, seen, member }) => {
                    if self.join(person, seen, member, now).await.is_err() {
                        return Ended::Broken;
                    }
                }
                Some(Message::Leave { id }) => self.leave(id, now),
                Some(Message::Action { person, key, act, reply }) => {
                    if self.act(person, key, &act, reply, now).await.is_err() {
                        return Ended::Broken;
                    }
                }
                Some(Message::Look { answer }) => {
                    let Ok(players) = self.players(now).await else { return Ended::Broken };
                    let presence = self.attendance.presence(&self.state);
                    let _ = answer.send(Look { players, events: self.events.clone(), presence });
                }
            }
        }
    }

    /// When there is something to do although nobody says anything.
    fn next_moment(&self) -> Option<u64> {
        let unused = self.is_idle().then_some(self.empty_since + KEPT);
        [self.time_up_at(), self.presence_at, unused].into_iter().flatten().min()
    }

    fn is_idle(&self) -> bool {
        self.state.outcome().is_some() && self.attendance.is_empty()
    }

    fn is_unused(&self, now: u64) -> bool {
        self.is_idle() && now >= self.empty_since + KEPT
    }

    /// When the flag falls: a move that is on its way by then still counts.
    fn time_up_at(&self) -> Option<u64> {
        let deadline = decide::deadline(&self.state)?;
        let by = self.state.to_move();
        Some(deadline + self.lag.available(by, self.attendance.round_trip(by)))
    }

    async fn end_if_time_is_up(&mut self, now: u64) -> Result<(), StorageError> {
        if self.time_up_at().is_some_and(|at| now >= at) {
            self.happen(vec![EventKind::Ended(decide::time_up(&self.state))], now).await?;
        }
        Ok(())
    }

    async fn join(
        &mut self,
        person: Option<PersonId>,
        seen: u32,
        mut member: Member,
        now: u64,
    ) -> Result<(), StorageError> {
        let you = person.and_then(|person| self.state.color_of(person));
        member.color = you;
        let after = if seen > self.state.last() { 0 } else { seen };
        let events = self.events[after as usize..].iter().map(|event| seen_by(event, you));
        let events = events.collect();
        let (id, players) = (member.id, self.players(now).await?);
        let was_here = you.is_none_or(|color| self.attendance.gone_since(color).is_none());
        self.attendance.join(member);
        let welcome = ServerMessage::GameJoined(Box::new(GameJoined {
            game: self.id,
            you,
            players,
            after,
            events,
            presence: self.attendance.presence(&self.state),
            now,
        }));
        self.attendance.send_to(id, text(&welcome));
        self.presence_changed(if was_here { now + PRESENCE_PAUSE } else { now }, now);
        Ok(())
    }

    fn leave(&mut self, id: u64, now: u64) {
        let before = self.attendance.presence(&self.state).connected;
        if self.attendance.leave(id, now) {
            let same = self.attendance.presence(&self.state).connected == before;
            self.presence_changed(if same { now + PRESENCE_PAUSE } else { now }, now);
        }
        if self.attendance.is_empty() {
            self.empty_since = now;
        }
    }

    /// Who is there has changed: players are told at once, more or fewer spectators a little later.
    fn presence_changed(&mut self, at: u64, now: u64) {
        self.presence_at = Some(self.presence_at.map_or(at, |before| before.min(at)));
        self.tell_presence_if_due(now);
    }

    fn tell_presence_if_due(&mut self, now: u64) {
        if self.presence_at.take_if(|at| *at <= now).is_some() {
            let message = text(&ServerMessage::Presence(self.attendance.presence(&self.state)));
            self.attendance.send(now, |_| message.clone());
            self.write_brief();
        }
    }

    fn write_brief(&self) {
        let brief = Brief::of(&self.state, self.attendance.watching());
        *self.brief.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = brief;
    }

    async fn players(&mut self, now: u64) -> Result<ByColor<PublicProfile>, StorageError> {
        if let Some((until, faces)) = &self.faces
            && now < *until
        {
            return Ok(faces.clone());
        }
        let speed = Speed::of(self.state.options().time);
        let faces = ByColor {
            silver: people::face(&self.app.store, self.state.person(Color::Silver), speed).await?,
            red: people::face(&self.app.store, self.state.person(Color::Red), speed).await?,
        };
        self.faces = Some((now + FACES_KEPT, faces.clone()));
        Ok(faces)
    }

    async fn act(
        &mut self,
        person: PersonId,
        key: u32,
        act: &Action,
        reply: Reply,
        now: u64,
    ) -> Result<(), StorageError> {
        let began = Instant::now();
        let done = self.do_act(person, key, act, now).await;
        let (answer, failed) = match done {
            Ok(number) => (Ok(ActionAck { key, number }), Ok(())),
            Err(Trouble::Refused(error)) => (Err(error), Ok(())),
            Err(Trouble::Failed(error)) => (Err(from_storage(&error)), Err(error)),
        };
        metrics::histogram!("khet_act_seconds").record(began.elapsed());
        match reply {
            Reply::Member(id) => {
                let message = match answer {
                    Ok(made) => ServerMessage::Done(made),
                    Err(error) => ServerMessage::Refused { key, error },
                };
                self.attendance.send_to(id, text(&message));
            }
            Reply::Request(sender) => {
                let _ = sender.send(answer);
            }
        }
        failed
    }

    async fn do_act(
        &mut self,
        person: PersonId,
        key: u32,
        act: &Action,
        now: u64,
    ) -> Result<u32, Trouble> {
        let Some(by) = self.state.color_of(person) else {
            return Err(ApiError::new(ErrorCode::Forbidden, "you do not play in this game").into());
        };
        if self.attendance.acted(by, now) {
            self.presence_changed(now + PRESENCE_PAUSE, now);
        }
        if matches!(act, Action::Chat { .. }) {
            self.check_chat(by, now)?;
        }
        let running = self.state.clock().and_then(|clock| clock.running_since());
        let thought = running.map_or(0, |since| now.saturating_sub(since.as_millis() as u64));
        let lag = self.lag.available(by, self.attendance.round_trip(by)).min(thought);
        let other_gone_since = self.attendance.gone_since(!by);
        let moment = Moment { now, lag, other_gone_since };
        match decide::decide(&self.state, by, key, act, moment)? {
            Verdict::Happened(number) => Ok(number),
            Verdict::Happens(whats) => {
                let number = self.happen(whats, now).await?;
                if matches!(act, Action::Move { .. }) {
                    self.lag.spend(by, lag);
                }
                Ok(number)
            }
            Verdict::Rematch => {
                let started = self.state.started();
                let next = GameStart {
                    silver: started.red,
                    red: started.silver,
                    options: started.options.clone(),
                };
                let game = self.app.games.create(&self.app, next, None).await?;
                Ok(self.happen(vec![EventKind::Rematched { game }], now).await?)
            }
        }
    }

    fn check_chat(&mut self, by: Color, now: u64) -> Result<(), ApiError> {
        self.chat[by as usize].take(CHAT, now).map_err(limits::too_many)?;
        if self.chat_messages >= CHAT_MESSAGES {
            return Err(ApiError::new(ErrorCode::NotNow, "enough was said in this game"));
        }
        Ok(())
    }

    /// Writes kind happens; when it is on disk, applies and shows it. Returns the number of the first event.
    async fn happen(&mut self, whats: Vec<EventKind>, now: u64) -> Result<u32, StorageError> {
        let last = self.state.last();
        // Time does not go back, whatever the system's clock did between two starts.
        let at = now.max(self.events.last().map_or(0, |event| event.at));
        let numbered = whats.into_iter().zip(last + 1..);
        let events: Vec<Event> =
            numbered.map(|(kind, number)| Event { number, at, kind }).collect();
        let finish = self.finish(&events, at);
        let events = self.app.store.append(self.id, events, finish).await?;
        for event in events {
            self.state.apply(&event).map_err(|misfit| {
                StorageError::Corrupt(format!(
                    "event {} of game {}: {misfit}",
                    event.number, self.id
                ))
            })?;
            self.show(&event, now);
            match event.kind {
                EventKind::Move { .. } => metrics::counter!("khet_turns_total").increment(1),
                EventKind::Chat { .. } => self.chat_messages += 1,
                EventKind::Ended(_) => {
                    self.app.games.one_ended();
                    self.app.explorer.one_ended();
                }
                EventKind::Rated { .. } => self.faces = None,
                _ => {}
            }
            self.events.push(event);
        }
        self.write_brief();
        if self.state.outcome().is_some() && self.attendance.is_empty() {
            self.empty_since = now;
        }
        Ok(last + 1)
    }

    /// What the end of the game, if it is among these events, adds to its row.
    fn finish(&self, events: &[Event], at: u64) -> Option<Box<Finish>> {
        let outcome = events.iter().find_map(|event| match event.kind {
            EventKind::Ended(outcome) => Some(outcome),
            _ => None,
        })?;
        let mut position = *self.state.game().position();
        let mut moves = self.state.game().moves().len();
        for event in events {
            if let EventKind::Move { mv, .. } = event.kind {
                // Decided before: it is legal.
                if position.play(mv).is_ok() {
                    moves += 1;
                }
            }
        }
        Some(Box::new(Finish {
            started: self.state.started().clone(),
            outcome,
            at,
            moves: moves as u32,
            position: position.placement(),
        }))
    }

    fn show(&mut self, event: &Event, now: u64) {
        let for_players = text(&ServerMessage::Event(event.clone()));
        let for_spectators = match event.kind {
            EventKind::Chat { .. } => text(&ServerMessage::Event(seen_by(event, None))),
            _ => for_players.clone(),
        };
        self.attendance.send(now, |color| {
            if color.is_some() { for_players.clone() } else { for_spectators.clone() }
        });
    }
}

/// Why an act was not done.
enum Trouble {
    /// It may not.
    Refused(ApiError),
    /// It could not be written.
    Failed(StorageError),
}

impl From<ApiError> for Trouble {
    fn from(error: ApiError) -> Trouble {
        Trouble::Refused(error)
    }
}

impl From<StorageError> for Trouble {
    fn from(error: StorageError) -> Trouble {
        Trouble::Failed(error)
    }
}

/// An event as someone may see it.
pub(crate) fn seen_by(event: &Event, color: Option<Color>) -> Event {
    let kind = match color {
        Some(_) => event.kind.clone(),
        None => event.kind.for_spectators(),
    };
    Event { number: event.number, at: event.at, kind }
}

/// A message as it is sent.
pub(crate) fn text(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).unwrap_or_default().into()
}
