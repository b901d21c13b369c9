//! A game as this browser knows it: the server's events, and the move that waits for its answer.
//!
//! It knows neither page nor network: it is told what was heard, and tested without a browser.

use std::time::Duration;

use khet::{Color, Move};
use khet_protocol::{
    Action, ApplyError, ByColor, ClientMessage, Event, EventKind, GameJoined, GameState, Presence,
    PublicProfile, RatingChange,
};

use crate::game::session::{Mode, Session};

/// A game over the network.
#[derive(Clone, Debug)]
pub(super) struct Live {
    /// Whom the person here plays; nobody when watching.
    pub(super) you: Option<Color>,
    pub(super) players: ByColor<PublicProfile>,
    pub(super) state: GameState,
    pub(super) presence: Presence,
    pub(super) chat: Vec<Said>,
    /// What the game did to the ratings.
    pub(super) rated: Option<ByColor<RatingChange>>,
    /// The move that was made here and is not acknowledged yet.
    pub(super) pending: Option<Pending>,
    /// How far the server's clock is before ours, in milliseconds.
    ahead: i64,
}

/// Something that a player said.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Said {
    pub(super) number: u32,
    pub(super) by: Color,
    pub(super) text: String,
}

/// A turn on its way to the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pending {
    pub(super) key: u32,
    ply: u32,
    pub(super) mv: Move,
}

impl Pending {
    /// The message to the server. It is the same at every attempt.
    pub(super) fn message(self) -> ClientMessage {
        let action = Action::Move { ply: self.ply, mv: self.mv };
        ClientMessage::Action { key: self.key, action }
    }
}

/// What an event means for the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// It was known already.
    Known,
    /// A move: its shot is to be shown.
    Move,
    /// Something beside the board.
    Other,
}

impl Live {
    /// Whether the server has this move.
    pub(super) fn has_made(&self, pending: Pending) -> bool {
        self.you.is_some_and(|you| self.state.event_of(you, pending.key).is_some())
    }

    /// The game of a first welcome, or of one that brings everything. `now` is our clock.
    pub(super) fn begin(welcome: &GameJoined, now: u64) -> Result<(Live, Session), ApplyError> {
        let (first, rest) = welcome.events.split_first().ok_or(ApplyError::Beginning)?;
        let state = GameState::begin(first)?;
        let mode = Mode::Online { you: welcome.you };
        let mut session = Session::new(*state.game().start(), mode, khet::TimeControl::Unlimited);
        let mut live = Live {
            you: welcome.you,
            players: welcome.players.clone(),
            state,
            presence: welcome.presence,
            chat: Vec::new(),
            rated: None,
            pending: None,
            ahead: ahead(welcome.now, now),
        };
        for event in rest {
            live.hear(event, &mut session)?;
        }
        session.hush();
        Ok((live, session))
    }

    /// Goes on with what a welcome brings after a break. Says whether exactly one move is new.
    pub(super) fn resume(
        &mut self,
        welcome: &GameJoined,
        session: &mut Session,
        now: u64,
    ) -> Result<Heard, ApplyError> {
        self.ahead = ahead(welcome.now, now);
        self.players = welcome.players.clone();
        self.presence = welcome.presence;
        let mut moves = 0;
        let mut heard = Heard::Known;
        for event in &welcome.events {
            match self.hear(event, session)? {
                Heard::Move => moves += 1,
                Heard::Other => heard = Heard::Other,
                Heard::Known => {}
            }
        }
        Ok(match moves {
            0 => heard,
            1 => Heard::Move,
            _ => {
                session.hush();
                Heard::Other
            }
        })
    }

    /// Adds an event. It is an error if some are missing before it: all are to be asked for then.
    pub(super) fn hear(
        &mut self,
        event: &Event,
        session: &mut Session,
    ) -> Result<Heard, ApplyError> {
        if event.number <= self.state.last() {
            return Ok(Heard::Known);
        }
        let shot = self.state.apply(event)?;
        let mut heard = Heard::Other;
        if let Some(shot) = shot {
            session.follow(self.state.game(), shot);
            heard = Heard::Move;
        }
        match &event.kind {
            EventKind::TakenBack { .. } => session.shorten(self.state.game().moves().len()),
            EventKind::Ended(outcome) => session.set_outcome(*outcome),
            EventKind::Chat { by, text } => {
                self.chat.push(Said { number: event.number, by: *by, text: text.clone() });
            }
            EventKind::Rated { silver, red } => {
                self.rated = Some(ByColor { silver: *silver, red: *red });
            }
            _ => {}
        }
        // Its own event is its acknowledgement, and what overtook it has refused it.
        let plies = self.state.game().moves().len();
        let over = self.state.outcome().is_some();
        self.pending.take_if(|pending| pending.ply as usize != plies || over);
        Ok(heard)
    }

    /// Makes a move here, if it is this player's; it waits for the server.
    pub(super) fn make(&mut self, mv: Move, key: u32) -> Option<Pending> {
        let mine = self.you == Some(self.state.to_move()) && self.state.outcome().is_none();
        if !mine || self.pending.is_some() {
            return None;
        }
        let ply = u32::try_from(self.state.game().moves().len()).ok()?;
        self.pending = Some(Pending { key, ply, mv });
        self.pending
    }

    /// The server's time.
    pub(super) fn server_time(&self, now: u64) -> u64 {
        now.saturating_add_signed(self.ahead)
    }

