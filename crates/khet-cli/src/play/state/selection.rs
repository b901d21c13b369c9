//! Moving with the cursor: selecting a piece, rotating it, and dropping it on a square.
//!
//! The board of the web app has its own version, which chooses from a given list of moves and
//! ignores all others. Here [`Position::check`](khet::Position::check) explains an illegal move.

use khet::{Kind, Move, Piece, Rotation, Square};

use super::{PlayState, capitalize};
use crate::describe;

/// The selected piece, and how it will move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SelectedPiece {
    pub(crate) square: Square,
    /// Only the top of a stack moves.
    pub(crate) top_only: bool,
    /// Set while a rotation is shown that Enter will play.
    pub(crate) rotation: Option<Rotation>,
}

/// The effect of dropping the selected piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DropTarget {
    Empty,
    Swap,
    Stack,
}

/// Message after a rotation was cancelled.
const NOT_ROTATED: &str = "Not rotated. Enter puts it down.";

impl PlayState {
    /// Returns the squares to which the selected piece can move.
    pub(crate) fn drop_targets(&self) -> Vec<(Square, DropTarget)> {
        let Some(selection) = self.selection.filter(|selection| selection.rotation.is_none())
        else {
            return Vec::new();
        };
        let position = self.game.position();
        let moves = position.legal_moves();
        let is_drop = |mv: &&Move| match mv {
            Move::Step { from, .. } => *from == selection.square && !selection.top_only,
            Move::Unstack { from, .. } => *from == selection.square && selection.top_only,
            Move::Rotate { .. } | Move::Tower(_) => false,
        };
        let is_obelisk =
            matches!(self.piece_kind(selection.square), Some(Kind::Obelisk | Kind::Stack));
        let target = |mv: &Move| match position.get(mv.to()) {
            None => (mv.to(), DropTarget::Empty),
            Some(_) if is_obelisk => (mv.to(), DropTarget::Stack),
            Some(_) => (mv.to(), DropTarget::Swap),
        };
        moves.iter().filter(is_drop).map(target).collect()
    }

    pub(super) fn piece_kind(&self, square: Square) -> Option<Kind> {
        self.game.position().get(square).map(|piece| piece.kind())
    }

    /// Selects the piece under the cursor, or drops the selected piece there.
    pub(super) fn select_or_drop(&mut self) {
        if !self.may_act() {
            return;
        }
        let Some(selection) = self.selection else {
            self.select();
            return;
        };
        let to = self.cursor;
        let mv = match selection.rotation {
            Some(rotation) => Move::Rotate { square: selection.square, rotation },
            None if to == selection.square => {
                self.selection = None;
                self.message.clear();
                return;
            }
            None if selection.top_only => Move::Unstack { from: selection.square, to },
            None => Move::Step { from: selection.square, to },
        };
        // An illegal drop on another own piece selects that piece instead.
        let own = self.game.position().of_color(self.side()).has(to);
        if own && selection.rotation.is_none() && self.game.position().check(mv).is_err() {
            self.select();
        } else {
            self.play(mv);
        }
    }

    /// Selects the piece under the cursor. Returns whether it belongs to the side to move.
    fn select(&mut self) -> bool {
        let square = self.cursor;
        match self.game.position().get(square) {
            None => self.message = format!("{square} is empty. Go to one of your pieces."),
            Some(piece) if piece.color() != self.side() => {
                let owner = describe::side_name(piece.color());
                self.message = format!("The {} on {square} is {owner}'s.", piece.role());
            }
            Some(piece) => {
                self.selection = Some(SelectedPiece { square, top_only: false, rotation: None });
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
        if !self.may_act() || (self.selection.is_none() && !self.select()) {
            return;
        }
        let Some(selection) = &mut self.selection else { return };
        self.cursor = selection.square;
        selection.top_only = false;
        // Rotating back cancels the rotation.
        if selection.rotation.is_some_and(|before| before != rotation) {
            selection.rotation = None;
            self.message = NOT_ROTATED.to_string();
            return;
        }
        let again = selection.rotation == Some(rotation);
        match self.game.position().check(Move::Rotate { square: selection.square, rotation }) {
            // A two-sided piece is unchanged after two rotations.
            Ok(Move::Rotate { .. })
                if again && is_two_sided(self.game.position().get(self.cursor)) =>
            {
                self.set_rotation(None);
                self.message = NOT_ROTATED.to_string();
            }
            Ok(_) if again => {
                self.message = "A move is one rotation. Enter plays it.".to_string();
            }
            Ok(_) => {
                self.set_rotation(Some(rotation));
                self.message = "Enter plays the rotation, Esc cancels.".to_string();
            }
            Err(error) => self.message = capitalize(&format!("{error}.")),
        }
    }

    fn set_rotation(&mut self, rotation: Option<Rotation>) {
        if let Some(selection) = &mut self.selection {
            selection.rotation = rotation;
        }
    }

    /// Switches between the top of a stack and the whole stack.
    pub(super) fn toggle_top(&mut self) {
        if !self.may_act() || (self.selection.is_none() && !self.select()) {
            return;
        }
        let Some(selection) = &mut self.selection else { return };
        if self.game.position().get(selection.square).map(|piece| piece.kind()) == Some(Kind::Stack)
        {
            selection.top_only = !selection.top_only;
            let part = if selection.top_only { "Only the top" } else { "The whole stack" };
            self.message = format!("{part}: Enter drops it, t changes that, Esc puts it back.");
        } else {
            self.message = "Only a stack has a top to take.".to_string();
        }
    }
}

/// Returns whether a piece is unchanged by two rotations in the same direction.
fn is_two_sided(piece: Option<Piece>) -> bool {
    piece.is_some_and(|piece| piece.rotated(2) == piece)
}
