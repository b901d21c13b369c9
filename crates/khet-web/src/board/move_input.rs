//! Turns input into moves: a piece is picked up, perhaps rotated in hand, and dropped.
//!
//! Taps, drags, the wheel and keys all become a [`MoveInput`], so that every way of moving follows
//! the same logic. It contains no rules: it selects one of the moves that the page allows. The
//! terminal's game (`khet-cli/src/play/state/selection.rs`) has its own version, because it has
//! only a cursor and tells the player why a move is illegal, which a board of allowed moves can't
//! know.

use khet::tower::TowerMove;
use khet::{BoardSquare, GamePosition, Piece, Role, Rotation, Square as GroundSquare};

use super::levels::{as_tower_move, is_column, move_of_tower, upper_square};
use crate::rules::{Move, Position, Square};

/// A piece that is picked up but not dropped yet, or the tower, which is picked up at its column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceInHand {
    /// The square from which it was picked up.
    pub(crate) from: Square,
    /// True if only the top of a stack is held.
    pub(crate) top_only: bool,
    /// The rotation applied in hand. A rotated piece can only be dropped on its own square.
    pub(crate) rotation: Option<Rotation>,
}

/// An input of the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveInput {
    /// Taps a square, or presses Enter on it.
    Tap(Square),
    /// Starts to drag a piece off its square.
    Lift(Square),
    /// Ends a drag over a square, or outside the board.
    Drop(Option<Square>),
    /// Rotates the piece in hand, or, with an empty hand, picks up and rotates the piece on that
    /// square.
    Rotate(Rotation, Square),
    /// Chooses between the top and all of a stack: the stack in hand, or, with an empty hand, the
    /// one on that square, which is picked up.
    TakeTop { top_only: bool, square: Square },
    /// Puts the piece in hand back.
    Cancel,
}

/// The effect of dropping a piece on a target square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TargetKind {
    /// Moves to an empty square.
    Empty,
    /// Swaps the two pieces.
    Swap,
    /// Stacks an obelisk on another.
    Stack,
    /// Moves to the empty square straight above.
    Climb,
    /// Moves to the empty square straight below.
    Descend,
    /// Shifts the tower in the direction of a square beside its column.
    Shift,
}

/// The moves that the player may choose from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllowedMoves<'a> {
    /// The current position.
    pub(crate) position: &'a Position,
    /// The allowed moves.
    pub(crate) moves: &'a [Move],
}

