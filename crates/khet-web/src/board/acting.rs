//! How a move is made: a piece is picked, perhaps turned in the hand, and dropped.
//!
//! A tap, a drag, the wheel and the keys all become an [`Act`], and a move comes out of one place.
//! There are no rules here: what may be done is given as a list of moves, and only a move of that list
//! comes out.

use khet::{Move, Piece, Position, Role, Rotation, Square};

/// A piece in the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Held {
    /// Where it was picked.
    pub(crate) from: Square,
    /// Only the top of a stack is held.
    pub(crate) top: bool,
    /// It is turned in the hand, and will be dropped where it stood.
    pub(crate) spun: Option<Rotation>,
}

/// What a person does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// A square is tapped, or Enter is pressed on it.
    Tap(Square),
    /// A piece is dragged off its square.
    Lift(Square),
    /// What is dragged is let go over a square, or beside the board.
    Drop(Option<Square>),
    /// What is held, or else the piece on that square, is turned in the hand.
    Rotation(Rotation, Square),
    /// Of the held stack, or else the one on that square, the top alone is held, or both.
    Top(bool, Square),
    /// Whatever is held is put back.
    Cancel,
}

/// What a target would do to the piece that goes there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// The square is empty.
    Move,
    /// The two pieces change places.
    Swap,
    /// An obelisk goes onto another.
    Stack,
}

/// What may be done now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices<'a> {
    /// What stands.
    pub(crate) position: &'a Position,
    /// The moves to choose from.
    pub(crate) moves: &'a [Move],
}

impl Choices<'_> {
    /// Whether the piece on a square has a move.
    pub(crate) fn can_act(&self, square: Square) -> bool {
        self.moves.iter().any(|mv| mv.from() == square)
    }

    /// Whether of the stack on a square both the whole and its top can go somewhere.
    pub(crate) fn splits(&self, square: Square) -> bool {
        let from = |mv: &&Move| mv.from() == square;
        let whole = |mv: &Move| matches!(mv, Move::Step { .. });
        let top = |mv: &Move| matches!(mv, Move::Unstack { .. });
        self.moves.iter().filter(from).any(whole) && self.moves.iter().filter(from).any(top)
    }

    /// The move that rotates the piece on a square. Where both ways look the same, either will do.
    pub(crate) fn rotation(&self, square: Square, rotation: Rotation) -> Option<Move> {
        let listed = |rotation| {
            let mv = Move::Rotate { square, rotation };
            self.moves.contains(&mv).then_some(mv)
        };
        listed(rotation).or_else(|| {
            let piece = self.position.get(square)?;
            listed(other(rotation)).filter(|_| piece.rotated(1) == piece.rotated(3))
        })
    }

    /// Where what is held can be dropped.
    pub(crate) fn targets(&self, held: Held) -> Vec<(Square, Arrival)> {
        let mover = self.position.get(held.from).map(Piece::role);
        let goes = |mv: &&Move| {
            mv.from() == held.from
                && match mv {
                    Move::Step { .. } => !held.top,
                    Move::Unstack { .. } => held.top,
                    Move::Rotate { .. } => false,
                }
        };
        let arrival = |square: Square| match self.position.get(square) {
            None => Arrival::Move,
            Some(_) if mover == Some(Role::Obelisk) => Arrival::Stack,
            Some(_) => Arrival::Swap,
        };
        self.moves.iter().filter(goes).map(|mv| (mv.to(), arrival(mv.to()))).collect()
    }

    fn pick(&self, square: Square) -> Option<Held> {
        self.can_act(square).then(|| {
            let whole = |mv: &Move| mv.from() == square && !matches!(mv, Move::Unstack { .. });
            Held { from: square, top: !self.moves.iter().any(whole), spun: None }
        })
    }

    fn drop_on(&self, held: Held, square: Square) -> Option<Move> {
        let mv = match held.spun {
            Some(rotation) => {
                return self.rotation(held.from, rotation).filter(|_| square == held.from);
            }
            None if held.top => Move::Unstack { from: held.from, to: square },
            None => Move::Step { from: held.from, to: square },
        };
        self.moves.contains(&mv).then_some(mv)
    }
}

const fn other(rotation: Rotation) -> Rotation {
    match rotation {
        Rotation::Clockwise => Rotation::Counterclockwise,
        Rotation::Counterclockwise => Rotation::Clockwise,
    }
}

