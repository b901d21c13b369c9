//! Moving with the cursor: selecting a piece, rotating it, and dropping it on a square. A tower is
//! selected by a square of its column, and shifted by dropping that square beside it.
//!
//! The board of the web app has its own version, which chooses from a given list of moves and
//! ignores all others. Here [`Position::check`](khet::Position::check) explains an illegal move.

use khet::tower::{Square, TowerMove};
use khet::{GamePosition, Kind, Move, Piece, Rotation};

use super::{PlayState, capitalize};
use crate::describe;

/// The selected piece or tower, and how it will move.
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
        let is_tower = self.is_tower(selection.square);
        let is_obelisk =
            matches!(self.piece_kind(selection.square), Some(Kind::Obelisk | Kind::Stack));
        let target = |mv: &Move<Square>| match *mv {
            Move::Step { from, to } if from == selection.square && !selection.top_only => Some(to),
            Move::Unstack { from, to } if from == selection.square && selection.top_only => {
                Some(to)
            }
            Move::Tower(TowerMove::Shift(to)) if is_tower => self.carried(selection.square, to),
            _ => None,
        };
        let kind = |to: Square| match position.get(to) {
            None => (to, DropTarget::Empty),
            Some(_) if is_tower => (to, DropTarget::Empty),
            Some(_) if is_obelisk => (to, DropTarget::Stack),
            Some(_) => (to, DropTarget::Swap),
        };
        position.legal_moves().iter().filter_map(target).map(kind).collect()
    }

    /// Returns whether a square belongs to the column of the tower, on either level.
    pub(super) fn is_tower(&self, square: Square) -> bool {
        self.column().is_some_and(|column| column.squares().has(square.ground()))
    }

    /// Returns the place of a square of the tower after a shift of its lower left square.
    fn carried(&self, square: Square, to: khet::Square) -> Option<Square> {
        let from = self.column()?.lower_left();
        let (files, ranks) = offset(from, to);
        Some(Square::new(square.level(), square.ground().offset(files, ranks)?))
    }

    /// Returns the shift of the tower that carries one of its squares to another one.
    fn shift(&self, from: Square, to: Square) -> Option<Move<Square>> {
        let (files, ranks) = offset(from.ground(), to.ground());
        let to = self.column()?.lower_left().offset(files, ranks)?;
        Some(Move::Tower(TowerMove::Shift(to)))
    }

    /// Returns the rotation that is shown and not played yet, as a move.
    pub(super) fn rotation_move(&self, selection: SelectedPiece) -> Option<Move<Square>> {
        selection.rotation.map(|rotation| self.rotated(selection.square, rotation))
    }

    /// Returns the move that rotates a piece, or the tower.
    fn rotated(&self, square: Square, rotation: Rotation) -> Move<Square> {
        match self.is_tower(square) {
            true => Move::Tower(TowerMove::Rotate(rotation)),
            false => Move::Rotate { square, rotation },
        }
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
        let mv = match self.rotation_move(selection) {
            Some(rotation) => rotation,
            None if to == selection.square => {
                self.selection = None;
                self.message.clear();
                return;
            }
            None if self.is_tower(selection.square) => match self.shift(selection.square, to) {
                Some(shift) => shift,
                None => {
                    self.message = "The tower shifts by one square.".to_string();
                    return;
                }
            },
            None if selection.top_only => Move::Unstack { from: selection.square, to },
            None => Move::Step { from: selection.square, to },
        };
        // An illegal drop on another own piece selects that piece instead.
        let own = self.game.position().get(to).is_some_and(|piece| piece.color() == self.side());
        if own && selection.rotation.is_none() && self.game.position().check(mv).is_err() {
            self.select();
        } else {
            self.play(mv);
        }
    }

    /// Selects the piece under the cursor, or the tower. Returns whether the side to move may move
    /// it.
    fn select(&mut self) -> bool {
        let square = self.cursor;
        if self.is_tower(square) {
            self.selection = Some(SelectedPiece { square, top_only: false, rotation: None });
            self.message = "The tower: Enter on a neighbouring square shifts it, [ ] rotate it \
                            with everything on it, Esc cancels."
                .to_string();
            return true;
        }
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
        let mv = self.rotated(self.cursor, rotation);
        match self.game.position().check(mv) {
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

/// Returns the numbers of files and ranks from one square to another.
fn offset(from: khet::Square, to: khet::Square) -> (i8, i8) {
    (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8)
}