    /// What a player has left, if there are clocks.
    pub(super) fn left(&self, color: Color, now: u64) -> Option<u64> {
        let now = Duration::from_millis(self.server_time(now));
        self.state.clock().map(|clock| clock.left(color, now).as_millis() as u64)
    }

    /// The other player, for someone who plays.
    pub(super) fn opponent(&self) -> Option<&PublicProfile> {
        self.you.map(|you| self.players.get(!you))
    }

    /// In how many seconds the opponent, who is gone, can be claimed from; 0 if now.
    pub(super) fn claim_in(&self, now: u64) -> Option<u64> {
        let you = self.you?;
        if *self.presence.connected.get(!you) || self.state.outcome().is_some() {
            return None;
        }
        let wait = self.presence.claim_at?.saturating_sub(self.server_time(now));
        Some(wait.div_ceil(1000))
    }
}

fn ahead(server: u64, now: u64) -> i64 {
    server.cast_signed().saturating_sub(now.cast_signed())
}

#[cfg(test)]
mod tests {
    use khet::{Outcome, Termination};
    use khet_protocol::{PersonId, PersonKind};

    use super::*;

    fn welcome(events: &[&str], after: u32) -> GameJoined {
        let face = |number| PublicProfile {
            id: PersonId::from_number(number),
            kind: PersonKind::Guest,
            name: None,
            rating: None,
        };
        let started = r#"{"started": {"silver": "aaaaaaaaaaaa", "red": "bbbbbbbbbbbb", "start": "classic",
            "rules": "standard", "time": "300+3", "rated": false}}"#;
        let all = [started].into_iter().chain(events.iter().copied());
        let events = all.zip(1..).skip(after as usize).map(|(what, number)| Event {
            number,
            at: 1_000_000 + u64::from(number) * 1000,
            kind: serde_json::from_str(what).expect("an event"),
        });
        GameJoined {
            game: "7Hc0aWxz".parse().expect("an id"),
            you: Some(Color::Silver),
            players: ByColor { silver: face(1), red: face(2) },
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
    fn a_move_waits_for_the_server_and_is_sent_again_as_it_was() {
        let (mut live, mut session) = Live::begin(&welcome(&[], 0), 0).expect("a game");
        let mv = "h2+".parse().expect("a move");
        let pending = live.make(mv, 7).expect("it is Silver's turn");
        assert_eq!(live.make(mv, 9), None, "one at a time");
        assert_eq!(session.game().moves().len(), 0, "nothing is played before the server says so");
        // A break: the server does not know it.
        assert_eq!(live.resume(&welcome(&[], 1), &mut session, 0), Ok(Heard::Known));
        assert_eq!(live.pending.map(Pending::message), Some(pending.message()));
        // Another break: now it does.
        assert_eq!(live.resume(&welcome(&[FIRST], 1), &mut session, 0), Ok(Heard::Move));
        assert_eq!(live.pending, None);
        assert_eq!(session.game().moves().len(), 1);
    }

    #[test]
    fn events_count_once_and_none_may_be_missing() {
        let (mut live, mut session) = Live::begin(&welcome(&[FIRST], 0), 0).expect("a game");
        let events =
            welcome(&[FIRST, SECOND, r#"{"chat": {"by": "red", "text": "Hi"}}"#], 1).events;
        assert_eq!(live.hear(&events[0], &mut session), Ok(Heard::Known));
        assert!(live.hear(&events[2], &mut session).is_err());
        assert_eq!(live.hear(&events[1], &mut session), Ok(Heard::Move));
        assert_eq!(live.hear(&events[2], &mut session), Ok(Heard::Other));
        assert_eq!(live.chat.len(), 1);
        assert_eq!(session.game().moves().len(), 2);
    }

    #[test]
    fn takebacks_and_ends_reach_the_board() {
        let events = [FIRST, SECOND, r#"{"taken-back": {"moves": 2}}"#];
        let (mut live, mut session) = Live::begin(&welcome(&events, 0), 0).expect("a game");
        assert_eq!(session.game().moves().len(), 0);
        let end =
            [&events[..], &[r#"{"ended": {"winner": "red", "reason": "resignation"}}"#]].concat();
        live.resume(&welcome(&end, 4), &mut session, 0).expect("an end");
        let resignation = Outcome::win(Color::Red, Termination::Resignation);
        assert_eq!(session.outcome(), Some(resignation));
        assert_eq!(live.make("h2+".parse().expect("a move"), 1), None);
    }

    #[test]
    fn clocks_go_by_the_server() {
        let (live, _) = Live::begin(&welcome(&[FIRST, SECOND], 0), 500_000).expect("a game");
        // The third event is at 1 003 000, the welcome at 1 010 000, which is our 500 000.
        assert_eq!(live.left(Color::Silver, 500_000), Some(293_000));
        assert_eq!(live.left(Color::Silver, 501_500), Some(291_500));
        assert_eq!(live.left(Color::Red, 501_500), Some(300_000));
    }

    #[test]
    fn only_an_opponent_who_is_gone_is_claimed_from() {
        let mut gone = welcome(&[FIRST, SECOND], 0);
        gone.presence.claim_at = Some(1_030_000);
        let (mut live, _) = Live::begin(&gone, 1_010_000).expect("a game");
        assert_eq!(live.claim_in(1_010_000), None);
        live.presence.connected.red = false;
        assert_eq!(live.claim_in(1_010_000), Some(20));
        assert_eq!(live.claim_in(1_031_000), Some(0));
    }
}
