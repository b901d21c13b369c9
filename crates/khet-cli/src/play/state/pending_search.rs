//! Searches of the engine: its own moves, and hints.

use std::time::Duration;

use khet::tower::{Square, TowerMove};
use khet::{GamePosition, Move, Rotation};

use super::{Effect, EngineReply, Opponent, PlayState};
use crate::describe;

/// The shortest time until the engine's move is played. An instant reply is hard to follow.
const MIN_REPLY_TIME: Duration = Duration::from_millis(600);
/// Time after which a running search is indicated on the screen.
const INDICATOR_DELAY: Duration = Duration::from_millis(300);

/// A search that was requested from the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PendingSearch {
    pub(super) ticket: u64,
    started_at: Duration,
    pub(super) is_hint: bool,
    reply: Option<EngineReply>,
}

impl PlayState {
    /// Returns the duration of a search that has run long enough to be shown, and whether it is for
    /// a hint.
    pub(crate) fn search_time(&self) -> Option<(Duration, bool)> {
        let search = self.search.filter(|search| search.reply.is_none())?;
        let time = self.now.saturating_sub(search.started_at);
        (time > INDICATOR_DELAY).then_some((time, search.is_hint))
    }

    /// Stores the engine's reply until it is due. Ignores replies to cancelled searches.
    pub(crate) fn receive_reply(&mut self, reply: EngineReply) {
        if let Some(search) = &mut self.search
            && search.ticket == reply.ticket
        {
            search.reply = Some(reply);
        }
    }

    /// Plays the engine's move, or shows its hint, if it has arrived and is due.
    pub(super) fn play_reply(&mut self) {
        let Some(PendingSearch { is_hint, started_at, reply: Some(reply), .. }) = self.search
        else {
            return;
        };
        if is_hint {
            self.search = None;
            self.show_hint(reply.mv);
        } else if self.now >= started_at + MIN_REPLY_TIME {
            self.search = None;
            match reply.mv {
                _ if reply.claims_draw => self.claim(),
                Some(mv) => self.play(mv),
                None => self.message = "The computer finds no move.".to_string(),
            }
        }
    }

    pub(super) fn show_hint(&mut self, mv: Option<Move<Square>>) {
        self.hint = mv;
        let mut next = *self.game.position();
        let shot = mv.and_then(|mv| next.play(mv).ok());
        if let (Some(mv), Some(shot)) = (mv, shot) {
            let action = match mv {
                Move::Step { from, to } => format!("{from} to {to}"),
                Move::Unstack { from, to } => format!("the top of {from} to {to}"),
                Move::Rotate { square, rotation: Rotation::Clockwise } => {
                    format!("rotate {square} right")
                }
                Move::Rotate { square, .. } => format!("rotate {square} left"),
                Move::Tower(TowerMove::Shift(to)) => format!("the tower to {to}"),
                Move::Tower(TowerMove::Rotate(Rotation::Clockwise)) => {
                    "rotate the tower right".to_string()
                }
                Move::Tower(TowerMove::Rotate(_)) => "rotate the tower left".to_string(),
            };
            self.message = format!("Hint: {action} ({mv}). The laser {}.", describe::effect(&shot));
        }
    }

    /// Requests a search for the engine's move or for a hint.
    pub(super) fn start_search(&mut self, is_hint: bool) {
        self.tickets += 1;
        let ticket = self.tickets;
        let started_at = self.now;
        self.search = Some(PendingSearch { ticket, started_at, is_hint, reply: None });
        let game = self.game.clone();
        self.effects.push(match self.opponent {
            Opponent::Computer { level, .. } if !is_hint => {
                Effect::ChooseMove { ticket, game, level }
            }
            _ => Effect::FindHint { ticket, game },
        });
    }

    pub(super) fn ask_for_hint(&mut self) {
        if self.may_act() && self.search.is_none() {
            self.selection = None;
            self.start_search(true);
        }
    }

    pub(super) fn cancel_search(&mut self) {
        if self.search.take().is_some() {
            self.effects.push(Effect::StopSearch);
        }
    }
}
