//! The client's copy of an online game: the server's events, and the move that the server has not
//! confirmed yet.
//!
//! It depends on neither page nor network, so that it can be tested without a browser.

use std::time::Duration;

use khet::Color;
use khet_protocol::{
    Action, ApiError, ApplyError, ByColor, ClientMessage, Event, EventKind, GameJoined, GameState,
    Presence, PublicProfile, RatingChange,
};

use crate::api::is_temporary;
use crate::game::session::{GameSession, Mode};
use crate::rules::Move;

/// The client's copy of an online game.
#[derive(Clone, Debug)]
pub(super) struct ClientGame {
    /// The side of this player, or `None` for spectators.
    pub(super) you: Option<Color>,
    pub(super) players: ByColor<PublicProfile>,
    pub(super) state: GameState,
    pub(super) presence: Presence,
    pub(super) chat: Vec<ChatMessage>,
    /// The rating changes after the game.
    pub(super) rating_changes: Option<ByColor<RatingChange>>,
    /// The move of this player that the server has not confirmed yet.
    pub(super) unconfirmed: Option<UnconfirmedMove>,
    /// The server's time minus the local time, in milliseconds.
    clock_offset: i64,
}

/// A chat message of a player.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct ChatMessage {
    pub(super) number: u32,
    pub(super) by: Color,
    pub(super) text: String,
}

/// A move that was sent to the server and is not confirmed yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UnconfirmedMove {
    pub(super) key: u32,
    ply: u32,
    pub(super) mv: Move,
}

impl UnconfirmedMove {
    /// Returns the message to the server. Its key is the same at every attempt, so that the server
    /// plays the move only once.
    pub(super) fn message(self) -> ClientMessage {
        let action = Action::Move { ply: self.ply, mv: self.mv };
        ClientMessage::Action { key: self.key, action }
    }
}

/// The kind of change that an event made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameChange {
    /// The event was known already.
    None,
    /// A move, whose shot is to be animated.
    Move,
    /// Any other change.
    Other,
}

impl ClientGame {
    /// Returns whether the server has confirmed this move.
    pub(super) fn is_confirmed(&self, unconfirmed: UnconfirmedMove) -> bool {
        self.you.is_some_and(|you| self.state.event_of(you, unconfirmed.key).is_some())
    }

    /// Builds the game from a message with all events. `now` is the local time.
    pub(super) fn new(
        joined: &GameJoined,
        now: u64,
    ) -> Result<(ClientGame, GameSession), ApplyError> {
        let (first, rest) = joined.events.split_first().ok_or(ApplyError::Beginning)?;
        let state = GameState::begin(first)?;
        let mode = Mode::Online { you: joined.you };
        let mut session =
            GameSession::new(state.game().start(), mode, khet::TimeControl::Unlimited);
        let mut client = ClientGame {
            you: joined.you,
            players: joined.players.clone(),
            state,
            presence: joined.presence,
            chat: Vec::new(),
            rating_changes: None,
            unconfirmed: None,
            clock_offset: clock_offset(joined.now, now),
        };
        for event in rest {
            client.apply(event, &mut session)?;
        }
        session.skip_animation();
        Ok((client, session))
    }

    /// Adds the events that were missed while disconnected. Returns [`GameChange::Move`] only if
    /// exactly one move is new.
    pub(super) fn resume(
        &mut self,
        joined: &GameJoined,
        session: &mut GameSession,
        now: u64,
    ) -> Result<GameChange, ApplyError> {
        self.clock_offset = clock_offset(joined.now, now);
        self.players = joined.players.clone();
        self.presence = joined.presence;
        let mut moves = 0;
        let mut change = GameChange::None;
        for event in &joined.events {
            match self.apply(event, session)? {
                GameChange::Move => moves += 1,
                GameChange::Other => change = GameChange::Other,
                GameChange::None => {}
            }
        }
        Ok(match moves {
            0 => change,
            1 => GameChange::Move,
            _ => {
                session.skip_animation();
                GameChange::Other
            }
        })
    }