impl AllowedMoves<'_> {
    /// Returns whether the piece on a square, or the tower whose column is there, has a move.
    pub(crate) fn has_move(&self, square: Square) -> bool {
        if self.is_tower(square) {
            return self.moves.iter().any(|mv| as_tower_move(*mv).is_some());
        }
        self.moves.iter().any(|mv| is_from(mv, square))
    }

    /// Returns whether a square of either level belongs to the column of the tower.
    pub(crate) fn is_tower(&self, square: Square) -> bool {
        is_column(self.position.tower_column(), square)
    }

    /// Returns whether both the whole stack on a square and its top alone can move.
    pub(crate) fn can_unstack(&self, square: Square) -> bool {
        let from = |mv: &&Move| is_from(mv, square);
        let whole = |mv: &Move| matches!(mv, Move::Step { .. });
        let top = |mv: &Move| matches!(mv, Move::Unstack { .. });
        self.moves.iter().filter(from).any(whole) && self.moves.iter().filter(from).any(top)
    }

    /// Returns the move that rotates the piece on a square. If both directions give the same
    /// result, returns the one that is allowed.
    pub(crate) fn rotation(&self, square: Square, rotation: Rotation) -> Option<Move> {
        let allowed_move = |rotation| {
            let mv = if self.is_tower(square) {
                move_of_tower(TowerMove::Rotate(rotation))?
            } else {
                Move::Rotate { square, rotation }
            };
            self.moves.contains(&mv).then_some(mv)
        };
        allowed_move(rotation).or_else(|| {
            let piece = self.position.get(square)?;
            allowed_move(opposite(rotation)).filter(|_| piece.rotated(1) == piece.rotated(3))
        })
    }

    /// Returns whether the piece on a square can be rotated.
    pub(crate) fn can_rotate(&self, square: Square) -> bool {
        self.rotation(square, Rotation::Clockwise).is_some()
            || self.rotation(square, Rotation::Counterclockwise).is_some()
    }

    /// Returns the squares on which the piece in hand can be dropped.
    pub(crate) fn targets(&self, held: PieceInHand) -> Vec<(Square, TargetKind)> {
        if self.is_tower(held.from) {
            let allowed = |square: &Square| self.shift_towards(*square).is_some();
            let beside = GroundSquare::all().filter_map(upper_square).filter(allowed);
            return beside.map(|square| (square, TargetKind::Shift)).collect();
        }
        let mover = self.position.get(held.from).map(Piece::role);
        let target = |mv: &Move| match *mv {
            Move::Step { from, to } if from == held.from && !held.top_only => Some(to),
            Move::Unstack { from, to } if from == held.from && held.top_only => Some(to),
            _ => None,
        };
        let level = held.from.board_level();
        let kind = |square: Square| match self.position.get(square) {
            None if square.board_level() > level => TargetKind::Climb,
            None if square.board_level() < level => TargetKind::Descend,
            None => TargetKind::Empty,
            Some(_) if mover == Some(Role::Obelisk) => TargetKind::Stack,
            Some(_) => TargetKind::Swap,
        };
        self.moves.iter().filter_map(target).map(|square| (square, kind(square))).collect()
    }

    /// Returns the piece on a square as the piece in hand, if it has a move.
    fn pick_up(&self, square: Square) -> Option<PieceInHand> {
        if self.is_tower(square) && self.has_move(square) {
            let from = upper_square(square.ground())?;
            return Some(PieceInHand { from, top_only: false, rotation: None });
        }
        self.has_move(square).then(|| {
            let whole = |mv: &Move| is_from(mv, square) && !matches!(mv, Move::Unstack { .. });
            PieceInHand { from: square, top_only: !self.moves.iter().any(whole), rotation: None }
        })
    }

    /// Returns the move that would be made if the piece in hand were dropped now, with the pointer
    /// or cursor over a square.
    pub(crate) fn aimed_move(&self, held: PieceInHand, over: Square) -> Option<Move> {
        self.drop_on(held, if held.rotation.is_some() { held.from } else { over })
    }

    /// Returns the move that drops the piece in hand on a square.
    fn drop_on(&self, held: PieceInHand, square: Square) -> Option<Move> {
        let is_tower = self.is_tower(held.from);
        let mv = match held.rotation {
            Some(rotation) => {
                let is_there = square == held.from || is_tower && self.is_tower(square);
                return self.rotation(held.from, rotation).filter(|_| is_there);
            }
            None if is_tower => return self.shift_towards(square),
            None if held.top_only => Move::Unstack { from: held.from, to: square },
            None => Move::Step { from: held.from, to: square },
        };
        self.moves.contains(&mv).then_some(mv)
    }

    /// Returns the move that shifts the tower in the direction of a square beside its column.
    fn shift_towards(&self, square: Square) -> Option<Move> {
        let (to, from) = (square.ground(), self.position.tower_column()?.lower_left());
        // The column has two files and two ranks.
        let steps = |to: u8, from: u8| match to as i8 - from as i8 {
            -1 => Some(-1),
            0 | 1 => Some(0),
            2 => Some(1),
            _ => None,
        };
        self.shift_by(steps(to.file(), from.file())?, steps(to.rank(), from.rank())?)
    }

    /// Returns the move that shifts the tower by files to the east and ranks to the north.
    fn shift_by(&self, files: i8, ranks: i8) -> Option<Move> {
        let column = self.position.tower_column()?;
        let mv = move_of_tower(TowerMove::Shift(column.lower_left().offset(files, ranks)?))?;
        self.moves.contains(&mv).then_some(mv)
    }

    /// Returns the move that shifts the tower as it was dragged: by the way from the square at
    /// which it was picked up to another one.
    pub(crate) fn dragged_shift(&self, held: PieceInHand, to: Square) -> Option<Move> {
        let (from, to) = (held.from.ground(), to.ground());
        let steps = |from: u8, to: u8| (to as i8 - from as i8).clamp(-1, 1);
        let (files, ranks) = (steps(from.file(), to.file()), steps(from.rank(), to.rank()));
        self.shift_by(files, ranks).filter(|_| self.is_tower(held.from))
    }
}

