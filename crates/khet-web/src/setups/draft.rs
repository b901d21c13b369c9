//! A setup that is being made: what stands, by which rules, and every step on the way.

use khet::{Color, Kind, Piece, Placement, Role, Rules, Square};

/// What is edited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stand {
    /// The pieces, and who is to move.
    pub placement: Placement,
    /// The edition of the rules.
    pub rules: Rules,
}

/// A setup with its history. Both sides are kept alike, unless that is switched off: whatever is done on a square is done
/// on the square that a half turn makes of it, with the colours exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    now: Stand,
    past: Vec<Stand>,
    future: Vec<Stand>,
    /// Both sides are kept alike.
    pub symmetric: bool,
}

/// So many steps can be taken back. Nobody makes more, and they are small.
const MOST_STEPS: usize = 10_000;

impl Draft {
    /// Begins with something. Where both sides are not alike, changing one does not change the other.
    pub fn new(stand: Stand) -> Draft {
        let squares = Square::all();
        let turned = stand.placement.flipped();
        let alike =
            squares.into_iter().all(|square| stand.placement.get(square) == turned.get(square));
        Draft { now: stand, past: Vec::new(), future: Vec::new(), symmetric: alike }
    }

    /// Begins with something in the place of something else, which can be had back.
    pub fn after(before: Stand, stand: Stand) -> Draft {
        let past = if before == stand { Vec::new() } else { vec![before] };
        Draft { past, ..Draft::new(stand) }
    }

    /// What stands now.
    pub fn stand(&self) -> Stand {
        self.now
    }

    /// What stands on a square.
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.now.placement.get(square)
    }

    /// Makes a step. What was taken back before can't be brought back any more.
    fn step(&mut self, change: impl FnOnce(&mut Stand)) {
        let before = self.now;
        change(&mut self.now);
        if self.now == before {
            return;
        }
        if self.past.len() == MOST_STEPS {
            self.past.remove(0);
        }
        self.past.push(before);
        self.future.clear();
    }

    /// Changes squares one after another, with their partners, in one step.
    fn set(&mut self, changes: &[(Square, Option<Piece>)]) {
        let symmetric = self.symmetric;
        self.step(|stand| {
            for &(square, piece) in changes {
                stand.placement.set(square, piece);
                if symmetric {
                    stand.placement.set(square.flipped(), piece.map(partner));
                }
            }
        });
    }

    /// Puts a piece onto a square, in place of what stands there. An obelisk goes onto one of its own colour.
    pub fn put(&mut self, square: Square, piece: Piece) {
        let lands =
            if self.stacks(square, piece) { Piece::new(piece.color(), Kind::Stack) } else { piece };
        self.set(&[(square, Some(lands))]);
    }

    /// Whether a piece that is put onto a square makes a stack there.
    pub fn stacks(&self, square: Square, piece: Piece) -> bool {
        piece.kind() == Kind::Obelisk && self.get(square) == Some(piece)
    }

    /// Takes what stands on a square off the board.
    pub fn remove(&mut self, square: Square) {
        self.set(&[(square, None)]);
    }

    /// Moves a piece. Where another one stands, the two change places, or become a stack.
    pub fn shift(&mut self, from: Square, to: Square) {
        let Some(piece) = self.get(from).filter(|_| from != to) else { return };
        if self.stacks(to, piece) {
            self.set(&[(from, None), (to, Some(Piece::new(piece.color(), Kind::Stack)))]);
        } else {
            self.set(&[(from, self.get(to)), (to, Some(piece))]);
        }
    }

    /// Moves what stands on a square.
    pub fn rotate(&mut self, square: Square, quarters: u8) {
        if let Some(piece) = self.get(square) {
            self.set(&[(square, Some(piece.rotated(quarters)))]);
        }
    }

    /// Takes everything off the board.
    pub fn clear(&mut self) {
        let mut empty = Placement::EMPTY;
        empty.side_to_move = self.now.placement.side_to_move;
        self.replace(empty);
    }

    /// Puts another arrangement in the place of this one.
    pub fn replace(&mut self, placement: Placement) {
        self.step(|stand| stand.placement = placement);
    }

    /// Lets that side begin.
    pub fn let_begin(&mut self, color: Color) {
        self.step(|stand| stand.placement.side_to_move = color);
    }

    /// Chooses the edition of the rules.
    pub fn play_by(&mut self, rules: Rules) {
        self.step(|stand| stand.rules = rules);
    }

    /// Takes the last step back. Says whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.past.pop() else { return false };
        self.future.push(std::mem::replace(&mut self.now, before));
        true
    }

    /// Makes the step again that was taken back last. Says whether there was one.
    pub fn redo(&mut self) -> bool {
        let Some(after) = self.future.pop() else { return false };
        self.past.push(std::mem::replace(&mut self.now, after));
        true
    }

    /// Whether there is a step to take back.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is a step to make again.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// How many of a piece are left in a side's box.
    pub fn left(&self, color: Color, role: Role) -> u32 {
        let used = self.now.placement.pieces().map(|(_, piece)| match piece.kind() {
            _ if piece.color() != color || piece.role() != role => 0,
            Kind::Stack => 2,
            _ => 1,
        });
        role.in_box().saturating_sub(used.sum())
    }
}