    /// Adds an event. Returns an error if events before it are missing; all must be requested then.
    pub(super) fn apply(
        &mut self,
        event: &Event,
        session: &mut GameSession,
    ) -> Result<GameChange, ApplyError> {
        if event.number <= self.state.last_event_number() {
            return Ok(GameChange::None);
        }
        self.state.apply(event)?;
        let mut change = GameChange::Other;
        if let EventKind::Move { mv, .. } = &event.kind {
            // The state has accepted the move, so it is legal.
            let _ = session.append_move(*mv);
            change = GameChange::Move;
        }
        match &event.kind {
            EventKind::TakenBack { .. } => session.truncate(self.state.game().ply()),
            EventKind::Ended(outcome) => session.set_outcome(*outcome),
            EventKind::Chat { by, text } => {
                self.chat.push(ChatMessage { number: event.number, by: *by, text: text.clone() });
            }
            EventKind::Rated { silver, red } => {
                self.rating_changes = Some(ByColor { silver: *silver, red: *red });
            }
            _ => {}
        }
        // The event of the move itself confirms it. Any other new ply means that it was rejected.
        let plies = self.state.game().ply();
        let over = self.state.outcome().is_some();
        self.unconfirmed.take_if(|unconfirmed| unconfirmed.ply as usize != plies || over);
        Ok(change)
    }

    /// Adds a move of this player as unconfirmed. Returns `None` if it is not this player's turn.
    pub(super) fn make_move(&mut self, mv: Move, key: u32) -> Option<UnconfirmedMove> {
        let my_turn = self.you == Some(self.state.to_move()) && self.state.outcome().is_none();
        if !my_turn || self.unconfirmed.is_some() {
            return None;
        }
        let ply = u32::try_from(self.state.game().ply()).ok()?;
        self.unconfirmed = Some(UnconfirmedMove { key, ply, mv });
        self.unconfirmed
    }

    /// Handles the refusal of the action with this key. Removes a refused move, unless it may succeed
    /// later. Returns whether a move has to be sent again.
    pub(super) fn refuse_move(&mut self, key: u32, error: &ApiError) -> bool {
        if self.unconfirmed.is_none_or(|unconfirmed| unconfirmed.key != key) {
            return false;
        }
        let send_again = is_temporary(error);
        if !send_again {
            self.unconfirmed = None;
        }
        send_again
    }

    /// Converts a local time to the server's time.
    pub(super) fn server_time(&self, now: u64) -> u64 {
        now.saturating_add_signed(self.clock_offset)
    }

    /// Returns the time that a player has left, in milliseconds, if the game has clocks.
    pub(super) fn time_left(&self, color: Color, now: u64) -> Option<u64> {
        let now = Duration::from_millis(self.server_time(now));
        self.state.clock().map(|clock| clock.left(color, now).as_millis() as u64)
    }

    /// Returns the opponent of this player.
    pub(super) fn opponent(&self) -> Option<&PublicProfile> {
        self.you.map(|you| self.players.get(!you))
    }

    /// Returns the number of seconds until this player may claim victory, or 0 if it is possible
    /// now, if the opponent is disconnected.
    pub(super) fn seconds_until_claim(&self, now: u64) -> Option<u64> {
        let you = self.you?;
        if *self.presence.connected.get(!you) || self.state.outcome().is_some() {
            return None;
        }
        let wait = self.presence.claim_at?.saturating_sub(self.server_time(now));
        Some(wait.div_ceil(1000))
    }
}

/// Returns the server's time minus the local time, in milliseconds.
fn clock_offset(server: u64, now: u64) -> i64 {
    server.cast_signed().saturating_sub(now.cast_signed())
}

#[cfg(test)]
mod tests {
    use khet::{Outcome, Termination};
    use khet_protocol::{ErrorCode, PersonId, PersonKind};

    use super::*;

