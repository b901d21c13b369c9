//! The setup that the editor changes, with symmetric editing, undo and redo.

use khet::tower::TowerColumn;
use khet::{BoardSquare, Color, Kind, Piece, Role, Rotation, Rules};

use crate::rules::{Placement, Square};

/// A placement with its rules that may break the rules of setups.
///
/// [`Position`](crate::rules::Position) holds only valid ones; the editor also passes through invalid ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UncheckedSetup {
    /// The pieces and the side to move.
    pub placement: Placement,
    /// The edition of the rules.
    pub rules: Rules,
}

/// An edited setup with its undo history.
///
/// In symmetric mode every change is repeated on the square that a rotation of the board by 180°
/// gives, with the colours exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupDraft {
    current: UncheckedSetup,
    undo_stack: Vec<UncheckedSetup>,
    redo_stack: Vec<UncheckedSetup>,
    /// True if changes are mirrored to the other side.
    pub symmetric: bool,
}

/// A board without pieces and without a tower.
pub const EMPTY: Placement = Placement::Standard(khet::Placement::EMPTY);

/// Maximum number of changes that can be undone. It limits memory, and is far above any real use.
const MAX_UNDO_STEPS: usize = 10_000;

impl SetupDraft {
    /// Creates a draft without history. Symmetric mode is on if the setup is symmetric.
    pub fn new(setup: UncheckedSetup) -> SetupDraft {
        let mut flipped = setup.placement.flipped();
        flipped.set_side_to_move(setup.placement.side_to_move());
        let symmetric = setup.placement == flipped;
        SetupDraft { current: setup, undo_stack: Vec::new(), redo_stack: Vec::new(), symmetric }
    }

    /// Creates a draft whose first undo step restores the setup `before`.
    pub fn replacing(before: UncheckedSetup, setup: UncheckedSetup) -> SetupDraft {
        let undo_stack = if before == setup { Vec::new() } else { vec![before] };
        SetupDraft { undo_stack, ..SetupDraft::new(setup) }
    }

    /// Returns the current setup.
    pub fn setup(&self) -> UncheckedSetup {
        self.current
    }

    /// Returns the piece on a square.
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.current.placement.get(square)
    }

    /// Applies one undoable change and clears the redo history.
    fn change(&mut self, change: impl FnOnce(&mut UncheckedSetup)) {
        let before = self.current;
        change(&mut self.current);
        if self.current == before {
            return;
        }
        if self.undo_stack.len() == MAX_UNDO_STEPS {
            self.undo_stack.remove(0);
        }
        self.undo_stack.push(before);
        self.redo_stack.clear();
    }

    /// Sets several squares in order as one undoable change, mirrored in symmetric mode.
    fn set(&mut self, changes: &[(Square, Option<Piece>)]) {
        let symmetric = self.symmetric;
        self.change(|setup| {
            for &(square, piece) in changes {
                setup.placement.set(square, piece);
                if symmetric {
                    setup.placement.set(square.flipped(), piece.map(mirrored));
                }
            }
        });
    }

    /// Puts a piece on a square and replaces the piece there. Two obelisks of one colour become a
    /// stack.
    pub fn put(&mut self, square: Square, piece: Piece) {
        let piece =
            if self.stacks(square, piece) { Piece::new(piece.color(), Kind::Stack) } else { piece };
        self.set(&[(square, Some(piece))]);
    }

    /// Returns whether putting a piece on a square makes a stack.
    pub fn stacks(&self, square: Square, piece: Piece) -> bool {
        piece.kind() == Kind::Obelisk && self.get(square) == Some(piece)
    }

    /// Removes the piece on a square.
    pub fn remove(&mut self, square: Square) {
        self.set(&[(square, None)]);
    }

    /// Moves a piece. If the target is occupied, the two pieces are swapped, or become a stack.
    pub fn move_piece(&mut self, from: Square, to: Square) {
        let Some(piece) = self.get(from).filter(|_| from != to) else { return };
        if self.stacks(to, piece) {
            self.set(&[(from, None), (to, Some(Piece::new(piece.color(), Kind::Stack)))]);
        } else {
            self.set(&[(from, self.get(to)), (to, Some(piece))]);
        }
    }

    /// Rotates the piece on a square by quarter turns clockwise.
    pub fn rotate(&mut self, square: Square, quarters: u8) {
        if let Some(piece) = self.get(square) {
            self.set(&[(square, Some(piece.rotated(quarters)))]);
        }
    }

    /// Returns the place of the tower, if there is one.
    pub fn tower_column(&self) -> Option<TowerColumn> {
        self.current.placement.tower_column()
    }

    /// Puts an empty tower into the middle of the board, or removes the tower with everything on it.
    pub fn toggle_tower(&mut self) {
        let column = match self.tower_column() {
            None => TowerColumn::new(khet::Square::E4),
            Some(_) => None,
        };
        self.change(|setup| setup.placement = setup.placement.with_tower(column));
    }

    /// Shifts the tower with everything on it. Returns `false` if it would not lie above the board.
    pub fn shift_tower(&mut self, files: i8, ranks: i8) -> bool {
        let Some(column) = self.tower_column().and_then(|column| column.shifted(files, ranks))
        else {
            return false;
        };
        self.change(|setup| setup.placement = setup.placement.with_tower(Some(column)));
        true
    }

    /// Rotates the tower with everything on it.
    pub fn rotate_tower(&mut self, rotation: Rotation) {
        self.change(|setup| {
            if let Placement::Tower(placement) = &mut setup.placement {
                *placement = placement.with_tower_rotated(rotation);
            }
        });
    }

    /// Removes all pieces. The tower stays.
    pub fn clear(&mut self) {
        let mut empty = EMPTY.with_tower(self.tower_column());
        empty.set_side_to_move(self.current.placement.side_to_move());
        self.replace(empty);
    }

    /// Replaces the placement.
    pub fn replace(&mut self, placement: Placement) {
        self.change(|setup| setup.placement = placement);
    }

    /// Sets the side that moves first.
    pub fn set_side_to_move(&mut self, color: Color) {
        self.change(|setup| setup.placement.set_side_to_move(color));
    }

    /// Sets the edition of the rules.
    pub fn set_rules(&mut self, rules: Rules) {
        self.change(|setup| setup.rules = rules);
    }

    /// Undoes the last change. Returns `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.undo_stack.pop() else { return false };
        self.redo_stack.push(std::mem::replace(&mut self.current, before));
        true
    }

    /// Redoes the change that was undone last. Returns `false` if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(after) = self.redo_stack.pop() else { return false };
        self.undo_stack.push(std::mem::replace(&mut self.current, after));
        true
    }

    /// Returns whether there is a change to undo.
    pub fn can_undo(&self) -> bool {
        !self.undo_stack.is_empty()
    }

    /// Returns whether there is a change to redo.
    pub fn can_redo(&self) -> bool {
        !self.redo_stack.is_empty()
    }

    /// Returns the number of pieces of a role that a side has left in its box.
    pub fn left_in_box(&self, color: Color, role: Role) -> u32 {
        let used = self.current.placement.pieces().map(|(_, piece)| match piece.kind() {
            _ if piece.color() != color || piece.role() != role => 0,
            Kind::Stack => 2,
            _ => 1,
        });
        role.count_per_box().saturating_sub(used.sum())
    }
}

