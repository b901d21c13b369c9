//! What is in the hand of somebody who sets pieces up, and what comes of taps, drags and keys.

use khet::{Kind, Piece, Rotation, Square};

use super::draft::Draft;

/// What is in the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hand {
    /// Nothing.
    #[default]
    Empty,
    /// A piece from the box. It stays in the hand when it is placed: the box holds more.
    New(Piece),
    /// The piece on a square is picked.
    Picked(Square),
}

/// Where a drag begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A box.
    Box(Piece),
    /// A square.
    Board(Square),
}

/// What a person does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A piece is taken out of the box.
    Take(Piece),
    /// A square is tapped, or Enter is pressed on it.
    Tap(Square),
    /// Something is dragged onto a square, or beside the board.
    Drag(Source, Option<Square>),
    /// What is in the hand, or else the piece on that square, is turned.
    Rotation(Rotation, Square),
    /// The picked piece, or else the one on that square, is taken off the board.
    Remove(Square),
    /// The hand is emptied.
    Cancel,
}

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Happened {
    Nothing,
    Taken(Piece),
    Picked(Square, Piece),
    PutAway,
    Placed(Square, Piece),
    Moved { piece: Piece, from: Square, to: Square },
    Exchanged { piece: Piece, from: Square, to: Square },
    TurnedInHand(Piece),
    Turned(Square, Piece),
    Removed(Square, Piece),
}

/// Does what a person does; says what is in the hand then, and what happened.
pub fn act(draft: &mut Draft, hand: Hand, act: Act) -> (Hand, Happened) {
    match act {
        Act::Take(piece) => (Hand::New(piece), Happened::Taken(piece)),
        Act::Tap(square) => tap(draft, hand, square),
        Act::Drag(Source::Box(piece), Some(square)) => (Hand::Empty, place(draft, square, piece)),
        Act::Drag(Source::Box(_), None) => (Hand::Empty, Happened::PutAway),
        Act::Drag(Source::Board(from), Some(to)) if from == to => pick(draft, from),
        Act::Drag(Source::Board(from), Some(to)) => (Hand::Empty, shift(draft, from, to)),
        Act::Drag(Source::Board(from), None) => (Hand::Empty, remove(draft, from)),
        Act::Rotation(rotation, square) => spin_at(draft, hand, rotation, square),
        Act::Remove(square) => match hand {
            Hand::Picked(picked) => (Hand::Empty, remove(draft, picked)),
            Hand::Empty | Hand::New(_) => (hand, remove(draft, square)),
        },
        Act::Cancel if hand == Hand::Empty => (Hand::Empty, Happened::Nothing),
        Act::Cancel => (Hand::Empty, Happened::PutAway),
    }
}

fn tap(draft: &mut Draft, hand: Hand, square: Square) -> (Hand, Happened) {
    let stands = draft.get(square);
    match (hand, stands) {
        (Hand::New(piece), None) => (hand, place(draft, square, piece)),
        (Hand::New(piece), Some(_)) if draft.stacks(square, piece) => {
            (hand, place(draft, square, piece))
        }
        (Hand::Picked(from), _) if from == square => (Hand::Empty, Happened::PutAway),
        (Hand::Picked(from), None) => (Hand::Empty, shift(draft, from, square)),
        (Hand::Picked(from), Some(_))
            if draft.get(from).is_some_and(|piece| draft.stacks(square, piece)) =>
        {
            (Hand::Empty, shift(draft, from, square))
        }
        // Nothing is put in the place of a piece by a tap: that piece is picked instead.
        (_, Some(_)) => pick(draft, square),
        (Hand::Empty, None) => (Hand::Empty, Happened::Nothing),
    }
}

fn pick(draft: &Draft, square: Square) -> (Hand, Happened) {
    match draft.get(square) {
        Some(piece) => (Hand::Picked(square), Happened::Picked(square, piece)),
        None => (Hand::Empty, Happened::Nothing),
    }
}

fn place(draft: &mut Draft, square: Square, piece: Piece) -> Happened {
    draft.put(square, piece);
    draft.get(square).map_or(Happened::Nothing, |piece| Happened::Placed(square, piece))
}

fn shift(draft: &mut Draft, from: Square, to: Square) -> Happened {
    let Some(piece) = draft.get(from) else { return Happened::Nothing };
    let onto = draft.get(to);
    draft.shift(from, to);
    match onto {
        Some(_)
            if draft.get(to).map(Piece::kind) == Some(Kind::Stack) && draft.get(from).is_none() =>
        {
            Happened::Placed(to, Piece::new(piece.color(), Kind::Stack))
        }
        Some(_) => Happened::Exchanged { piece, from, to },
        None => Happened::Moved { piece, from, to },
    }
}

fn remove(draft: &mut Draft, square: Square) -> Happened {
    let Some(piece) = draft.get(square) else { return Happened::Nothing };
    draft.remove(square);
    Happened::Removed(square, piece)
}

