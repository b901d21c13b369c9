//! Joining and leaving, and messages about the connected players and spectators.

use khet_protocol::{ByColor, GameJoined, PersonId, PublicProfile, ServerMessage};

use super::Actor;
use crate::games::live_game_info::LiveGameInfo;
use crate::games::outgoing::{to_json, visible_to};
use crate::games::subscribers::Subscriber;

/// Delay before changes in the number of spectators are sent, in milliseconds.
pub(super) const SPECTATOR_COUNT_DELAY: u64 = 1000;

impl Actor {
    /// Adds a subscriber and sends it the game.
    pub(super) fn join(
        &mut self,
        person: Option<PersonId>,
        seen: u32,
        players: ByColor<PublicProfile>,
        mut subscriber: Subscriber,
        now: u64,
    ) {
        let you = person.and_then(|person| self.state.color_of(person));
        subscriber.person = person;
        subscriber.color = you;
        let after = if seen > self.state.last_event_number() { 0 } else { seen };
        let events = self.events[after as usize..].iter().map(|event| visible_to(event, you));
        let events = events.collect();
        let id = subscriber.id;
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
        self.subscribers.send_to(id, to_json(&joined));
        self.presence_changed(if was_here { now + SPECTATOR_COUNT_DELAY } else { now }, now);
    }

    /// Removes a subscriber.
    pub(super) fn leave(&mut self, id: u64, now: u64) {
        let before = self.subscribers.presence(&self.state).connected;
        if self.subscribers.leave(id, now) {
            let same = self.subscribers.presence(&self.state).connected == before;
            self.presence_changed(if same { now + SPECTATOR_COUNT_DELAY } else { now }, now);
        }
        if self.subscribers.is_empty() {
            self.empty_since = now;
        }
    }

    /// Schedules sending the presence: at once for players, with a delay for spectators.
    pub(super) fn presence_changed(&mut self, at: u64, now: u64) {
        self.presence_at = Some(self.presence_at.map_or(at, |before| before.min(at)));
        self.send_presence_if_due(now);
    }

    pub(super) fn send_presence_if_due(&mut self, now: u64) {
        if self.presence_at.take_if(|at| *at <= now).is_some() {
            let message = to_json(&ServerMessage::Presence(self.subscribers.presence(&self.state)));
            self.subscribers.send(now, |_| message.clone());
            self.update_info();
        }
    }

    /// Updates the data in lists of live games.
    pub(super) fn update_info(&self) {
        let info = LiveGameInfo::of(&self.state, self.subscribers.spectators());
        *self.info.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = info;
    }
}