/// What is held after an act, and the move that the act made final.
pub(crate) fn act(
    held: Option<Held>,
    act: Act,
    choices: Choices<'_>,
) -> (Option<Held>, Option<Move>) {
    match act {
        Act::Tap(square) => match held {
            Some(held) => match choices.drop_on(held, square) {
                Some(mv) => (None, Some(mv)),
                // Put back where it was; another piece is picked instead.
                None if square == held.from => (None, None),
                None => (choices.pick(square), None),
            },
            None => (choices.pick(square), None),
        },
        Act::Lift(square) => {
            let again = held.filter(|held| held.from == square && choices.can_act(square));
            let again = again.map(|held| Held { spun: None, ..held });
            (again.or_else(|| choices.pick(square)), None)
        }
        Act::Drop(square) => {
            let Some(held) = held else { return (None, None) };
            if square == Some(held.from) {
                return (Some(held), None);
            }
            (None, square.and_then(|square| choices.drop_on(held, square)))
        }
        Act::Rotation(rotation, square) => {
            let Some(now) = held.or_else(|| choices.pick(square)) else { return (None, None) };
            let Some(Move::Rotate { rotation: listed, .. }) = choices.rotation(now.from, rotation)
            else {
                // That way it can't be turned, except back.
                let back = now.spun == Some(other(rotation));
                return (if back { Some(Held { spun: None, ..now }) } else { held }, None);
            };
            let spun = match now.spun {
                None => Some(listed),
                // Turned back, or once more where two quarters look like none.
                Some(before) if before != listed || listed != rotation => None,
                Some(before) => {
                    let symmetric = choices.rotation(now.from, other(rotation))
                        == choices.rotation(now.from, rotation);
                    if symmetric { None } else { Some(before) }
                }
            };
            (Some(Held { spun, ..now }), None)
        }
        Act::Top(top, square) => {
            let Some(now) = held.or_else(|| choices.pick(square)) else { return (None, None) };
            if choices.splits(now.from) { (Some(Held { top, ..now }), None) } else { (held, None) }
        }
        Act::Cancel => (None, None),
    }
}

