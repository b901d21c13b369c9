//! Picking pieces, aiming, rotating, dropping.

use khet::{Kind, Move, Rotation, Square};

use super::{State, capital};
use crate::words;

/// A piece that has been picked up, and what is meant to be done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hand {
    pub(crate) square: Square,
    pub(crate) top_only: bool,
    pub(crate) rotation: Option<Rotation>,
}

/// What may happen on a square when the piece in the hand is dropped there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Move,
    Swap,
    Stack,
}

impl State {
    /// Where the piece in the hand may be dropped.
    pub(crate) fn targets(&self) -> Vec<(Square, Target)> {
        let Some(hand) = self.hand.filter(|hand| hand.rotation.is_none()) else {
            return Vec::new();
        };
        let position = self.game.position();
        let moves = position.legal_moves();
        let fits = |mv: &&Move| match mv {
            Move::Step { from, .. } => *from == hand.square && !hand.top_only,
            Move::Unstack { from, .. } => *from == hand.square && hand.top_only,
            Move::Rotate { .. } => false,
        };
        let obelisk = matches!(self.piece_kind(hand.square), Some(Kind::Obelisk | Kind::Stack));
        let target = |mv: &Move| match position.get(mv.to()) {
            None => (mv.to(), Target::Move),
            Some(_) if obelisk => (mv.to(), Target::Stack),
            Some(_) => (mv.to(), Target::Swap),
        };
        moves.iter().filter(fits).map(target).collect()
    }

    pub(super) fn piece_kind(&self, square: Square) -> Option<Kind> {
        self.game.position().get(square).map(|piece| piece.kind())
    }

    /// Picks a piece, or drops the one in the hand.
    pub(super) fn act(&mut self) {
        if !self.may_act() {
            return;
        }
        let Some(hand) = self.hand else {
            self.pick();
            return;
        };
        let to = self.cursor;
        let mv = match hand.rotation {
            Some(rotation) => Move::Rotate { square: hand.square, rotation },
            None if to == hand.square => {
                self.hand = None;
                self.message.clear();
                return;
            }
            None if hand.top_only => Move::Unstack { from: hand.square, to },
            None => Move::Step { from: hand.square, to },
        };
        let own = self.game.position().of_color(self.side()).has(to);
        if own && hand.rotation.is_none() && self.game.position().check(mv).is_err() {
            self.pick();
        } else {
            self.play(mv);
        }
    }

    /// Takes the piece under the cursor into the hand.
    pub(super) fn pick(&mut self) -> bool {
        let square = self.cursor;
        match self.game.position().get(square) {
            None => self.message = format!("{square} is empty. Go to one of your pieces."),
            Some(piece) if piece.color() != self.side() => {
                let owner = words::player(piece.color());
                self.message = format!("The {} on {square} is {owner}'s.", piece.role());
            }
            Some(piece) => {
                self.hand = Some(Hand { square, top_only: false, rotation: None });
                self.message = match piece.kind() {
                    Kind::Stack => {
                        "The stack: Enter drops it, t takes only its top, Esc puts it back."
                            .to_string()
                    }
                    Kind::Pharaoh | Kind::Obelisk => {
                        format!("The {}: Enter drops it, Esc puts it back.", piece.role())
                    }
                    Kind::Sphinx(_) => "The sphinx: [ or ] rotates it, Enter fires.".to_string(),
                    _ => format!(
                        "The {}: Enter drops it, [ ] rotate, Esc puts it back.",
                        piece.role()
                    ),
                };
                return true;
            }
        }
        false
    }

    pub(super) fn rotate(&mut self, rotation: Rotation) {
        if !self.may_act() || (self.hand.is_none() && !self.pick()) {
            return;
        }
        let Some(hand) = &mut self.hand else { return };
        self.cursor = hand.square;
        hand.top_only = false;
        // Once left and once right is not at all.
        if hand.rotation.is_some_and(|before| before != rotation) {
            hand.rotation = None;
            self.message = "As it stood. Enter puts it down.".to_string();
            return;
        }
        let again = hand.rotation == Some(rotation);
        match self.game.position().check(Move::Rotate { square: hand.square, rotation }) {
            // A djed that is rotated twice stands as before.
            Ok(Move::Rotate { .. }) if again && is_two_sided(self.piece_kind(self.cursor)) => {
                self.set_spin(None);
                self.message = "As it stood. Enter puts it down.".to_string();
            }
            Ok(_) if again => {
                self.message = "One quarter is a move. Enter plays it.".to_string();
            }
            Ok(_) => {
                self.set_spin(Some(rotation));
                self.message = "Enter plays the rotation, Esc cancels.".to_string();
            }
            Err(error) => self.message = capital(&format!("{error}.")),
        }
    }

    pub(super) fn set_spin(&mut self, rotation: Option<Rotation>) {
        if let Some(hand) = &mut self.hand {
            hand.rotation = rotation;
        }
    }

    pub(super) fn toggle_top(&mut self) {
        if !self.may_act() || (self.hand.is_none() && !self.pick()) {
            return;
        }
        let Some(hand) = &mut self.hand else { return };
        if self.game.position().get(hand.square).map(|piece| piece.kind()) == Some(Kind::Stack) {
            hand.top_only = !hand.top_only;
            let what = if hand.top_only { "Only the top" } else { "The whole stack" };
            self.message = format!("{what}: Enter drops it, t changes that, Esc puts it back.");
        } else {
            self.message = "Only a stack has a top to take.".to_string();
        }
    }
}

fn is_two_sided(kind: Option<Kind>) -> bool {
    matches!(kind, Some(Kind::Djed(_) | Kind::Eye(_) | Kind::Scarab(_)))
}