/// The same piece as the other side has it.
pub fn partner(piece: Piece) -> Piece {
    piece.rotated(2).other_color()
}

#[cfg(test)]
mod tests {
    use khet::{Corner, Setup};

    use super::*;

    fn empty() -> Draft {
        Draft::new(Stand { placement: Placement::EMPTY, rules: Rules::Standard })
    }

    fn piece(text: &str) -> Piece {
        text.parse().expect("a piece")
    }

    fn text(draft: &Draft) -> String {
        draft.stand().placement.to_string()
    }

    #[test]
    fn both_sides_are_kept_alike() {
        let mut draft = empty();
        draft.put(Square::E1, piece("K"));
        draft.put(Square::H2, piece("P1"));
        assert_eq!(draft.get(Square::F8), Some(piece("k")));
        assert_eq!(draft.get(Square::C7), Some(piece("p3")));
        draft.rotate(Square::C7, 1);
        assert_eq!(draft.get(Square::H2), Some(piece("P2")));
        draft.shift(Square::H2, Square::G3);
        assert_eq!(draft.get(Square::D6), Some(piece("p4")));
        draft.remove(Square::D6);
        assert_eq!(text(&draft), "5k4/10/10/10/10/10/10/4K5 s");
    }

    #[test]
    fn alone_a_side_can_have_what_the_other_has_not() {
        let mut draft = empty();
        draft.symmetric = false;
        draft.put(Square::A1, piece("P1"));
        assert_eq!(text(&draft), "10/10/10/10/10/10/10/P19 s");
    }

    #[test]
    fn an_obelisk_on_its_own_kind_makes_a_stack() {
        let mut draft = empty();
        draft.put(Square::D1, piece("O1"));
        draft.put(Square::D1, piece("O1"));
        assert_eq!(draft.get(Square::D1), Some(piece("O2")));
        assert_eq!(draft.get(Square::G8), Some(piece("o2")));
        assert_eq!(draft.left(Color::Silver, Role::Obelisk), 2);
        draft.put(Square::D1, piece("O1"));
        assert_eq!(draft.get(Square::D1), Some(piece("O1")), "three do not stand");
        draft.put(Square::F1, piece("O1"));
        draft.shift(Square::D1, Square::F1);
        assert_eq!((draft.get(Square::D1), draft.get(Square::F1)), (None, Some(piece("O2"))));
        draft.put(Square::F1, piece("o1"));
        assert_eq!(draft.get(Square::F1), Some(piece("o1")), "not on the other's");
    }

    #[test]
    fn two_pieces_change_places() {
        let mut draft = empty();
        draft.symmetric = false;
        draft.put(Square::C3, piece("P1"));
        draft.put(Square::D4, piece("d1"));
        draft.shift(Square::C3, Square::D4);
        assert_eq!(
            (draft.get(Square::C3), draft.get(Square::D4)),
            (Some(piece("d1")), Some(piece("P1")))
        );
        draft.symmetric = true;
        draft.clear();
        draft.put(Square::C3, piece("P1"));
        draft.shift(Square::C3, Square::C3.flipped());
        assert_eq!(draft.get(Square::C3.flipped()), Some(piece("P1")));
        assert_eq!(draft.get(Square::C3), Some(partner(piece("P1"))));
    }

    #[test]
    fn every_step_can_be_taken_back_and_made_again() {
        let mut draft = empty();
        let mut seen = vec![text(&draft)];
        for index in 0..300_usize {
            let square = Square::from_index(index % 40).expect("a square");
            let kind = Kind::Pyramid(Corner::ALL[index % 3]);
            draft.put(square, Piece::new(Color::Silver, kind));
            seen.push(text(&draft));
        }
        seen.dedup();
        for before in seen.iter().rev().skip(1) {
            assert!(draft.undo());
            assert_eq!(text(&draft), *before);
        }
        assert!(!draft.undo());
        for after in seen.iter().skip(1) {
            assert!(draft.redo());
            assert_eq!(text(&draft), *after);
        }
        assert!(!draft.redo());
        draft.undo();
        draft.play_by(Rules::Czech);
        assert!(!draft.can_redo(), "another way was taken");
        draft.undo();
        assert_eq!(draft.stand().rules, Rules::Standard);
    }

    #[test]
    fn what_changes_nothing_is_no_step() {
        let mut draft = empty();
        draft.clear();
        draft.remove(Square::A1);
        draft.rotate(Square::A1, 1);
        draft.shift(Square::A1, Square::A2);
        draft.let_begin(Color::Silver);
        assert!(!draft.can_undo());
    }

    #[test]
    fn boxes_are_counted() {
        let mut draft = empty();
        draft.replace(Setup::Classic.placement());
        for role in [Role::Pharaoh, Role::Pyramid, Role::Djed, Role::Obelisk] {
            assert_eq!(Color::ALL.map(|color| draft.left(color, role)), [0, 0], "{role}");
        }
        assert_eq!(draft.left(Color::Red, Role::Eye), 1);
        draft.symmetric = false;
        draft.put(Square::A1, piece("K"));
        assert_eq!(draft.left(Color::Silver, Role::Pharaoh), 0, "never less than none");
    }
}