/// Returns the direction of a move that rotates a piece or the tower.
fn rotation_of(mv: Move) -> Option<Rotation> {
    match (mv, as_tower_move(mv)) {
        (Move::Rotate { rotation, .. }, _) | (_, Some(TowerMove::Rotate(rotation))) => {
            Some(rotation)
        }
        _ => None,
    }
}

/// Returns whether a move is one of the piece on a square.
fn is_from(mv: &Move, square: Square) -> bool {
    mv.squares().is_some_and(|[from, _]| from == square)
}

/// Returns the other direction of rotation.
const fn opposite(rotation: Rotation) -> Rotation {
    match rotation {
        Rotation::Clockwise => Rotation::Counterclockwise,
        Rotation::Counterclockwise => Rotation::Clockwise,
    }
}

/// Returns the piece in hand after an input, and the move that the input completed.
pub(crate) fn apply_input(
    held: Option<PieceInHand>,
    input: MoveInput,
    allowed: AllowedMoves<'_>,
) -> (Option<PieceInHand>, Option<Move>) {
    match input {
        MoveInput::Tap(square) => match held {
            Some(held) => match allowed.drop_on(held, square) {
                Some(mv) => (None, Some(mv)),
                // Dropping a piece on its own square puts it back; a tap elsewhere picks up another
                // piece.
                None if square == held.from => (None, None),
                None if allowed.is_tower(held.from) && allowed.is_tower(square) => (None, None),
                None => (allowed.pick_up(square), None),
            },
            None => (allowed.pick_up(square), None),
        },
        MoveInput::Lift(square) => {
            let again = held.filter(|held| held.from == square && allowed.has_move(square));
            let again = again.map(|held| PieceInHand { rotation: None, ..held });
            (again.or_else(|| allowed.pick_up(square)), None)
        }
        MoveInput::Drop(square) => {
            let Some(held) = held else { return (None, None) };
            if square == Some(held.from) {
                return (Some(held), None);
            }
            let drop = |square| match allowed.is_tower(held.from) {
                true => allowed.dragged_shift(held, square),
                false => allowed.drop_on(held, square),
            };
            (None, square.and_then(drop))
        }
        MoveInput::Rotate(rotation, square) => {
            let Some(now) = held.or_else(|| allowed.pick_up(square)) else { return (None, None) };
            let Some(allowed_rotation) = allowed.rotation(now.from, rotation).and_then(rotation_of)
            else {
                // This direction is not allowed, except to undo the opposite rotation.
                let back = now.rotation == Some(opposite(rotation));
                return (
                    if back { Some(PieceInHand { rotation: None, ..now }) } else { held },
                    None,
                );
            };
            let rotation = match now.rotation {
                None => Some(allowed_rotation),
                // Either the opposite rotation, or a second one of a piece with half-turn symmetry.
                Some(before) if before != allowed_rotation || allowed_rotation != rotation => None,
                Some(before) => {
                    let symmetric = allowed.rotation(now.from, opposite(rotation))
                        == allowed.rotation(now.from, rotation);
                    if symmetric { None } else { Some(before) }
                }
            };
            (Some(PieceInHand { rotation, ..now }), None)
        }
        MoveInput::TakeTop { top_only, square } => {
            let Some(now) = held.or_else(|| allowed.pick_up(square)) else { return (None, None) };
            if allowed.can_unstack(now.from) {
                (Some(PieceInHand { top_only, ..now }), None)
            } else {
                (held, None)
            }
        }
        MoveInput::Cancel => (None, None),
    }
}