    fn joined(events: &[&str], after: u32) -> GameJoined {
        let profile = |number| PublicProfile {
            id: PersonId::from_number(number),
            kind: PersonKind::Guest,
            name: None,
            rating: None,
        };
        let started = r#"{"started": {"silver": "aaaaaaaaaaaa", "red": "bbbbbbbbbbbb", "start": "classic",
            "rules": "standard", "time": "300+3", "rated": false}}"#;
        let all = [started].into_iter().chain(events.iter().copied());
        let events = all.zip(1..).skip(after as usize).map(|(kind, number)| Event {
            number,
            at: 1_000_000 + u64::from(number) * 1000,
            kind: serde_json::from_str(kind).expect("an event"),
        });
        GameJoined {
            game: "7Hc0aWxz".parse().expect("an id"),
            you: Some(Color::Silver),
            players: ByColor { silver: profile(1), red: profile(2) },
            after,
            events: events.collect(),
            presence: Presence {
                connected: ByColor { silver: true, red: true },
                spectators: 0,
                claim_at: None,
            },
            now: 1_010_000,
        }
    }

    const FIRST: &str = r#"{"move": {"move": "h2+", "key": 7, "left": 300000}}"#;
    const SECOND: &str = r#"{"move": {"move": "a5b5", "key": 8, "left": 300000}}"#;

    #[test]
    fn unconfirmed_move_is_kept_until_the_server_confirms_it() {
        let (mut client, mut session) = ClientGame::new(&joined(&[], 0), 0).expect("a game");
        let mv = "h2+".parse().expect("a move");
        let unconfirmed = client.make_move(mv, 7).expect("it is Silver's turn");
        assert_eq!(client.make_move(mv, 9), None, "one at a time");
        assert_eq!(
            session.game().moves().len(),
            0,
            "no move is played before the server confirms it"
        );
        // After a reconnection, the server does not know the move.
        assert_eq!(client.resume(&joined(&[], 1), &mut session, 0), Ok(GameChange::None));
        assert_eq!(client.unconfirmed.map(UnconfirmedMove::message), Some(unconfirmed.message()));
        // After another one, it does.
        assert_eq!(client.resume(&joined(&[FIRST], 1), &mut session, 0), Ok(GameChange::Move));
        assert_eq!(client.unconfirmed, None);
        assert_eq!(session.game().moves().len(), 1);
    }

    #[test]
    fn refused_move_is_kept_if_it_may_succeed_later() {
        let (mut client, _) = ClientGame::new(&joined(&[], 0), 0).expect("a game");
        let unconfirmed = client.make_move("h2+".parse().expect("a move"), 7);
        let unavailable = ApiError::new(ErrorCode::Unavailable, "the game is moving");
        assert!(!client.refuse_move(8, &unavailable), "another action was refused");
        assert!(client.refuse_move(7, &unavailable));
        assert_eq!(client.unconfirmed, unconfirmed);
        let illegal = ApiError::new(ErrorCode::IllegalMove, "the move is illegal");
        assert!(!client.refuse_move(7, &illegal));
        assert_eq!(client.unconfirmed, None);
    }

    #[test]
    fn known_events_are_ignored_and_gaps_are_errors() {
        let (mut client, mut session) = ClientGame::new(&joined(&[FIRST], 0), 0).expect("a game");
        let events = joined(&[FIRST, SECOND, r#"{"chat": {"by": "red", "text": "Hi"}}"#], 1).events;
        assert_eq!(client.apply(&events[0], &mut session), Ok(GameChange::None));
        assert!(client.apply(&events[2], &mut session).is_err());
        assert_eq!(client.apply(&events[1], &mut session), Ok(GameChange::Move));
        assert_eq!(client.apply(&events[2], &mut session), Ok(GameChange::Other));
        assert_eq!(client.chat.len(), 1);
        assert_eq!(session.game().moves().len(), 2);
    }

    #[test]
    fn takebacks_and_outcomes_change_the_session() {
        let events = [FIRST, SECOND, r#"{"taken-back": {"moves": 2}}"#];
        let (mut client, mut session) = ClientGame::new(&joined(&events, 0), 0).expect("a game");
        assert_eq!(session.game().moves().len(), 0);
        let end =
            [&events[..], &[r#"{"ended": {"winner": "red", "reason": "resignation"}}"#]].concat();
        client.resume(&joined(&end, 4), &mut session, 0).expect("an end");
        let resignation = Outcome::win(Color::Red, Termination::Resignation);
        assert_eq!(session.outcome(), Some(resignation));
        assert_eq!(client.make_move("h2+".parse().expect("a move"), 1), None);
    }

    #[test]
    fn clocks_use_the_servers_time() {
        let (client, _) = ClientGame::new(&joined(&[FIRST, SECOND], 0), 500_000).expect("a game");
        // The third event is at 1 003 000, the joined at 1 010 000, which is 500 000 locally.
        assert_eq!(client.time_left(Color::Silver, 500_000), Some(293_000));
        assert_eq!(client.time_left(Color::Silver, 501_500), Some(291_500));
        assert_eq!(client.time_left(Color::Red, 501_500), Some(300_000));
    }

    #[test]
    fn victory_can_be_claimed_only_over_a_disconnected_opponent() {
        let mut gone = joined(&[FIRST, SECOND], 0);
        gone.presence.claim_at = Some(1_030_000);
        let (mut client, _) = ClientGame::new(&gone, 1_010_000).expect("a game");
        assert_eq!(client.seconds_until_claim(1_010_000), None);
        client.presence.connected.red = false;
        assert_eq!(client.seconds_until_claim(1_010_000), Some(20));
        assert_eq!(client.seconds_until_claim(1_031_000), Some(0));
    }
}
