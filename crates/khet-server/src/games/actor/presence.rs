//! Joining and leaving, and messages about the connected players and spectators.

use khet::Color;
use khet_protocol::{ByColor, GameJoined, PersonId, PublicProfile, ServerMessage, Speed};

use super::Actor;
use crate::games::live_game_info::LiveGameInfo;
use crate::games::outgoing::{to_json, visible_to};
use crate::games::subscribers::Subscriber;
use crate::people;
use crate::storage::StorageError;

/// Delay before changes in the number of spectators are sent, in milliseconds.
pub(super) const SPECTATOR_COUNT_DELAY: u64 = 1000;
/// Time for which the players' profiles are cached, in milliseconds.
const PROFILE_CACHE_TIME: u64 = 30_000;

impl Actor {
    /// Adds a subscriber and sends it the game.
    pub(super) async fn join(
        &mut self,
        person: Option<PersonId>,
        seen: u32,
        mut subscriber: Subscriber,
        now: u64,
    ) -> Result<(), StorageError> {
        let you = person.and_then(|person| self.state.color_of(person));
        subscriber.person = person;
        subscriber.color = you;
        let after = if seen > self.state.last_event_number() { 0 } else { seen };
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
        self.subscribers.send_to(id, to_json(&joined));
        self.presence_changed(if was_here { now + SPECTATOR_COUNT_DELAY } else { now }, now);
        Ok(())
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

    /// Returns the players' profiles, which are cached for a while.
    pub(super) async fn players(
        &mut self,
        now: u64,
    ) -> Result<ByColor<PublicProfile>, StorageError> {
        if let Some((until, profiles)) = &self.profiles
            && now < *until
        {
            return Ok(profiles.clone());
        }
        let speed = Speed::of(self.state.options().time);
        let profiles = ByColor {
            silver: people::load_public_profile(
                &self.server.store,
                self.state.person(Color::Silver),
                speed,
            )
            .await?,
            red: people::load_public_profile(
                &self.server.store,
                self.state.person(Color::Red),
                speed,
            )
            .await?,
        };
        self.profiles = Some((now + PROFILE_CACHE_TIME, profiles.clone()));
        Ok(profiles)
    }
}
