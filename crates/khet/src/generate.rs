//! Legal moves: listing them, counting them, and judging one.

use std::fmt;

use crate::piece::Class;
use crate::{Bitboard, Kind, Move, MoveList, Piece, Position, Rotation, Square};

/// Moves of one piece that differ only in where it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// To an empty square.
    Step,
    /// A djed changes places with what stands there.
    Swap,
    /// An obelisk goes onto another one.
    Stack,
    /// The top of a stack goes there.
    Unstack,
    /// In place; the only target is the square itself.
    Rotate(Rotation),
}

impl Sort {
    #[inline]
    pub(crate) fn mv(self, from: Square, to: Square) -> Move {
        match self {
            Sort::Step | Sort::Swap | Sort::Stack => Move::Step { from, to },
            Sort::Unstack => Move::Unstack { from, to },
            Sort::Rotate(rotation) => Move::Rotate { square: from, rotation },
        }
    }

    /// What such a move leaves where it starts and where it ends, given what stands there.
    #[inline]
    pub(crate) fn outcome(self, [mover, target]: [Option<Piece>; 2]) -> [Option<Piece>; 2] {
        match self {
            Sort::Step => [None, mover],
            Sort::Rotate(rotation) => {
                let flipped = mover.map(|piece| piece.rotated(rotation.quarters()));
                [flipped, flipped]
            }
            Sort::Swap => [target, mover],
            Sort::Stack => [None, mover.map(|piece| Piece::new(piece.color(), Kind::Stack))],
            Sort::Unstack => {
                let single = mover.and_then(Piece::remains);
                [single, if target.is_some() { mover } else { single }]
            }
        }
    }
}

/// Sees legal moves. A trait, so that what is done for each sort can be settled when compiling.
pub(crate) trait Visitor {
    fn visit(&mut self, sort: Sort, from: Square, targets: Bitboard);
}

impl<F: FnMut(Sort, Square, Bitboard)> Visitor for F {
    #[inline]
    fn visit(&mut self, sort: Sort, from: Square, targets: Bitboard) {
        self(sort, from, targets);
    }
}

/// Where pieces of the side to move may go, before asking whether it is next to them.
struct Targets {
    /// Empty and not reserved for the other colour.
    empty: Bitboard,
    /// Own single obelisks.
    singles: Bitboard,
    /// Own pieces that a djed can change places with.
    own_swappable: Bitboard,
    /// Those and, where the rules allow it, the other colour's: for a djed on a neutral square,
    /// where they may stand as well.
    swappable: Bitboard,
    /// Squares where pieces of the other colour may not be put.
    reserved: Bitboard,
}

impl Targets {
    #[inline]
    fn of(position: &Position) -> Targets {
        let side = position.side_to_move();
        let own = position.of_color(side);
        let singles = position.class(Class::Single);
        let movable = position.class(Class::Rotator) | singles | position.class(Class::Stack);
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

    #[inline]
    fn steps(&self, from: Square) -> Bitboard {
        Bitboard::around(from) & self.empty
    }

    #[inline]
    fn swaps(&self, from: Square) -> Bitboard {
        Bitboard::around(from)
            & if self.reserved.has(from) { self.own_swappable } else { self.swappable }
    }

    #[inline]
    fn stacks(&self, from: Square) -> Bitboard {
        Bitboard::around(from) & self.singles
    }

    #[inline]
    fn unstacks(&self, from: Square) -> Bitboard {
        Bitboard::around(from) & (self.empty | self.singles)
    }
}

/// The one way a sphinx can turn and still look into the board.
fn sphinx_spin(piece: Piece) -> Rotation {
    let direction = match piece.kind() {
        Kind::Sphinx(direction) => direction as u8,
        _ => 0,
    };
    // Silver's looks north or west, Red's south or east: of each pair one is a quarter to the left
    // of the other. North and south are even.
    if direction & 1 == 0 { Rotation::Counterclockwise } else { Rotation::Clockwise }
}

impl Position {
    /// Whether a pharaoh has been lit. Then nobody has a move.
    #[inline]
    fn is_lit(&self) -> bool {
        self.class(Class::Pharaoh).len() < 2
    }

    /// Calls `visit` with each piece's legal moves, sort by sort.
    #[inline]
    pub(crate) fn each_sort(&self, visit: impl FnMut(Sort, Square, Bitboard)) {
        self.each_sort_from(Bitboard::ALL, visit);
    }

    /// The same for the pieces on these squares.
    #[inline]
    pub(crate) fn each_sort_from(
        &self,
        squares: Bitboard,
        mut visit: impl FnMut(Sort, Square, Bitboard),
    ) {
        self.show_sorts(squares, &mut visit);
    }

