//! Performs actions: decides their events, applies, writes and broadcasts them.

use std::time::Instant;

use khet::{Color, GameError};
use khet_protocol::{
    Action, ActionAck, ApiError, ApplyError, ErrorCode, Event, EventKind, GameStart, PersonId,
    PersonKind, ServerMessage,
};

use super::Actor;
use super::presence::SPECTATOR_COUNT_DELAY;
use crate::error_response::storage_error;
use crate::games::decision::{self, ActionContext, Decision};
use crate::games::message::Reply;
use crate::games::outgoing::{to_json, visible_to};
use crate::people;
use crate::rate_limits::{self, Rate};
use crate::ratings;
use crate::storage::{GameEnd, StorageError};

/// Rate limit of chat messages per player.
const CHAT_RATE: Rate = Rate { times: 5, within: 15_000 };
/// Largest number of chat messages in a game.
const MAX_CHAT_MESSAGES: usize = 400;
/// The error of actions while the storage fails.
const SUSPENDED: &str = "nothing can be stored at the moment; the clocks are stopped";

/// Error of an action.
pub(super) enum ActionError {
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

impl Actor {
    /// Performs a person's action, which arrived at this time, and sends the result.
    pub(super) async fn handle_action(
        &mut self,
        person: PersonId,
        key: u32,
        action: &Action,
        reply: Reply,
        arrived: u64,
    ) {
        let began = Instant::now();
        let answer = match self.perform(person, key, action, arrived).await {
            Ok(number) => Ok(ActionAck { key, number }),
            Err(ActionError::Rejected(error)) => Err(error),
            Err(ActionError::Storage(error)) => {
                self.storage_failed(&error, arrived);
                Err(storage_error(&error))
            }
        };
        metrics::histogram!("khet_action_seconds").record(began.elapsed());
        match reply {
            Reply::Subscriber(id) => {
                let message = match answer {
                    Ok(ack) => ServerMessage::Done(ack),
                    Err(error) => ServerMessage::Refused { key, error },
                };
                self.subscribers.send_to(id, to_json(&message));
            }
            Reply::Request(sender) => {
                let _ = sender.send(answer);
            }
        }
    }

    async fn perform(
        &mut self,
        person: PersonId,
        key: u32,
        action: &Action,
        arrived: u64,
    ) -> Result<u32, ActionError> {
        if self.suspension.is_suspended() {
            return Err(ApiError::new(ErrorCode::Unavailable, SUSPENDED).retry_after(5).into());
        }
        // The action may have arrived while the last event was being written.
        let now = arrived.max(self.events.last().map_or(0, |event| event.at));
        let Some(by) = self.state.color_of(person) else {
            return Err(ApiError::new(ErrorCode::Forbidden, "you do not play in this game").into());
        };
        if self.subscribers.record_action(by, now) {
            self.presence_changed(now + SPECTATOR_COUNT_DELAY, now);
        }
        if matches!(action, Action::Chat { .. }) {
            self.check_chat(person, by, now).await?;
        }
        let running = self.state.clock().and_then(|clock| clock.running_since());
        let thinking_time = running.map_or(0, |since| now.saturating_sub(since.as_millis() as u64));
        let lag = self.lag_budget.available(by, self.subscribers.round_trip(by)).min(thinking_time);
        // A player whom an outage keeps away has not left.
        let is_cut_off = self.cut_off_since().is_some();
        let other_gone_since = self.subscribers.gone_since(!by).filter(|_| !is_cut_off);
        let context = ActionContext { now, lag, other_gone_since };
        match decision::decide(&self.state, by, key, action, context)? {
            Decision::Duplicate(number) => Ok(number),
            Decision::Append(kind) => {
                let number = self.append_event(kind, now).await?;
                if matches!(action, Action::Move { .. }) {
                    self.lag_budget.spend(by, lag);
                }
                Ok(number)
            }
            Decision::Rematch => {
                let started = self.state.start();
                let next = GameStart {
                    silver: started.red,
                    red: started.silver,
                    options: started.options.clone(),
                };
                let starting =
                    self.server.lobby.start_game_of(&self.server, [next.silver, next.red]);
                let game = self.server.games.create(&self.server, next, None, starting).await?;
                self.append_event(EventKind::Rematched { game }, now).await
            }
        }
    }