/// Returns the piece that mirrors this one on the other side in symmetric mode.
pub fn mirrored(piece: Piece) -> Piece {
    piece.rotated(2).other_color()
}

#[cfg(test)]
mod tests {
    use khet::{Corner, Setup};

    use super::*;
    use crate::rules::square;

    fn empty() -> SetupDraft {
        SetupDraft::new(UncheckedSetup { placement: EMPTY, rules: Rules::Standard })
    }

    fn piece(text: &str) -> Piece {
        text.parse().expect("a piece")
    }

    fn text(draft: &SetupDraft) -> String {
        draft.setup().placement.to_string()
    }

    #[test]
    fn symmetric_mode_mirrors_changes() {
        let mut draft = empty();
        draft.put(square("e1"), piece("K"));
        draft.put(square("h2"), piece("P1"));
        assert_eq!(draft.get(square("f8")), Some(piece("k")));
        assert_eq!(draft.get(square("c7")), Some(piece("p3")));
        draft.rotate(square("c7"), 1);
        assert_eq!(draft.get(square("h2")), Some(piece("P2")));
        draft.move_piece(square("h2"), square("g3"));
        assert_eq!(draft.get(square("d6")), Some(piece("p4")));
        draft.remove(square("d6"));
        assert_eq!(text(&draft), "5k4/10/10/10/10/10/10/4K5 s");
    }

    #[test]
    fn without_symmetric_mode_one_side_changes() {
        let mut draft = empty();
        draft.symmetric = false;
        draft.put(square("a1"), piece("P1"));
        assert_eq!(text(&draft), "10/10/10/10/10/10/10/P19 s");
    }

    #[test]
    fn an_obelisk_on_an_obelisk_of_its_colour_makes_a_stack() {
        let mut draft = empty();
        draft.put(square("d1"), piece("O1"));
        draft.put(square("d1"), piece("O1"));
        assert_eq!(draft.get(square("d1")), Some(piece("O2")));
        assert_eq!(draft.get(square("g8")), Some(piece("o2")));
        assert_eq!(draft.left_in_box(Color::Silver, Role::Obelisk), 2);
        draft.put(square("d1"), piece("O1"));
        assert_eq!(draft.get(square("d1")), Some(piece("O1")), "a stack has two obelisks");
        draft.put(square("f1"), piece("O1"));
        draft.move_piece(square("d1"), square("f1"));
        assert_eq!((draft.get(square("d1")), draft.get(square("f1"))), (None, Some(piece("O2"))));
        draft.put(square("f1"), piece("o1"));
        assert_eq!(draft.get(square("f1")), Some(piece("o1")), "no stack of two colours");
    }

