//! Legal moves: listing them, counting them, and checking one.

use std::fmt;

use crate::piece::MoveClass;
use crate::{Bitboard, BoardSquare, Kind, Move, MoveList, Piece, Position, Rotation, Square};

/// The kind of a move. Moves of one kind by one piece differ only in their target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveKind {
    /// To an empty square.
    Step,
    /// A djed, scarab or Eye changes places with the piece on the target.
    Swap,
    /// A single obelisk goes onto another one.
    Stack,
    /// The top of a stack goes to the target.
    Unstack,
    /// The piece rotates in place; the only target is its own square.
    Rotate(Rotation),
}

impl MoveKind {
    #[inline]
    pub(crate) fn mv<S: BoardSquare>(self, from: S, to: S) -> Move<S> {
        match self {
            MoveKind::Step | MoveKind::Swap | MoveKind::Stack => Move::Step { from, to },
            MoveKind::Unstack => Move::Unstack { from, to },
            MoveKind::Rotate(rotation) => Move::Rotate { square: from, rotation },
        }
    }

    /// Returns the contents of the start and the target square after such a move, given those
    /// before.
    #[inline]
    pub(crate) fn outcome(self, [mover, target]: [Option<Piece>; 2]) -> [Option<Piece>; 2] {
        match self {
            MoveKind::Step => [None, mover],
            MoveKind::Rotate(rotation) => {
                let rotated = mover.map(|piece| piece.rotated(rotation.quarters()));
                [rotated, rotated]
            }
            MoveKind::Swap => [target, mover],
            MoveKind::Stack => [None, mover.map(|piece| Piece::new(piece.color(), Kind::Stack))],
            MoveKind::Unstack => {
                let single = mover.and_then(Piece::remains);
                [single, if target.is_some() { mover } else { single }]
            }
        }
    }
}

/// Receives legal moves. A trait instead of a closure, so that the match on the kind is resolved at
/// compile time.
pub(crate) trait MoveVisitor {
    fn visit(&mut self, kind: MoveKind, from: Square, targets: Bitboard);
}

impl<F: FnMut(MoveKind, Square, Bitboard)> MoveVisitor for F {
    #[inline]
    fn visit(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        self(kind, from, targets);
    }
}

/// The squares to which pieces of the side to move may go, before adjacency is considered.
pub(crate) struct Targets {
    /// Empty and not reserved for the other colour.
    pub(crate) empty: Bitboard,
    /// Own single obelisks.
    pub(crate) singles: Bitboard,
    /// Own pieces with which a djed can swap.
    own_swappable: Bitboard,
    /// Pieces with which a djed on a neutral square can swap: those of its own colour and, where
    /// the rules allow it, those of the other.
    swappable: Bitboard,
    /// Squares on which pieces of the other colour may not stand.
    reserved: Bitboard,
}

impl Targets {
    /// Returns the possible targets of the side to move.
    #[inline]
    pub(crate) fn of(position: &Position) -> Targets {
        let side = position.side_to_move();
        let own = position.of_color(side);
        let singles = position.of_class(MoveClass::Single);
        let movable =
            position.of_class(MoveClass::Rotator) | singles | position.of_class(MoveClass::Stack);
        let swappable = if position.rules().swaps_either_color() {
            movable & Bitboard::allowed(side)
        } else {
            movable & own
        };
        Targets {
            empty: Bitboard::allowed(side) & !position.occupied(),
            singles: singles & own,
            own_swappable: movable & own,
            swappable,
            reserved: Bitboard::reserved(side),
        }
    }

    /// Returns the possible targets of the side to move on these squares, which are all neutral.
    pub(crate) fn neutral(position: &Position, squares: Bitboard) -> Targets {
        let own = position.of_color(position.side_to_move());
        let singles = position.of_class(MoveClass::Single);
        let movable =
            position.of_class(MoveClass::Rotator) | singles | position.of_class(MoveClass::Stack);
        Targets {
            empty: squares & !position.occupied(),
            singles: singles & own,
            own_swappable: movable & own,
            swappable: if position.rules().swaps_either_color() { movable } else { movable & own },
            reserved: Bitboard::EMPTY,
        }
    }

    /// Returns the squares of the pieces of `level` with which a djed, scarab or Eye on a square of
    /// these targets can swap.
    #[inline]
    pub(crate) fn swappable_from(&self, from: Square, level: &Targets) -> Bitboard {
        if self.reserved.has(from) { level.own_swappable } else { level.swappable }
    }

    /// Returns the squares to which a piece can step.
    #[inline]
    fn steps(&self, from: Square) -> Bitboard {
        Bitboard::around(from) & self.empty
    }