    async fn check_chat(
        &mut self,
        person: PersonId,
        by: Color,
        now: u64,
    ) -> Result<(), ActionError> {
        self.chat[by as usize].take(CHAT_RATE, now).map_err(rate_limits::too_many)?;
        if self.chat_messages >= MAX_CHAT_MESSAGES {
            let message = "this game has too many chat messages";
            return Err(ApiError::new(ErrorCode::NotNow, message).into());
        }
        // A connection may outlive the account by a moment.
        let profile = people::load_public_profile(&self.server.store, person, None).await?;
        if profile.kind == PersonKind::Deleted {
            return Err(ApiError::new(ErrorCode::SignedOut, "this account was deleted").into());
        }
        Ok(())
    }

    /// Hides the chat messages of a person, in memory and on disk. The task does this, because it
    /// may have written one after the person's other messages were deleted.
    pub(super) async fn hide_chat(&mut self, person: PersonId) -> Result<(), StorageError> {
        let Some(color) = self.state.color_of(person) else { return Ok(()) };
        for event in &mut self.events {
            if matches!(event.kind, EventKind::Chat { by, .. } if by == color) {
                event.kind = EventKind::ChatHidden;
            }
        }
        self.server.store.delete_chat_of_game(self.id, color).await
    }

    /// Applies an event, writes it, and broadcasts it after the commit. Returns its number.
    ///
    /// The event is applied first, so that a move is played once. No client sees the new state
    /// before the commit, because this task answers nothing while it waits for it; if writing
    /// fails, the task ends and the state is dropped with it.
    pub(super) async fn append_event(
        &mut self,
        kind: EventKind,
        now: u64,
    ) -> Result<u32, ActionError> {
        // The system clock may have gone back between two starts; times of events must not.
        let at = now.max(self.events.last().map_or(0, |event| event.at));
        let events = match decision::apply(&mut self.state, kind, at) {
            Ok(events) => events,
            Err(ApplyError::Move(GameError::Illegal(error))) => {
                return Err(ApiError::new(ErrorCode::IllegalMove, error.to_string()).into());
            }
            Err(error) => {
                return Err(self.corrupt(self.state.last_event_number() + 1, &error).into());
            }
        };
        let number = events.first().map_or(0, |event| event.number);
        let end = self.game_end(&events, at);
        for event in self.server.store.append(self.id, events, end, self.fence).await? {
            // The storage adds the change of the ratings.
            if event.number > self.state.last_event_number() {
                self.state.apply(&event).map_err(|error| self.corrupt(event.number, &error))?;
            }
            if matches!(event.kind, EventKind::Chat { .. }) {
                self.chat_messages += 1;
            }
            self.publish(event, now);
        }
        self.update_info();
        if self.state.outcome().is_some() && self.subscribers.is_empty() {
            self.empty_since = now;
        }
        Ok(number)
    }

    /// Adds an event that is on disk, and broadcasts it.
    pub(super) fn publish(&mut self, event: Event, now: u64) {
        self.broadcast(&event, now);
        match event.kind {
            EventKind::Move { .. } => metrics::counter!("khet_moves_total").increment(1),
            EventKind::Ended(_) => {
                let GameStart { silver, red, .. } = self.state.start();
                self.server.games.game_ended([*silver, *red]);
                self.server.lobby.counts_changed();
                self.server.explorer.game_ended();
            }
            EventKind::Rated { .. } => self.profiles.clear(),
            _ => {}
        }
        self.events.push(event);
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
            started: self.state.start().clone(),
            outcome,
            at,
            moves: game.ply() as u32,
            position: game.position().placement(),
            rate: ratings::rater_for(self.state.options(), game.ply()),
        }))
    }

    /// Sends an event to all subscribers.
    fn broadcast(&mut self, event: &Event, now: u64) {
        let for_players = to_json(&ServerMessage::Event(event.clone()));
        let for_spectators = match event.kind {
            EventKind::Chat { .. } => to_json(&ServerMessage::Event(visible_to(event, None))),
            _ => for_players.clone(),
        };
        self.subscribers.send(now, |color| {
            if color.is_some() { for_players.clone() } else { for_spectators.clone() }
        });
    }
}