    #[test]
    fn moving_onto_a_piece_swaps_the_two() {
        let mut draft = empty();
        draft.symmetric = false;
        draft.put(square("c3"), piece("P1"));
        draft.put(square("d4"), piece("d1"));
        draft.move_piece(square("c3"), square("d4"));
        assert_eq!(
            (draft.get(square("c3")), draft.get(square("d4"))),
            (Some(piece("d1")), Some(piece("P1")))
        );
        draft.symmetric = true;
        draft.clear();
        draft.put(square("c3"), piece("P1"));
        draft.move_piece(square("c3"), square("c3").flipped());
        assert_eq!(draft.get(square("c3").flipped()), Some(piece("P1")));
        assert_eq!(draft.get(square("c3")), Some(mirrored(piece("P1"))));
    }

    #[test]
    fn every_change_can_be_undone_and_redone() {
        let mut draft = empty();
        let mut texts = vec![text(&draft)];
        for index in 0..300_usize {
            let square = Square::from_index(index % 40).expect("a square");
            let kind = Kind::Pyramid(Corner::ALL[index % 3]);
            draft.put(square, Piece::new(Color::Silver, kind));
            texts.push(text(&draft));
        }
        texts.dedup();
        for before in texts.iter().rev().skip(1) {
            assert!(draft.undo());
            assert_eq!(text(&draft), *before);
        }
        assert!(!draft.undo());
        for after in texts.iter().skip(1) {
            assert!(draft.redo());
            assert_eq!(text(&draft), *after);
        }
        assert!(!draft.redo());
        draft.undo();
        draft.set_rules(Rules::Czech);
        assert!(!draft.can_redo(), "a new change clears the redo history");
        draft.undo();
        assert_eq!(draft.setup().rules, Rules::Standard);
    }

    #[test]
    fn tower_carries_its_pieces_and_takes_them_away() {
        let mut draft = empty();
        draft.put(square("C7"), piece("P1"));
        assert_eq!(draft.get(square("C7")), None, "there is no upper level yet");
        draft.toggle_tower();
        draft.put(square("C7"), piece("P1"));
        assert_eq!(draft.get(square("H2")), Some(piece("p3")), "mirrored on the upper level");
        assert!(draft.shift_tower(1, -1));
        assert_eq!(draft.get(square("D6")), Some(piece("P1")));
        assert!(!draft.shift_tower(0, -1), "the upper level must lie above the board");
        draft.rotate_tower(Rotation::Clockwise);
        assert_eq!(draft.get(square("I6")), Some(piece("P2")));
        draft.clear();
        assert_eq!(draft.setup().placement.to_string(), "10/10/10/10/10/10/10/10+f3:6/6/6/6/6/6 s");
        assert!(draft.undo() && draft.get(square("I6")).is_some());
        draft.toggle_tower();
        assert_eq!(draft.setup().placement, EMPTY);
    }

    #[test]
    fn symmetric_mode_follows_the_tower() {
        let new = |placement| SetupDraft::new(UncheckedSetup { placement, rules: Rules::Standard });
        for setup in khet::tower::Setup::ALL {
            assert!(new(setup.placement().into()).symmetric, "{setup}");
        }
        let mut draft = empty();
        draft.toggle_tower();
        draft.shift_tower(1, 0);
        assert!(!new(draft.setup().placement).symmetric);
    }

    #[test]
    fn an_action_without_effect_is_not_undoable() {
        let mut draft = empty();
        draft.clear();
        draft.remove(square("a1"));
        draft.rotate(square("a1"), 1);
        draft.move_piece(square("a1"), square("a2"));
        draft.set_side_to_move(Color::Silver);
        assert!(!draft.can_undo());
    }

    #[test]
    fn pieces_left_in_the_boxes_are_counted() {
        let mut draft = empty();
        draft.replace(Setup::Classic.placement().into());
        for role in [Role::Pharaoh, Role::Pyramid, Role::Djed, Role::Obelisk] {
            assert_eq!(Color::ALL.map(|color| draft.left_in_box(color, role)), [0, 0], "{role}");
        }
        assert_eq!(draft.left_in_box(Color::Red, Role::Eye), 1);
        draft.symmetric = false;
        draft.put(square("a1"), piece("K"));
        assert_eq!(draft.left_in_box(Color::Silver, Role::Pharaoh), 0, "not negative");
    }
}
