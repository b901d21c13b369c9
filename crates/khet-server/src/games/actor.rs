//! The task that owns a live game and is the only one to change it.
//!
//! An action is validated, applied and written, and its events are sent to clients only after the
//! commit. The task waits for the commit, and so do all messages to it. It reads nothing from the
//! database, so that no search delays a move.
//!
//! While the database can't be written, nobody can move and the game is suspended: its flag does
//! not fall. Once writes succeed again, the players get the time back.
//!
//! This file has the task's loop and its timers; `actions` performs the players' actions,
//! `suspension` handles failures of the storage, and `presence` tracks who is connected.

mod actions;
mod presence;
mod suspension;

use std::sync::{Arc, Mutex};

use khet_protocol::{Event, EventKind, GameId, GameStart, GameState, PersonId};
use tokio::sync::mpsc;

use self::actions::ActionError;
use self::suspension::Suspension;
use super::OwnedGame;
use super::decision;
use super::lag::LagBudget;
use super::live_game_info::LiveGameInfo;
use super::message::{ArrivedMessage, GameSnapshot, Message};
use super::profile_cache::ProfileCache;
use super::subscribers::Subscribers;
use crate::cluster::{Cluster, Fence};
use crate::rate_limits::TokenBucket;
use crate::server_state::ServerState;

/// Time for which an unused finished game stays in memory, in milliseconds.
const FINISHED_GAME_TIMEOUT_MS: u64 = 60_000;

/// A live game.
pub(in crate::games) struct Actor {
    server: ServerState,
    id: GameId,
    state: GameState,
    events: Vec<Event>,
    /// The right to write the game, if there are several nodes.
    fence: Option<Fence>,
    /// Another node owns the game now.
    is_lost: bool,
    subscribers: Subscribers,
    lag_budget: LagBudget,
    chat: [TokenBucket; 2],
    chat_messages: usize,
    profiles: Arc<ProfileCache>,
    info: Arc<Mutex<LiveGameInfo>>,
    suspension: Suspension,
    /// When to send the presence, if it has changed.
    presence_at: Option<u64>,
    /// The time since which there are no subscribers.
    empty_since: u64,
}

/// Reason why a task ends.
pub(in crate::games) enum StopReason {
    ServerStopping,
    /// The game is over and has no subscribers.
    Unused,
    /// Another node owns the game now. The players, if it was in progress when this node lost it.
    OwnerChanged(Option<[PersonId; 2]>),
}

impl Actor {
    pub(in crate::games) fn new(
        server: ServerState,
        OwnedGame { id, state, events, fence }: OwnedGame,
        info: Arc<Mutex<LiveGameInfo>>,
        profiles: Arc<ProfileCache>,
    ) -> Actor {
        let now = server.time.now();
        let chat_messages = count_chat_messages(&events);
        Actor {
            suspension: Suspension::new(&server.store),
            server,
            id,
            state,
            events,
            fence,
            is_lost: false,
            subscribers: Subscribers::new(now),
            lag_budget: LagBudget::default(),
            chat: [TokenBucket::default(); 2],
            chat_messages,
            profiles,
            info,
            presence_at: None,
            empty_since: now,
        }
    }

    /// Runs until the game is over and unused.
    pub(in crate::games) async fn run(
        &mut self,
        mailbox: &mut mpsc::Receiver<ArrivedMessage>,
    ) -> StopReason {
        let time = self.server.time.clone();
        loop {
            let next = self.next_moment();
            let delivery = tokio::select! {
                biased;
                // Messages that arrived before the flag fell are handled before it.
                delivery = mailbox.recv() => Some(delivery),
                () = self.suspension.storage_changed() => None,
                () = time.sleep_until(next) => None,
            };
            let now = time.now();
            self.update_suspension(now).await;
            match delivery {
                None if self.is_unused(now) => return StopReason::Unused,
                None => {
                    self.send_presence_if_due(now);
                    self.end_if_time_is_up(now).await;
                }
                Some(None | Some(ArrivedMessage { message: Message::Stop, .. })) => {
                    return StopReason::ServerStopping;
                }
                Some(Some(delivery)) => self.handle(delivery, now).await,
            }
            if self.is_lost {
                let GameStart { silver, red, .. } = *self.state.start();
                let info = self.info.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                return StopReason::OwnerChanged((!info.over).then_some([silver, red]));
            }
        }
    }

    /// Handles a message.
    async fn handle(&mut self, ArrivedMessage { arrived, message }: ArrivedMessage, now: u64) {
        if let Message::CreditOutage { since } = message {
            return self.credit_outage(since, now).await;
        }
        // A flag that had fallen when the message arrived comes before it.
        self.end_if_time_is_up(arrived).await;
        match message {
            Message::Action { person, key, action, reply } => {
                if let Some(since) = self.cut_off_since() {
                    self.credit_outage(since, now).await;
                }
                self.handle_action(person, key, &action, reply, arrived).await;
            }
            Message::Leave { id } => self.leave(id, now),
            // Without its state the game drops the sender, who tries again.
            Message::Join { .. } | Message::Snapshot { .. } if !self.has_state().await => {}
            Message::Join { person, seen, players, subscriber } => {
                self.join(person, seen, *players, subscriber, now);
            }
            Message::HideChat { person, done } => match self.hide_chat(person).await {
                Ok(()) => {
                    let _ = done.send(());
                }
                // Without an answer the sender reports that the game is not available.
                Err(error) => self.storage_failed(&error, arrived),
            },
            Message::Snapshot { players, answer } => {
                let presence = self.subscribers.presence(&self.state);
                let events = self.events.clone();
                let _ = answer.send(GameSnapshot { players: *players, events, presence });
            }
            Message::CreditOutage { .. } | Message::Stop => {}
        }
    }

    /// Returns the time at which there is something to do without a message.
    fn next_moment(&self) -> Option<u64> {
        let unused = self.is_idle().then_some(self.empty_since + FINISHED_GAME_TIMEOUT_MS);
        [self.time_up_at(), self.presence_at, unused, self.suspension.retry_at()]
            .into_iter()
            .flatten()
            .min()
    }

    fn is_idle(&self) -> bool {
        self.state.outcome().is_some() && self.subscribers.is_empty()
    }

    fn is_unused(&self, now: u64) -> bool {
        self.is_idle() && now >= self.empty_since + FINISHED_GAME_TIMEOUT_MS
    }

    /// Returns the time at which the flag falls, including lag compensation. It does not fall while
    /// the game is suspended.
    fn time_up_at(&self) -> Option<u64> {
        if self.suspension.is_suspended() || self.cut_off_since().is_some() {
            return None;
        }
        let deadline = decision::deadline(&self.state)?;
        let by = self.state.to_move();
        Some(deadline + self.lag_budget.available(by, self.subscribers.round_trip(by)))
    }

    /// Returns since when a player may be unable to reach the game because of an outage, if so.
    fn cut_off_since(&self) -> Option<u64> {
        self.server.cluster.as_ref().and_then(Cluster::cut_off_since)
    }

    async fn end_if_time_is_up(&mut self, now: u64) {
        if self.time_up_at().is_some_and(|at| now >= at) {
            let end = EventKind::Ended(decision::time_up(&self.state));
            // Only moves are refused.
            if let Err(ActionError::Storage(error)) = self.append_event(end, now).await {
                self.storage_failed(&error, now);
            }
        }
    }
}

/// Returns the number of chat messages.
fn count_chat_messages(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event.kind, EventKind::Chat { .. })).count()
}