    /// Returns the squares of the pieces with which a djed, scarab or Eye can swap.
    #[inline]
    fn swaps(&self, from: Square) -> Bitboard {
        Bitboard::around(from) & self.swappable_from(from, self)
    }

    /// Returns the squares of the obelisks on which a single obelisk can be stacked.
    #[inline]
    fn stacks(&self, from: Square) -> Bitboard {
        Bitboard::around(from) & self.singles
    }

    /// Returns the squares to which the top of a stack can move.
    #[inline]
    fn unstacks(&self, from: Square) -> Bitboard {
        Bitboard::around(from) & (self.empty | self.singles)
    }
}

/// Returns the only rotation after which a sphinx does not face the wall.
pub(crate) fn sphinx_rotation(piece: Piece) -> Rotation {
    let direction = match piece.kind() {
        Kind::Sphinx(direction) => direction as u8,
        _ => 0,
    };
    // Silver's sphinx faces north or west, Red's south or east. From north and south, which are
    // even, the other direction is counterclockwise.
    if direction & 1 == 0 { Rotation::Counterclockwise } else { Rotation::Clockwise }
}

impl Position {
    /// Returns whether a pharaoh has been hit, after which there are no legal moves.
    #[inline]
    fn is_pharaoh_hit(&self) -> bool {
        self.of_class(MoveClass::Pharaoh).len() < 2
    }

    /// Calls `visit` with the target squares of each piece and kind of move.
    #[inline]
    pub(crate) fn each_move_kind(&self, visit: impl FnMut(MoveKind, Square, Bitboard)) {
        self.each_move_kind_from(Bitboard::ALL, visit);
    }

    /// Like [`each_move_kind`](Position::each_move_kind), for the pieces on `squares` only.
    #[inline]
    pub(crate) fn each_move_kind_from(
        &self,
        squares: Bitboard,
        mut visit: impl FnMut(MoveKind, Square, Bitboard),
    ) {
        self.visit_moves(squares, &mut visit);
    }

    /// Passes the legal moves of the pieces on these squares to a visitor.
    #[inline]
    pub(crate) fn visit_moves(&self, squares: Bitboard, visitor: &mut impl MoveVisitor) {
        if !self.is_pharaoh_hit() {
            self.visit_moves_to(&Targets::of(self), squares, visitor);
        }
    }

    /// Passes the moves of the pieces on these squares to these targets to a visitor.
    #[inline]
    pub(crate) fn visit_moves_to(
        &self,
        targets: &Targets,
        squares: Bitboard,
        visitor: &mut impl MoveVisitor,
    ) {
        let own = self.of_color(self.side_to_move()) & squares;
        for from in own & self.of_class(MoveClass::Rotator) {
            visitor.visit(MoveKind::Step, from, targets.steps(from));
            visitor.visit(MoveKind::Rotate(Rotation::Clockwise), from, Bitboard::of(from));
            visitor.visit(MoveKind::Rotate(Rotation::Counterclockwise), from, Bitboard::of(from));
        }
        for from in own & self.of_class(MoveClass::Swapper) {
            visitor.visit(MoveKind::Step, from, targets.steps(from));
            visitor.visit(MoveKind::Swap, from, targets.swaps(from));
            visitor.visit(MoveKind::Rotate(Rotation::Clockwise), from, Bitboard::of(from));
        }
        for from in own & self.of_class(MoveClass::Stack) {
            visitor.visit(MoveKind::Step, from, targets.steps(from));
            visitor.visit(MoveKind::Unstack, from, targets.unstacks(from));
        }
        for from in own & self.of_class(MoveClass::Single) {
            visitor.visit(MoveKind::Step, from, targets.steps(from));
            visitor.visit(MoveKind::Stack, from, targets.stacks(from));
        }
        for from in own & self.of_class(MoveClass::Pharaoh) {
            visitor.visit(MoveKind::Step, from, targets.steps(from));
        }
        for from in own & self.of_class(MoveClass::Sphinx) {
            if let Some(sphinx) = self.get(from) {
                visitor.visit(MoveKind::Rotate(sphinx_rotation(sphinx)), from, Bitboard::of(from));
            }
        }
    }

