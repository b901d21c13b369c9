//! Who is connected to a game: players, perhaps with several tabs, and people who watch.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::extract::ws::Utf8Bytes;
use khet::Color;
use khet_protocol::{ByColor, GameState, Presence};
use tokio::sync::mpsc;

use super::decide;

/// The way to a client. Who does not keep up with it is let go.
pub(crate) type Outbox = mpsc::Sender<Utf8Bytes>;

/// Someone who is connected to a game.
#[derive(Debug)]
pub(crate) struct Member {
    /// A number that no other member ever has.
    pub(crate) id: u64,
    /// Whom they play; nobody who watches.
    pub(crate) color: Option<Color>,
    pub(crate) outbox: Outbox,
    /// The last round trip, in milliseconds, as the server measured it.
    pub(crate) round_trip: Arc<AtomicU32>,
}

/// Who is there, and since when a player is not.
#[derive(Debug)]
pub(crate) struct Attendance {
    members: Vec<Member>,
    gone_since: [Option<u64>; 2],
}

impl Attendance {
    /// Nobody is there yet.
    pub(crate) fn new(now: u64) -> Attendance {
        Attendance { members: Vec::new(), gone_since: [Some(now); 2] }
    }

    pub(crate) fn join(&mut self, member: Member) {
        if let Some(color) = member.color {
            self.gone_since[color as usize] = None;
        }
        self.members.push(member);
    }

    /// A member leaves; whether there was such a one.
    pub(crate) fn leave(&mut self, id: u64, now: u64) -> bool {
        let before = self.members.len();
        self.members.retain(|member| member.id != id);
        self.notice_gone(now);
        self.members.len() < before
    }

    fn notice_gone(&mut self, now: u64) {
        for color in Color::ALL {
            let here = self.members.iter().any(|member| member.color == Some(color));
            let since = &mut self.gone_since[color as usize];
            if !here && since.is_none() {
                *since = Some(now);
            }
        }
    }

    /// Sends to all. Who has not taken what was sent before is let go, and comes back by itself.
    pub(crate) fn send(&mut self, now: u64, message: impl Fn(Option<Color>) -> Utf8Bytes) {
        let before = self.members.len();
        self.members.retain(|member| member.outbox.try_send(message(member.color)).is_ok());
        if self.members.len() < before {
            self.notice_gone(now);
        }
    }

    /// Sends to one.
    pub(crate) fn send_to(&mut self, id: u64, message: Utf8Bytes) {
        if let Some(member) = self.members.iter().find(|member| member.id == id) {
            let _ = member.outbox.try_send(message);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(crate) fn watching(&self) -> u32 {
        self.members.iter().filter(|member| member.color.is_none()).count() as u32
    }

    pub(crate) fn gone_since(&self, color: Color) -> Option<u64> {
        self.gone_since[color as usize]
    }

    /// A player has done something: who is not connected has been away since then at most. Says whether it is so.
    pub(crate) fn acted(&mut self, color: Color, now: u64) -> bool {
        let since = &mut self.gone_since[color as usize];
        *since = since.map(|_| now);
        since.is_some()
    }

    /// A player's round trip: the longest of their connections, in milliseconds.
    pub(crate) fn round_trip(&self, color: Color) -> u64 {
        let of_player = self.members.iter().filter(|member| member.color == Some(color));
        let longest = of_player.map(|member| member.round_trip.load(Ordering::Relaxed)).max();
        u64::from(longest.unwrap_or(0))
    }

    /// What clients are told about it.
    pub(crate) fn presence(&self, state: &GameState) -> Presence {
        let here = |color: Color| self.gone_since[color as usize].is_none();
        let claims = Color::ALL.into_iter().filter_map(|color| {
            // Nobody claims when both are gone.
            let since = self.gone_since(color).filter(|_| here(!color))?;
            decide::claim_at(state, since)
        });
        Presence {
            connected: ByColor { silver: here(Color::Silver), red: here(Color::Red) },
            spectators: self.watching(),
            claim_at: claims.min(),
        }
    }
}