/// Returns the piece in hand if it still has an allowed move.
pub(crate) fn keep_if_allowed(
    held: Option<PieceInHand>,
    allowed: AllowedMoves<'_>,
) -> Option<PieceInHand> {
    held.filter(|held| match held.rotation {
        Some(rotation) => allowed.rotation(held.from, rotation).is_some(),
        None if held.top_only => !allowed.targets(*held).is_empty(),
        None => allowed.has_move(held.from),
    })
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    /// Applies inputs in order, with all legal moves of the position allowed.
    fn apply_all(position: &Position, inputs: &[MoveInput]) -> (Option<PieceInHand>, Option<Move>) {
        let moves = position.legal_moves();
        let allowed = AllowedMoves { position, moves: &moves };
        let mut now = (None, None);
        for &next in inputs {
            assert_eq!(now.1, None, "a move was completed before the last input");
            now = apply_input(now.0, next, allowed);
        }
        now
    }

    fn classic(list: &[MoveInput]) -> (Option<PieceInHand>, Option<String>) {
        let (held, mv) = apply_all(&Setup::Classic.position().into(), list);
        (held, mv.map(|mv| mv.to_string()))
    }

    fn mv(list: &[MoveInput]) -> Option<String> {
        classic(list).1
    }

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    fn tap(name: &str) -> MoveInput {
        MoveInput::Tap(square(name))
    }

    #[test]
    fn tapping_a_piece_and_a_target_makes_a_move() {
        assert_eq!(mv(&[tap("h2"), tap("g2")]).as_deref(), Some("h2g2"));
    }

    #[test]
    fn dragging_makes_the_same_move() {
        assert_eq!(
            mv(&[MoveInput::Lift(square("h2")), MoveInput::Drop(Some(square("g2")))]).as_deref(),
            Some("h2g2")
        );
    }

    #[test]
    fn piece_is_rotated_in_hand_and_then_dropped() {
        let right = MoveInput::Rotate(Rotation::Clockwise, square("h2"));
        let left = MoveInput::Rotate(Rotation::Counterclockwise, square("h2"));
        assert_eq!(mv(&[tap("h2"), right]), None);
        assert_eq!(mv(&[tap("h2"), right, tap("h2")]).as_deref(), Some("h2+"));
        assert_eq!(mv(&[right, tap("h2")]).as_deref(), Some("h2+"), "rotating picks the piece up");
        assert_eq!(
            mv(&[right, right, tap("h2")]).as_deref(),
            Some("h2+"),
            "at most a quarter turn"
        );
        assert_eq!(mv(&[left, tap("h2")]).as_deref(), Some("h2-"));
        assert_eq!(
            classic(&[tap("h2"), right, left]).0.map(|held| held.rotation),
            Some(None),
            "rotated back"
        );
        assert_eq!(mv(&[right, tap("g2")]), None, "a rotated piece can not also move");
    }

    #[test]
    fn aimed_move_is_the_rotation_in_hand_or_the_step_to_the_square_below() {
        let position = Position::from(Setup::Classic.position());
        let moves = position.legal_moves();
        let allowed = AllowedMoves { position: &position, moves: &moves };
        let held = PieceInHand { from: square("j4"), top_only: false, rotation: None };
        let aimed = |held, over| allowed.aimed_move(held, over).map(|mv| mv.to_string());
        assert_eq!(aimed(held, square("j4")), None);
        assert_eq!(aimed(held, square("j3")).as_deref(), Some("j4j3"));
        assert_eq!(aimed(held, square("a1")), None);
        let rotated = PieceInHand { rotation: Some(Rotation::Clockwise), ..held };
        assert_eq!(aimed(rotated, square("j3")).as_deref(), Some("j4+"));
    }

    #[test]
    fn djed_rotates_in_either_direction() {
        for rotation in [Rotation::Clockwise, Rotation::Counterclockwise] {
            let rotation = MoveInput::Rotate(rotation, square("e4"));
            assert_eq!(mv(&[rotation, tap("e4")]).as_deref(), Some("e4+"));
            assert_eq!(classic(&[rotation, rotation]).0.map(|held| held.rotation), Some(None));
        }
    }

    #[test]
    fn sphinx_rotates_only_towards_the_board() {
        let position = Position::from(Setup::Khet2Classic.position());
        let left = MoveInput::Rotate(Rotation::Counterclockwise, square("j1"));
        let right = MoveInput::Rotate(Rotation::Clockwise, square("j1"));
        let (_, mv) = apply_all(&position, &[left, tap("j1")]);
        assert_eq!(mv.map(|mv| mv.to_string()).as_deref(), Some("j1-"));
        assert_eq!(apply_all(&position, &[right]), (None, None));
        let (held, _) = apply_all(&position, &[left, right]);
        assert_eq!(held.map(|held| held.rotation), Some(None));
    }

    #[test]
    fn tap_on_another_square_never_makes_a_move() {
        assert_eq!(classic(&[tap("e5")]), (None, None), "Red's piece");
        assert_eq!(classic(&[tap("g5")]), (None, None), "nothing there");
        assert_eq!(classic(&[tap("h2"), tap("g5")]), (None, None), "too far");
        assert_eq!(classic(&[tap("h2"), tap("h2")]), (None, None), "put back");
        assert_eq!(
            classic(&[MoveInput::Lift(square("h2")), MoveInput::Drop(None)]),
            (None, None),
            "beside the board"
        );
        let held = classic(&[tap("h2"), tap("c4")]).0.map(|held| held.from);
        assert_eq!(held, Some(square("c4")), "another own piece is picked");
        let still = classic(&[MoveInput::Lift(square("h2")), MoveInput::Drop(Some(square("h2")))]);
        assert_eq!(
            still.0.map(|held| held.from),
            Some(square("h2")),
            "a drag that went nowhere is a pick"
        );
    }

    #[test]
    fn stack_moves_whole_or_only_its_top() {
        let top = |on| MoveInput::TakeTop { top_only: on, square: square("d1") };
        assert_eq!(mv(&[tap("d1"), tap("d2")]).as_deref(), Some("d1d2"));
        assert_eq!(mv(&[tap("d1"), top(true), tap("d2")]).as_deref(), Some("d1^d2"));
        assert_eq!(mv(&[top(true), tap("d2")]).as_deref(), Some("d1^d2"));
        assert_eq!(mv(&[top(true), top(false), tap("d2")]).as_deref(), Some("d1d2"));
        let dragged = [
            tap("d1"),
            top(true),
            MoveInput::Lift(square("d1")),
            MoveInput::Drop(Some(square("d2"))),
        ];
        assert_eq!(mv(&dragged).as_deref(), Some("d1^d2"));
        assert_eq!(
            classic(&[MoveInput::TakeTop { top_only: true, square: square("h2") }]),
            (None, None),
            "no stack"
        );
    }

    #[test]
    fn targets_have_the_kind_of_move() {
        let position: Position = "4k5/10/10/10/3O1P15/3D16/3O16/4K5 s".parse().expect("a position");
        let moves = position.legal_moves();
        let allowed = AllowedMoves { position: &position, moves: &moves };
        let at = |from: &str, to: &str| {
            let held = allowed.pick_up(square(from)).expect("a piece");
            allowed
                .targets(held)
                .into_iter()
                .find(|(target, _)| *target == square(to))
                .map(|(_, kind)| kind)
        };
        assert_eq!(at("d3", "e4"), Some(TargetKind::Swap));
        assert_eq!(at("d3", "c3"), Some(TargetKind::Empty));
        assert_eq!(at("d2", "d3"), None);
        let position: Position = "4k5/10/10/10/10/3O16/3O16/4K5 s".parse().expect("a position");
        let moves = position.legal_moves();
        let allowed = AllowedMoves { position: &position, moves: &moves };
        let held = allowed.pick_up(square("d2")).expect("a piece");
        assert!(allowed.targets(held).contains(&(square("d3"), TargetKind::Stack)));
    }

    #[test]
    fn piece_in_hand_is_kept_while_it_has_a_move() {
        let position = Position::from(Setup::Classic.position());
        let moves = position.legal_moves();
        let held = Some(PieceInHand { from: square("h2"), top_only: false, rotation: None });
        assert_eq!(
            keep_if_allowed(held, AllowedMoves { position: &position, moves: &moves }),
            held
        );
        assert_eq!(keep_if_allowed(held, AllowedMoves { position: &position, moves: &[] }), None);
    }

    #[cfg(feature = "tower")]
    mod tower {
        use super::*;

        /// Silver's pyramid on c5 is beneath the upper level; a stack stands on C6.
        const POSITION: &str = "4k5/10/10/2P17/10/10/10/4K5+e4:6/O25/6/6/6/6 s";

        fn mv(inputs: &[MoveInput]) -> Option<String> {
            let position: Position = POSITION.parse().expect("a position");
            apply_all(&position, inputs).1.map(|mv| mv.to_string())
        }

        fn held(inputs: &[MoveInput]) -> Option<PieceInHand> {
            apply_all(&POSITION.parse().expect("a position"), inputs).0
        }

        #[test]
        fn piece_climbs_and_descends_by_a_tap_on_the_square_above_or_below() {
            assert_eq!(mv(&[tap("c5"), tap("C5")]).as_deref(), Some("c5C5"));
            assert_eq!(mv(&[tap("C6"), tap("c6")]).as_deref(), Some("C6c6"));
            let top = MoveInput::TakeTop { top_only: true, square: square("C6") };
            assert_eq!(mv(&[top, tap("c6")]).as_deref(), Some("C6^c6"));
            assert_eq!(mv(&[tap("c5"), tap("D5")]), None, "not straight above");
        }

        #[test]
        fn targets_on_the_other_level_are_marked() {
            let position: Position = POSITION.parse().expect("a position");
            let moves = position.legal_moves();
            let allowed = AllowedMoves { position: &position, moves: &moves };
            let kinds = |from: &str| {
                let held = allowed.pick_up(square(from)).expect("a piece");
                let targets = allowed.targets(held).into_iter();
                targets.filter(|(_, kind)| *kind != TargetKind::Empty).collect::<Vec<_>>()
            };
            assert_eq!(kinds("c5"), [(square("C5"), TargetKind::Climb)]);
            assert_eq!(kinds("C6"), [(square("c6"), TargetKind::Descend)]);
        }

        #[test]
        fn tower_is_shifted_towards_a_square_beside_its_column() {
            for (beside, to) in [("D4", "Td4"), ("D5", "Td4"), ("G6", "Tf5"), ("F3", "Te3")] {
                assert_eq!(mv(&[tap("F5"), tap(beside)]).as_deref(), Some(to), "{beside}");
            }
            assert_eq!(mv(&[tap("e4"), tap("d4")]).as_deref(), Some("Td4"), "its foot");
            assert_eq!(held(&[tap("F5"), tap("E4")]), None, "a tap on the column puts it back");
            assert_eq!(held(&[tap("F5"), tap("H8")]), None, "not beside the column");
        }

        #[test]
        fn tower_is_shifted_as_it_is_dragged() {
            let drag =
                |to: &str| mv(&[MoveInput::Lift(square("F5")), MoveInput::Drop(Some(square(to)))]);
            assert_eq!(drag("E5").as_deref(), Some("Td4"));
            assert_eq!(drag("G6").as_deref(), Some("Tf5"));
            assert_eq!(drag("C5").as_deref(), Some("Td4"), "by one square at most");
            assert_eq!(drag("F5"), None);
        }

        #[test]
        fn tower_is_rotated_in_hand_and_then_dropped() {
            let right = MoveInput::Rotate(Rotation::Clockwise, square("F5"));
            let left = MoveInput::Rotate(Rotation::Counterclockwise, square("F5"));
            assert_eq!(mv(&[right, tap("F5")]).as_deref(), Some("T+"));
            assert_eq!(mv(&[left, tap("E4")]).as_deref(), Some("T-"));
            assert_eq!(held(&[right, left]).map(|held| held.rotation), Some(None));
            assert_eq!(mv(&[right, tap("D4")]), None, "a rotated tower is not shifted too");
        }

        #[test]
        fn tower_that_can_not_move_is_not_picked_up() {
            let position: Position = POSITION.parse().expect("a position");
            let pieces_only: Vec<Move> = position
                .legal_moves()
                .iter()
                .copied()
                .filter(|mv| mv.squares().is_some())
                .collect();
            let allowed = AllowedMoves { position: &position, moves: &pieces_only };
            assert_eq!(apply_input(None, tap("F5"), allowed), (None, None));
        }
    }
}