    /// Lists all legal moves, in no particular order; none after a pharaoh has been hit.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.each_move_kind(|kind, from, targets| {
            for to in targets {
                moves.push(kind.mv(from, to));
            }
        });
        moves
    }

    /// Counts the legal moves without listing them.
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        if self.is_pharaoh_hit() {
            return 0;
        }
        let own = self.of_color(self.side_to_move());
        let targets = Targets::of(self);
        let sphinx = own & self.of_class(MoveClass::Sphinx);
        let swappers = own & self.of_class(MoveClass::Swapper);
        let mut count = (own ^ sphinx).count_steps(targets.empty)
            + 2 * (own & self.of_class(MoveClass::Rotator)).len()
            + (swappers | sphinx).len();
        for from in swappers & !targets.reserved {
            count += (Bitboard::around(from) & targets.swappable).len();
        }
        for from in swappers & targets.reserved {
            count += (Bitboard::around(from) & targets.own_swappable).len();
        }
        for from in own & self.of_class(MoveClass::Stack) {
            count += targets.unstacks(from).len();
        }
        if !targets.singles.is_empty() {
            count += targets.singles.count_steps(targets.singles);
        }
        count
    }

    /// Checks a move. Returns it as [`Position::legal_moves`] lists it, or the rule that it breaks.
    ///
    /// A piece that looks the same after a rotation in either direction has one rotation, listed as
    /// clockwise; the other spelling is accepted too.
    ///
    /// ```
    /// use khet::{Setup, Move};
    ///
    /// let position = Setup::Classic.position();
    /// let djed: Move = "e4-".parse()?;
    /// assert_eq!(position.check(djed)?.to_string(), "e4+");
    ///
    /// let error = position.check("f8f7".parse()?).unwrap_err();
    /// assert_eq!(error.to_string(), "f8f7: the piece on f8 belongs to the other player");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, mv: Move) -> Result<Move, IllegalMove> {
        match self.check_rules(mv) {
            Ok(mv) => Ok(mv),
            Err(rule) => Err(IllegalMove { mv, rule }),
        }
    }

    fn check_rules(&self, mv: Move) -> Result<Move, BrokenRule> {
        let (from, to) = (mv.from(), mv.to());
        let side = self.side_to_move();
        let Some(piece) = self.get(from).filter(|_| !self.is_pharaoh_hit()) else {
            return Err(if self.is_pharaoh_hit() {
                BrokenRule::GameOver
            } else {
                BrokenRule::NoPiece
            });
        };
        if piece.color() != side {
            return Err(BrokenRule::NotYours);
        }
        let class = piece.move_class();
        if let Move::Rotate { square, rotation } = mv {
            let rotation = check_rotation(piece, rotation)?;
            return Ok(Move::Rotate { square, rotation });
        }
        let targets = Targets::of(self);
        let unstacks = matches!(mv, Move::Unstack { .. });
        let legal = match class {
            MoveClass::Stack if unstacks => targets.unstacks(from),
            _ if unstacks => return Err(BrokenRule::NotAStack),
            MoveClass::Sphinx => return Err(BrokenRule::SphinxCannotMove),
            MoveClass::Swapper => targets.steps(from) | targets.swaps(from),
            MoveClass::Single => targets.steps(from) | targets.stacks(from),
            MoveClass::Pharaoh | MoveClass::Rotator | MoveClass::Stack => targets.steps(from),
        };
        if legal.has(to) { Ok(mv) } else { Err(self.broken_rule(class, from, to)) }
    }

    /// Returns the rule that keeps a piece of the side to move from going to a square.
    fn broken_rule(&self, class: MoveClass, from: Square, to: Square) -> BrokenRule {
        let side = self.side_to_move();
        if !Bitboard::around(from).has(to) {
            return BrokenRule::NotANeighbor;
        }
        if !Bitboard::allowed(side).has(to) {
            return BrokenRule::ReservedSquare;
        }
        match self.get(to) {
            Some(other) if class == MoveClass::Swapper => match other.move_class() {
                MoveClass::Pharaoh | MoveClass::Swapper | MoveClass::Sphinx => {
                    BrokenRule::CannotSwapWith
                }
                _ if !self.rules().swaps_either_color() => BrokenRule::SwapsOwnColorOnly,
                _ => BrokenRule::SwapOntoReservedSquare,
            },
            Some(other) if other.color() == side && other.move_class() == MoveClass::Stack => {
                match class {
                    MoveClass::Single | MoveClass::Stack => BrokenRule::StackIsFull,
                    _ => BrokenRule::Occupied,
                }
            }
            _ => BrokenRule::Occupied,
        }
    }
}

/// Returns the rotation of a piece as it is listed, or the rule that it breaks.
pub(crate) fn check_rotation(piece: Piece, rotation: Rotation) -> Result<Rotation, BrokenRule> {
    match piece.move_class() {
        MoveClass::Rotator => Ok(rotation),
        MoveClass::Swapper => Ok(Rotation::Clockwise),
        MoveClass::Sphinx if rotation == sphinx_rotation(piece) => Ok(rotation),
        MoveClass::Sphinx => Err(BrokenRule::SphinxFacesWall),
        MoveClass::Pharaoh | MoveClass::Single | MoveClass::Stack => Err(BrokenRule::CannotRotate),
    }
}

