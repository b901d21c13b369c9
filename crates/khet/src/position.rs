//! A playable position: the board as plain data, as a mailbox, bitboards and a hash key at once.

use std::fmt;
use std::str::FromStr;

use crate::beam::{self, HitSquares};
use crate::bitboard::BitboardArray;
use crate::generate::MoveKind;
use crate::piece::MoveClass;
use crate::{
    Bitboard, BoardSquare, Color, Fault, Kind, Move, Outcome, ParsePlacementError, Piece,
    Placement, Rules, Setup, Square, Termination, zobrist,
};

/// The pieces on their squares, the side to move, and the rules.
///
/// A position is small and `Copy`. Instead of taking a move back, play it on a copy.
///
/// ```
/// use khet::{Setup, Square};
///
/// let mut position = Setup::Classic.position();
/// assert_eq!(position.legal_moves().len(), 79);
///
/// let shot = position.play("h2+".parse()?)?;
/// assert_eq!(shot.beams[0].steps.len(), 12);
/// assert_eq!(shot.beams[0].steps[11].square, Square::J8);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    board: [Option<Piece>; Square::COUNT],
    /// The squares of each class of pieces, followed by those of each colour.
    sets: BitboardArray<{ MoveClass::COUNT + 2 }>,
    /// Zobrist key of the pieces on their squares.
    key: u64,
    side_to_move: Color,
    rules: Rules,
}

impl Position {
    /// Creates a position from a placement, or returns all faults that make it unplayable.
    pub fn new(placement: &Placement, rules: Rules) -> Result<Position, InvalidPosition> {
        let faults = placement.faults();
        if faults.is_empty() {
            Ok(Position::assemble(placement, rules))
        } else {
            Err(InvalidPosition { faults })
        }
    }

    /// Creates the position of a placement without checking it.
    pub(crate) fn assemble(placement: &Placement, rules: Rules) -> Position {
        let mut position = Position {
            board: [None; Square::COUNT],
            sets: BitboardArray::EMPTY,
            key: 0,
            side_to_move: placement.side_to_move,
            rules,
        };
        for (square, piece) in placement.pieces() {
            position.put(square, piece);
        }
        position
    }

    /// Returns the position with other rules.
    pub fn with_rules(self, rules: Rules) -> Position {
        Position { rules, ..self }
    }