fn spin_at(draft: &mut Draft, hand: Hand, rotation: Rotation, square: Square) -> (Hand, Happened) {
    let square = match hand {
        Hand::New(piece) => {
            let turned = piece.rotated(rotation.quarters());
            return (Hand::New(turned), Happened::TurnedInHand(turned));
        }
        Hand::Picked(picked) => picked,
        Hand::Empty => square,
    };
    draft.rotate(square, rotation.quarters());
    (hand, draft.get(square).map_or(Happened::Nothing, |piece| Happened::Turned(square, piece)))
}

#[cfg(test)]
mod tests {
    use khet::{Placement, Rules};

    use super::super::draft::Stand;
    use super::*;

    fn piece(text: &str) -> Piece {
        text.parse().expect("a piece")
    }

    /// Does one act after another on an empty board.
    fn acts(list: &[Act]) -> (Draft, Hand, Happened) {
        let mut draft = Draft::new(Stand { placement: Placement::EMPTY, rules: Rules::Standard });
        let mut now = (Hand::Empty, Happened::Nothing);
        for &next in list {
            now = act(&mut draft, now.0, next);
        }
        (draft, now.0, now.1)
    }

    #[test]
    fn a_piece_from_the_box_is_placed_again_and_again() {
        let take = Act::Take(piece("P1"));
        let (draft, hand, happened) = acts(&[take, Act::Tap(Square::C3), Act::Tap(Square::D3)]);
        assert_eq!(draft.stand().placement.pieces().count(), 4, "two, and their partners");
        assert_eq!(hand, Hand::New(piece("P1")));
        assert_eq!(happened, Happened::Placed(Square::D3, piece("P1")));
    }

    #[test]
    fn it_is_turned_in_the_hand() {
        let rotation = Act::Rotation(Rotation::Clockwise, Square::A1);
        let (draft, hand, _) = acts(&[Act::Take(piece("P4")), rotation, Act::Tap(Square::C3)]);
        assert_eq!(draft.get(Square::C3), Some(piece("P1")));
        assert_eq!(hand, Hand::New(piece("P1")));
    }

    #[test]
    fn a_tap_on_a_piece_picks_it_and_loses_nothing() {
        let start = [Act::Take(piece("P1")), Act::Tap(Square::C3), Act::Take(piece("D1"))];
        let with = |more: &[Act]| acts(&[&start[..], more].concat());
        let (draft, hand, _) = with(&[Act::Tap(Square::C3)]);
        assert_eq!((hand, draft.get(Square::C3)), (Hand::Picked(Square::C3), Some(piece("P1"))));
        let (draft, hand, happened) = with(&[Act::Tap(Square::C3), Act::Tap(Square::E4)]);
        assert_eq!((hand, draft.get(Square::C3)), (Hand::Empty, None));
        let (from, to) = (Square::C3, Square::E4);
        assert_eq!(happened, Happened::Moved { piece: piece("P1"), from, to });
        let (_, hand, happened) = with(&[Act::Tap(Square::C3), Act::Tap(Square::C3)]);
        assert_eq!((hand, happened), (Hand::Empty, Happened::PutAway));
        let (draft, hand, _) = with(&[Act::Tap(Square::C3), Act::Remove(Square::H8)]);
        assert_eq!((hand, draft.get(Square::C3)), (Hand::Empty, None));
        let rotation = Act::Rotation(Rotation::Counterclockwise, Square::H8);
        let (draft, hand, _) = with(&[Act::Tap(Square::C3), rotation]);
        assert_eq!(draft.get(Square::C3), Some(piece("P4")));
        assert_eq!(hand, Hand::Picked(Square::C3), "it can be turned on");
    }

    #[test]
    fn two_taps_make_a_stack() {
        let take = Act::Take(piece("O1"));
        let (draft, hand, happened) = acts(&[take, Act::Tap(Square::D1), Act::Tap(Square::D1)]);
        assert_eq!(draft.get(Square::D1), Some(piece("O2")));
        assert_eq!(happened, Happened::Placed(Square::D1, piece("O2")));
        assert_eq!(hand, Hand::New(piece("O1")));
        let moved = [take, Act::Tap(Square::D1), Act::Tap(Square::E1), Act::Cancel];
        let stacked = [&moved[..], &[Act::Tap(Square::D1), Act::Tap(Square::E1)]].concat();
        assert_eq!(acts(&stacked).0.get(Square::E1), Some(piece("O2")));
    }

    #[test]
    fn what_is_dragged_beside_the_board_is_gone() {
        let onto = Act::Drag(Source::Box(piece("D1")), Some(Square::C3));
        let (draft, hand, _) = acts(&[onto]);
        assert_eq!((hand, draft.get(Square::C3)), (Hand::Empty, Some(piece("D1"))));
        let (draft, ..) = acts(&[onto, Act::Drag(Source::Board(Square::C3), None)]);
        assert_eq!(draft.stand().placement, Placement::EMPTY);
        let (draft, ..) = acts(&[onto, Act::Drag(Source::Box(piece("P1")), Some(Square::C3))]);
        assert_eq!(draft.get(Square::C3), Some(piece("P1")), "a drag says what it wants");
    }
}