    /// Shows them to a visitor.
    #[inline]
    pub(crate) fn show_sorts(&self, squares: Bitboard, visitor: &mut impl Visitor) {
        if self.is_lit() {
            return;
        }
        let own = self.of_color(self.side_to_move()) & squares;
        let targets = Targets::of(self);
        for from in own & self.class(Class::Rotator) {
            visitor.visit(Sort::Step, from, targets.steps(from));
            visitor.visit(Sort::Rotate(Rotation::Clockwise), from, Bitboard::of(from));
            visitor.visit(Sort::Rotate(Rotation::Counterclockwise), from, Bitboard::of(from));
        }
        for from in own & self.class(Class::Swapper) {
            visitor.visit(Sort::Step, from, targets.steps(from));
            visitor.visit(Sort::Swap, from, targets.swaps(from));
            visitor.visit(Sort::Rotate(Rotation::Clockwise), from, Bitboard::of(from));
        }
        for from in own & self.class(Class::Stack) {
            visitor.visit(Sort::Step, from, targets.steps(from));
            visitor.visit(Sort::Unstack, from, targets.unstacks(from));
        }
        for from in own & self.class(Class::Single) {
            visitor.visit(Sort::Step, from, targets.steps(from));
            visitor.visit(Sort::Stack, from, targets.stacks(from));
        }
        for from in own & self.class(Class::Pharaoh) {
            visitor.visit(Sort::Step, from, targets.steps(from));
        }
        for from in own & self.class(Class::Sphinx) {
            if let Some(sphinx) = self.get(from) {
                visitor.visit(Sort::Rotate(sphinx_spin(sphinx)), from, Bitboard::of(from));
            }
        }
    }

    /// All legal moves, in no promised order; none when a pharaoh has been lit.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.each_sort(|sort, from, targets| {
            for to in targets {
                moves.push(sort.mv(from, to));
            }
        });
        moves
    }

    /// How many legal moves there are, without listing them.
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        if self.is_lit() {
            return 0;
        }
        let own = self.of_color(self.side_to_move());
        let targets = Targets::of(self);
        let sphinx = own & self.class(Class::Sphinx);
        let swappers = own & self.class(Class::Swapper);
        let mut count = (own ^ sphinx).count_steps(targets.empty)
            + 2 * (own & self.class(Class::Rotator)).len()
            + (swappers | sphinx).len();
        for from in swappers & !targets.reserved {
            count += (Bitboard::around(from) & targets.swappable).len();
        }
        for from in swappers & targets.reserved {
            count += (Bitboard::around(from) & targets.own_swappable).len();
        }
        for from in own & self.class(Class::Stack) {
            count += targets.unstacks(from).len();
        }
        if !targets.singles.is_empty() {
            count += targets.singles.count_steps(targets.singles);
        }
        count
    }

    /// Judges a move: the same move as [`Position::legal_moves`] lists it, or the rule that forbids it.
    ///
    /// A piece that looks the same after a quarter turn either way has one rotation, listed as
    /// clockwise; the other spelling is taken too.
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
        match self.judge(mv) {
            Ok(mv) => Ok(mv),
            Err(rule) => Err(IllegalMove { mv, rule }),
        }
    }

    fn judge(&self, mv: Move) -> Result<Move, BrokenRule> {
        let (from, to) = (mv.from(), mv.to());
        let side = self.side_to_move();
        let Some(piece) = self.get(from).filter(|_| !self.is_lit()) else {
            return Err(if self.is_lit() { BrokenRule::GameOver } else { BrokenRule::NoPiece });
        };
        if piece.color() != side {
            return Err(BrokenRule::NotYours);
        }
        let class = piece.class();
        if let Move::Rotate { square, rotation } = mv {
            return match class {
                Class::Rotator => Ok(mv),
                Class::Swapper => Ok(Move::Rotate { square, rotation: Rotation::Clockwise }),
                Class::Sphinx if rotation == sphinx_spin(piece) => Ok(mv),
                Class::Sphinx => Err(BrokenRule::SphinxFacesWall),
                Class::Pharaoh | Class::Single | Class::Stack => Err(BrokenRule::CannotRotate),
            };
        }
        let targets = Targets::of(self);
        let unstacks = matches!(mv, Move::Unstack { .. });
        let legal = match class {
            Class::Stack if unstacks => targets.unstacks(from),
            _ if unstacks => return Err(BrokenRule::NotAStack),
            Class::Sphinx => return Err(BrokenRule::SphinxCannotMove),
            Class::Swapper => targets.steps(from) | targets.swaps(from),
            Class::Single => targets.steps(from) | targets.stacks(from),
            Class::Pharaoh | Class::Rotator | Class::Stack => targets.steps(from),
        };
        if legal.has(to) { Ok(mv) } else { Err(self.broken_rule(class, from, to)) }
    }

    /// Why a piece of the side to move can't go there.
    fn broken_rule(&self, class: Class, from: Square, to: Square) -> BrokenRule {
        let side = self.side_to_move();
        if !Bitboard::around(from).has(to) {
            return BrokenRule::NotANeighbor;
        }
        if !Bitboard::allowed(side).has(to) {
            return BrokenRule::ReservedSquare;
        }
        match self.get(to) {
            Some(other) if class == Class::Swapper => match other.class() {
                Class::Pharaoh | Class::Swapper | Class::Sphinx => BrokenRule::CannotSwapWith,
                _ if !self.rules().swaps_either_color() => BrokenRule::SwapsOwnColorOnly,
                _ => BrokenRule::SwapOntoReservedSquare,
            },
            Some(other) if other.color() == side && other.class() == Class::Stack => match class {
                Class::Single | Class::Stack => BrokenRule::StackIsFull,
                _ => BrokenRule::Occupied,
            },
            _ => BrokenRule::Occupied,
        }
    }
}

/// A move that the rules forbid in the position at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The rule that it breaks.
    pub rule: BrokenRule,
}

/// Why a move is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BrokenRule {
    /// A pharaoh has been lit.
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
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.mv.from(), self.mv.to());
        write!(f, "{}: ", self.mv)?;
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
        }
    }
}

impl std::error::Error for IllegalMove {}