/// What stays in the hand when other moves are to be chosen from.
pub(crate) fn keep(held: Option<Held>, choices: Choices<'_>) -> Option<Held> {
    held.filter(|held| match held.spun {
        Some(rotation) => choices.rotation(held.from, rotation).is_some(),
        None if held.top => !choices.targets(*held).is_empty(),
        None => choices.can_act(held.from),
    })
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    /// Does one act after another, all moves of the position being allowed.
    fn acts(position: &Position, acts: &[Act]) -> (Option<Held>, Option<Move>) {
        let moves = position.legal_moves();
        let choices = Choices { position, moves: &moves };
        let mut now = (None, None);
        for &next in acts {
            assert_eq!(now.1, None, "a move came out before the last act");
            now = act(now.0, next, choices);
        }
        now
    }

    fn classic(list: &[Act]) -> (Option<Held>, Option<String>) {
        let (held, mv) = acts(&Setup::Classic.position(), list);
        (held, mv.map(|mv| mv.to_string()))
    }

    fn mv(list: &[Act]) -> Option<String> {
        classic(list).1
    }

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    fn tap(name: &str) -> Act {
        Act::Tap(square(name))
    }

    #[test]
    fn tapping_a_piece_and_a_target_is_a_move() {
        assert_eq!(mv(&[tap("h2"), tap("g2")]).as_deref(), Some("h2g2"));
    }

    #[test]
    fn dragging_is_the_same_move() {
        assert_eq!(
            mv(&[Act::Lift(square("h2")), Act::Drop(Some(square("g2")))]).as_deref(),
            Some("h2g2")
        );
    }

    #[test]
    fn a_piece_is_turned_in_the_hand_and_then_dropped() {
        let right = Act::Rotation(Rotation::Clockwise, square("h2"));
        let left = Act::Rotation(Rotation::Counterclockwise, square("h2"));
        assert_eq!(mv(&[tap("h2"), right]), None);
        assert_eq!(mv(&[tap("h2"), right, tap("h2")]).as_deref(), Some("h2+"));
        assert_eq!(mv(&[right, tap("h2")]).as_deref(), Some("h2+"), "a key picks it as well");
        assert_eq!(
            mv(&[right, right, tap("h2")]).as_deref(),
            Some("h2+"),
            "no more than a quarter"
        );
        assert_eq!(mv(&[left, tap("h2")]).as_deref(), Some("h2-"));
        assert_eq!(
            classic(&[tap("h2"), right, left]).0.map(|held| held.spun),
            Some(None),
            "turned back"
        );
        assert_eq!(mv(&[right, tap("g2")]), None, "turned, it goes nowhere else");
    }

    #[test]
    fn a_djed_turns_either_way() {
        for rotation in [Rotation::Clockwise, Rotation::Counterclockwise] {
            let rotation = Act::Rotation(rotation, square("e4"));
            assert_eq!(mv(&[rotation, tap("e4")]).as_deref(), Some("e4+"));
            assert_eq!(classic(&[rotation, rotation]).0.map(|held| held.spun), Some(None));
        }
    }

    #[test]
    fn a_sphinx_turns_only_into_the_board() {
        let position = Setup::Khet2Classic.position();
        let left = Act::Rotation(Rotation::Counterclockwise, Square::J1);
        let right = Act::Rotation(Rotation::Clockwise, Square::J1);
        let (_, mv) = acts(&position, &[left, tap("j1")]);
        assert_eq!(mv.map(|mv| mv.to_string()).as_deref(), Some("j1-"));
        assert_eq!(acts(&position, &[right]), (None, None));
        let (held, _) = acts(&position, &[left, right]);
        assert_eq!(held.map(|held| held.spun), Some(None));
    }

    #[test]
    fn a_wrong_tap_is_never_a_move() {
        assert_eq!(classic(&[tap("e5")]), (None, None), "Red's piece");
        assert_eq!(classic(&[tap("g5")]), (None, None), "nothing there");
        assert_eq!(classic(&[tap("h2"), tap("g5")]), (None, None), "too far");
        assert_eq!(classic(&[tap("h2"), tap("h2")]), (None, None), "put back");
        assert_eq!(
            classic(&[Act::Lift(square("h2")), Act::Drop(None)]),
            (None, None),
            "beside the board"
        );
        let held = classic(&[tap("h2"), tap("c4")]).0.map(|held| held.from);
        assert_eq!(held, Some(square("c4")), "another own piece is picked");
        let still = classic(&[Act::Lift(square("h2")), Act::Drop(Some(square("h2")))]);
        assert_eq!(
            still.0.map(|held| held.from),
            Some(square("h2")),
            "a drag that went nowhere is a pick"
        );
    }

    #[test]
    fn a_stack_goes_whole_or_its_top_alone() {
        let top = |on| Act::Top(on, square("d1"));
        assert_eq!(mv(&[tap("d1"), tap("d2")]).as_deref(), Some("d1d2"));
        assert_eq!(mv(&[tap("d1"), top(true), tap("d2")]).as_deref(), Some("d1^d2"));
        assert_eq!(mv(&[top(true), tap("d2")]).as_deref(), Some("d1^d2"));
        assert_eq!(mv(&[top(true), top(false), tap("d2")]).as_deref(), Some("d1d2"));
        let dragged =
            [tap("d1"), top(true), Act::Lift(square("d1")), Act::Drop(Some(square("d2")))];
        assert_eq!(mv(&dragged).as_deref(), Some("d1^d2"));
        assert_eq!(classic(&[Act::Top(true, square("h2"))]), (None, None), "no stack");
    }

    #[test]
    fn targets_tell_what_will_happen_there() {
        let position: Position = "4k5/10/10/10/3O1P15/3D16/3O16/4K5 s".parse().expect("a position");
        let moves = position.legal_moves();
        let choices = Choices { position: &position, moves: &moves };
        let at = |from: &str, to: &str| {
            let held = choices.pick(square(from)).expect("a piece");
            choices
                .targets(held)
                .into_iter()
                .find(|(target, _)| *target == square(to))
                .map(|(_, arrival)| arrival)
        };
        assert_eq!(at("d3", "e4"), Some(Arrival::Swap));
        assert_eq!(at("d3", "c3"), Some(Arrival::Move));
        assert_eq!(at("d2", "d3"), None);
        let position: Position = "4k5/10/10/10/10/3O16/3O16/4K5 s".parse().expect("a position");
        let moves = position.legal_moves();
        let choices = Choices { position: &position, moves: &moves };
        let held = choices.pick(square("d2")).expect("a piece");
        assert!(choices.targets(held).contains(&(square("d3"), Arrival::Stack)));
    }

    #[test]
    fn what_is_held_is_kept_while_it_can_act() {
        let position = Setup::Classic.position();
        let moves = position.legal_moves();
        let held = Some(Held { from: Square::H2, top: false, spun: None });
        assert_eq!(keep(held, Choices { position: &position, moves: &moves }), held);
        assert_eq!(keep(held, Choices { position: &position, moves: &[] }), None);
    }
}