/// A move that is illegal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove<S: BoardSquare = Square> {
    /// The move.
    pub mv: Move<S>,
    /// The rule that it breaks.
    pub rule: BrokenRule,
}

/// The rule that an illegal move breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BrokenRule {
    /// A pharaoh has been hit.
    GameOver,
    /// Nothing stands on the square.
    NoPiece,
    /// The piece belongs to the player who is not to move.
    NotYours,
    /// A piece goes to one of the eight squares around it.
    NotANeighbor,
    /// The square is reserved for the other colour.
    ReservedSquare,
    /// The square is taken, and the piece can't swap or stack.
    Occupied,
    /// Two obelisks on a square are the limit.
    StackIsFull,
    /// Djeds never swap with a pharaoh, another djed, or a sphinx.
    CannotSwapWith,
    /// In this edition djeds swap with their own colour only.
    SwapsOwnColorOnly,
    /// The piece of the other colour would be put on a square reserved against it.
    SwapOntoReservedSquare,
    /// Only a stack has a top to take.
    NotAStack,
    /// A pharaoh or an obelisk looks the same from every side.
    CannotRotate,
    /// A sphinx stays on its corner.
    SphinxCannotMove,
    /// A sphinx looks into the board.
    SphinxFacesWall,
    /// The column of the tower stands on the square.
    InsideColumn,
    /// The upper level of the tower does not reach to the square.
    NotOnTower,
    /// A pharaoh never stands on a corner of the upper level.
    PharaohOnTowerCorner,
    /// The tower shifts by one square in one of the eight directions.
    TowerNotANeighbor,
    /// The upper level would not lie wholly above the board.
    TowerOffBoard,
    /// A piece stands where the column would stand.
    TowerBlocked,
    /// The rotation of the tower would change nothing.
    TowerLooksTheSame,
    /// The move is one of a tower or its upper level, and the game has none.
    NoTower,
}

impl<S: BoardSquare> fmt::Display for IllegalMove<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.mv)?;
        let [from, to] = match self.mv.squares() {
            Some(squares) => squares.map(|square| square.to_string()),
            None => [const { String::new() }; 2],
        };
        match self.rule {
            BrokenRule::GameOver => f.write_str("the game is over"),
            BrokenRule::NoPiece => write!(f, "there is no piece on {from}"),
            BrokenRule::NotYours => write!(f, "the piece on {from} belongs to the other player"),
            BrokenRule::NotANeighbor => write!(f, "{to} is not next to {from}"),
            BrokenRule::ReservedSquare => write!(f, "{to} is reserved for the other colour"),
            BrokenRule::Occupied => write!(f, "{to} is taken"),
            BrokenRule::StackIsFull => write!(f, "{to} has two obelisks already"),
            BrokenRule::CannotSwapWith => write!(f, "no piece swaps with the one on {to}"),
            BrokenRule::SwapsOwnColorOnly => {
                write!(f, "in this edition a swap is between pieces of one colour")
            }
            BrokenRule::SwapOntoReservedSquare => {
                write!(f, "the piece on {to} may not stand on {from}")
            }
            BrokenRule::NotAStack => write!(f, "there is no stack on {from}"),
            BrokenRule::CannotRotate => write!(f, "the piece on {from} can't be rotated"),
            BrokenRule::SphinxCannotMove => write!(f, "the sphinx on {from} never moves"),
            BrokenRule::SphinxFacesWall => write!(f, "the sphinx on {from} would face the wall"),
            BrokenRule::InsideColumn => write!(f, "the column of the tower stands on {to}"),
            BrokenRule::NotOnTower => write!(f, "the tower does not reach to {to}"),
            BrokenRule::PharaohOnTowerCorner => {
                write!(f, "{to} is a corner of the tower, where no pharaoh may stand")
            }
            BrokenRule::TowerNotANeighbor => f.write_str("the tower shifts by one square"),
            BrokenRule::TowerOffBoard => {
                f.write_str("the upper level of the tower would reach over the edge of the board")
            }
            BrokenRule::TowerBlocked => f.write_str("a piece stands in the way of the column"),
            BrokenRule::TowerLooksTheSame => f.write_str("the rotation would change nothing"),
            BrokenRule::NoTower => f.write_str("this game has no tower"),
        }
    }
}

impl<S: BoardSquare> std::error::Error for IllegalMove<S> {}