    /// Returns the rules of the game.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Iterates over all pieces with their squares, from `a1` to `j8`.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.get(square)?)))
    }

    /// Returns the squares of all pieces of a side.
    #[inline]
    pub fn of_color(&self, color: Color) -> Bitboard {
        self.sets.get(MoveClass::COUNT + color as usize)
    }

    /// Returns the squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.of_color(Color::Silver) | self.of_color(Color::Red)
    }

    /// Returns the squares of the pieces of a class.
    #[inline]
    pub(crate) fn of_class(&self, class: MoveClass) -> Bitboard {
        self.sets.get(class as usize)
    }

    /// Returns the square of a side's pharaoh, unless it has been hit.
    pub fn pharaoh(&self, color: Color) -> Option<Square> {
        (self.of_class(MoveClass::Pharaoh) & self.of_color(color)).first()
    }

    /// Returns the squares of pieces that can be rotated (mirrors and Anubis), except sphinxes.
    #[inline]
    pub fn rotatable(&self) -> Bitboard {
        self.of_class(MoveClass::Swapper) | self.of_class(MoveClass::Rotator)
    }

    /// Returns the position after a null move: the other side is to move, and no laser has fired.
    /// The rules do not allow it; searches use it.
    #[inline]
    pub fn after_null_move(&self) -> Position {
        Position { side_to_move: !self.side_to_move, ..*self }
    }

    /// Returns the pieces and the side to move, without the rules.
    pub fn placement(&self) -> Placement {
        Placement::new(self.board, self.side_to_move)
    }

    /// Returns the position with the board rotated by 180 degrees and the sides exchanged.
    pub fn flipped(&self) -> Position {
        Position::assemble(&self.placement().flipped(), self.rules)
    }

    /// Returns the hash key by which repetitions are found: it covers the pieces on their squares,
    /// but not the side to move.
    #[inline]
    pub fn repetition_key(&self) -> u64 {
        self.key
    }

    /// Returns whether this is a repetition of another position: the same pieces stand on the same
    /// squares in the same orientations, whichever side is to move.
    pub fn repeats(&self, other: &Position) -> bool {
        self.board == other.board
    }

    /// Returns the hash key of the pieces and the side to move, for transposition tables. The rules
    /// are not part of it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key ^ zobrist::side(self.side_to_move)
    }

    /// Returns the outcome if the game has ended on the board: a pharaoh has been hit, or the side
    /// to move has no legal move.
    pub fn outcome(&self) -> Option<Outcome> {
        let hit = Color::ALL.map(|color| self.pharaoh(color).is_none());
        match hit {
            [true, true] => Some(Outcome { winner: None, termination: Termination::PharaohHit }),
            [true, false] => {
                Some(Outcome { winner: Some(Color::Red), termination: Termination::PharaohHit })
            }
            [false, true] => {
                Some(Outcome { winner: Some(Color::Silver), termination: Termination::PharaohHit })
            }
            [false, false] if self.count_legal_moves() == 0 => Some(Outcome {
                winner: Some(!self.side_to_move),
                termination: Termination::NoLegalMove,
            }),
            [false, false] => None,
        }
    }

    /// Plays a move from [`Position::legal_moves`] and fires. Returns the squares on which a piece
    /// was hit.
    ///
    /// After an illegal move the position is meaningless, and its methods may panic.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) -> Bitboard {
        self.apply_move(mv);
        self.shoot_and_pass().set()
    }

    /// Fires the laser of the side to move, removes what it hits, and passes the turn.
    #[inline]
    pub(crate) fn shoot_and_pass(&mut self) -> HitSquares {
        let hit_squares = beam::trace(self, self.side_to_move, &mut ());
        self.remove_hit(hit_squares);
        self.pass_turn();
        hit_squares
    }

    /// Returns the position after a legal move and before the laser fires. The same side is still
    /// to move.
    pub fn before_shot(&self, mv: Move) -> Position {
        let mut position = *self;
        position.apply_move(mv);
        position
    }

    /// Plays a legal move without firing.
    #[inline]
    pub(crate) fn apply_move(&mut self, mv: Move) {
        self.apply_kind(self.move_kind(mv), mv.from(), mv.to());
    }

    /// Returns the kind of a legal move.
    #[inline]
    pub(crate) fn move_kind(&self, mv: Move) -> MoveKind {
        match mv {
            Move::Step { to, .. } if self.get(to).is_none() => MoveKind::Step,
            Move::Step { from, .. } if self.of_class(MoveClass::Swapper).has(from) => {
                MoveKind::Swap
            }
            Move::Step { .. } => MoveKind::Stack,
            Move::Unstack { .. } => MoveKind::Unstack,
            Move::Rotate { rotation, .. } => MoveKind::Rotate(rotation),
        }
    }

    #[inline]
    pub(crate) fn apply_kind(&mut self, kind: MoveKind, from: Square, to: Square) {
        match kind {
            MoveKind::Step => self.step(from, to),
            MoveKind::Swap => self.swap(from, to),
            MoveKind::Stack => self.stack(from, to),
            MoveKind::Unstack => self.unstack(from, to),
            MoveKind::Rotate(rotation) => self.rotate(from, rotation.quarters()),
        }
    }

    /// Moves a piece to an empty square.
    #[inline]
    fn step(&mut self, from: Square, to: Square) {
        if let Some(piece) = self.get(from) {
            self.relocate(piece, from, to);
        }
    }

    /// Moves this piece, which must stand on `from`, to the empty square `to`.
    #[inline]
    pub(crate) fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.board[from.index()] = None;
        self.board[to.index()] = Some(piece);
        self.sets.toggle(piece.move_class() as usize, both);
        self.sets.toggle(MoveClass::COUNT + piece.color() as usize, both);
        self.key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
    }

    /// Exchanges the pieces of two squares.
    fn swap(&mut self, one: Square, other: Square) {
        let pieces = (self.get(one), self.get(other));
        self.take(one);
        self.take(other);
        if let (Some(first), Some(second)) = pieces {
            self.put(one, second);
            self.put(other, first);
        }
    }

    /// Stacks a single obelisk on another one.
    fn stack(&mut self, from: Square, to: Square) {
        if let Some(obelisk) = self.take(from) {
            self.take(to);
            self.put(to, Piece::new(obelisk.color(), Kind::Stack));
        }
    }

    /// Moves the top of a stack to an empty square or onto a single obelisk.
    fn unstack(&mut self, from: Square, to: Square) {
        if let Some(obelisk) = self.take(from).and_then(Piece::remains) {
            self.put(from, obelisk);
            let onto = self.take(to).is_some();
            let top = if onto { Piece::new(obelisk.color(), Kind::Stack) } else { obelisk };
            self.put(to, top);
        }
    }

    /// Rotates a piece by 90 degrees, that many times clockwise.
    #[inline]
    pub(crate) fn rotate(&mut self, square: Square, quarters: u8) {
        let Some(piece) = self.board[square.index()] else { return };
        let rotated = piece.rotated(quarters);
        self.board[square.index()] = Some(rotated);
        self.key ^= zobrist::piece(piece, square) ^ zobrist::piece(rotated, square);
    }

    /// Removes the pieces that a shot hits.
    #[inline]
    pub(crate) fn remove_hit(&mut self, hit_squares: HitSquares) {
        match hit_squares {
            HitSquares::None => {}
            HitSquares::One(square) => self.remove_hit_square(square),
            HitSquares::Several(squares) => {
                squares.into_iter().for_each(|sq| self.remove_hit_square(sq))
            }
        }
    }

    fn remove_hit_square(&mut self, square: Square) {
        if let Some(left) = self.take(square).and_then(Piece::remains) {
            self.put(square, left);
        }
    }

    #[inline]
    pub(crate) fn pass_turn(&mut self) {
        self.side_to_move = !self.side_to_move;
    }

    /// Places a piece on an empty square.
    #[inline]
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        self.board[square.index()] = Some(piece);
        self.toggle(square, piece);
    }

    /// Removes and returns the piece on a square.
    #[inline]
    pub(crate) fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.board[square.index()].take()?;
        self.toggle(square, piece);
        Some(piece)
    }

    /// Adds or removes a piece in the bitboards and the key.
    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        self.sets.toggle(piece.move_class() as usize, Bitboard::of(square));
        self.sets.toggle(MoveClass::COUNT + piece.color() as usize, Bitboard::of(square));
        self.key ^= zobrist::piece(piece, square);
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.placement().fmt(f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self}, {})", self.rules)
    }
}

/// A placement that can't be played, with all its faults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidPosition<S: BoardSquare = Square> {
    /// At least one fault.
    pub faults: Vec<Fault<S>>,
}

impl<S: BoardSquare> fmt::Display for InvalidPosition<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let comma = if index > 0 { "; " } else { "" };
            write!(f, "{comma}{fault}")?;
        }
        Ok(())
    }
}

impl<S: BoardSquare> std::error::Error for InvalidPosition<S> {}

/// The reason why a text is not a playable position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParsePositionError {
    /// The text is not in the notation of positions.
    Text(ParsePlacementError),
    /// The placement can't be played.
    Invalid(InvalidPosition),
}

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePositionError::Text(error) => error.fmt(f),
            ParsePositionError::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ParsePositionError {}

impl FromStr for Position {
    type Err = ParsePositionError;

    /// Reads the notation of a position or the name of a setup, with the standard rules.
    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        if let Ok(setup) = text.parse::<Setup>() {
            return Ok(setup.position());
        }
        let placement = text.parse().map_err(ParsePositionError::Text)?;
        Position::new(&placement, Rules::Standard).map_err(ParsePositionError::Invalid)
    }
}
