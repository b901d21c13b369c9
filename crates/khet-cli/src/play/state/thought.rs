//! What the computer thinks about: its turns, and hints.

use std::time::Duration;

use khet::{Move, Rotation};

use super::{Opponent, Reply, State, Wish};
use crate::words;

/// Nobody likes to be answered at once.
const PAUSE: Duration = Duration::from_millis(600);
/// Thinking is shown when it takes longer than this.
const PATIENCE: Duration = Duration::from_millis(300);

/// What the computer has been asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Thought {
    pub(super) ticket: u64,
    since: Duration,
    pub(super) hint: bool,
    reply: Option<Reply>,
}

impl State {
    /// How long the computer has been thinking, if that is worth showing: true for a hint.
    pub(crate) fn thinking(&self) -> Option<(Duration, bool)> {
        let thought = self.thought.filter(|thought| thought.reply.is_none())?;
        let time = self.now.saturating_sub(thought.since);
        (time > PATIENCE).then_some((time, thought.hint))
    }

    /// The computer has made up its mind.
    pub(crate) fn answered(&mut self, reply: Reply) {
        if let Some(thought) = &mut self.thought
            && thought.ticket == reply.ticket
        {
            thought.reply = Some(reply);
        }
    }

    pub(super) fn play_reply(&mut self) {
        let Some(Thought { hint, since, reply: Some(reply), .. }) = self.thought else { return };
        if hint {
            self.thought = None;
            self.show_hint(reply.mv);
        } else if self.now >= since + PAUSE {
            self.thought = None;
            match reply.mv {
                _ if reply.claims_draw => self.claim(),
                Some(mv) => self.play(mv),
                None => self.message = "The computer finds no move.".to_string(),
            }
        }
    }

    pub(super) fn show_hint(&mut self, mv: Option<Move>) {
        self.hint = mv;
        let mut next = *self.game.position();
        let shot = mv.and_then(|mv| next.play(mv).ok());
        if let (Some(mv), Some(shot)) = (mv, shot) {
            let way = match mv {
                Move::Step { from, to } => format!("{from} to {to}"),
                Move::Unstack { from, to } => format!("the top of {from} to {to}"),
                Move::Rotate { square, rotation: Rotation::Clockwise } => {
                    format!("rotate {square} right")
                }
                Move::Rotate { square, .. } => format!("rotate {square} left"),
            };
            self.message = format!("Hint: {way} ({mv}). The laser {}.", words::effect(&shot));
        }
    }

    pub(super) fn ask_computer(&mut self, hint: bool) {
        self.tickets += 1;
        let ticket = self.tickets;
        self.thought = Some(Thought { ticket, since: self.now, hint, reply: None });
        let game = self.game.clone();
        self.wishes.push(match self.opponent {
            Opponent::Computer { level, .. } if !hint => Wish::Think { ticket, game, level },
            _ => Wish::Hint { ticket, game },
        });
    }

    pub(super) fn ask_for_hint(&mut self) {
        if self.may_act() && self.thought.is_none() {
            self.hand = None;
            self.ask_computer(true);
        }
    }

    pub(super) fn forget_thought(&mut self) {
        if self.thought.take().is_some() {
            self.wishes.push(Wish::Stop);
        }
    }
}
