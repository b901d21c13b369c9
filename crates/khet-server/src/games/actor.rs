//! The task that owns a live game and is the only one to change it.
//!
//! An action is validated, applied and written, and its events are sent to clients only after the
//! commit. The task waits for the commit, and so do all messages to it.
//!
//! This file has the task's loop and its timers; `actions` performs the players' actions, and
//! `presence` tracks who is connected.

mod actions;
mod presence;

use std::sync::{Arc, Mutex};

use khet_protocol::{ByColor, Event, EventKind, GameId, GameState, PublicProfile};
use tokio::sync::mpsc;

use self::actions::ActionError;
use super::decision;
use super::lag::LagBudget;
use super::live_game_info::LiveGameInfo;
use super::message::{GameSnapshot, Message};
use super::subscribers::Subscribers;
use crate::rate_limits::TokenBucket;
use crate::server_state::ServerState;
use crate::storage::StorageError;

/// Time for which an unused finished game stays in memory, in milliseconds.
const FINISHED_GAME_TIMEOUT_MS: u64 = 60_000;

/// A live game.
pub(in crate::games) struct Actor {
    server: ServerState,
    id: GameId,
    state: GameState,
    events: Vec<Event>,
    subscribers: Subscribers,
    lag_budget: LagBudget,
    chat: [TokenBucket; 2],
    chat_messages: usize,
    profiles: Option<(u64, ByColor<PublicProfile>)>,
    info: Arc<Mutex<LiveGameInfo>>,
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
    /// The storage failed, so the state in memory may differ from the one on disk.
    StorageFailed,
}

impl Actor {
    pub(in crate::games) fn new(
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
            lag_budget: LagBudget::default(),
            chat: [TokenBucket::default(); 2],
            chat_messages,
            profiles: None,
            info,
            presence_at: None,
            empty_since: now,
        }
    }

    /// Runs until the game is over and unused.
    pub(in crate::games) async fn run(
        &mut self,
        mailbox: &mut mpsc::Receiver<Message>,
    ) -> StopReason {
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
                Some(Message::HideChat { person, done }) => {
                    if self.hide_chat(person).await.is_err() {
                        return StopReason::StorageFailed;
                    }
                    let _ = done.send(());
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
        let unused = self.is_idle().then_some(self.empty_since + FINISHED_GAME_TIMEOUT_MS);
        [self.time_up_at(), self.presence_at, unused].into_iter().flatten().min()
    }

    fn is_idle(&self) -> bool {
        self.state.outcome().is_some() && self.subscribers.is_empty()
    }

    fn is_unused(&self, now: u64) -> bool {
        self.is_idle() && now >= self.empty_since + FINISHED_GAME_TIMEOUT_MS
    }

    /// Returns the time at which the flag falls, including lag compensation.
    fn time_up_at(&self) -> Option<u64> {
        let deadline = decision::deadline(&self.state)?;
        let by = self.state.to_move();
        Some(deadline + self.lag_budget.available(by, self.subscribers.round_trip(by)))
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
}
