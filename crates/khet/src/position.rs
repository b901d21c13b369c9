//! A position that can be played: the board as plain data, kept in step three ways.

use std::fmt;
use std::str::FromStr;

use crate::beam::{self, HitSquares};
use crate::bitboard::Sets;
use crate::generate::Sort;
use crate::piece::Class;
use crate::{
    Bitboard, Color, Fault, Kind, Move, Outcome, ParsePlacementError, Piece, Placement, Rules,
    Setup, Square, Termination, keys,
};

/// Where every piece stands, whose turn it is, and by which rules.
///
/// A position is small and `Copy`: try a move on a copy instead of taking it back.
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
    /// The squares of each class, and behind them those of each colour.
    sets: Sets<{ Class::COUNT + 2 }>,
    /// Hash of the arrangement alone.
    key: u64,
    side_to_move: Color,
    rules: Rules,
}

impl Position {
    /// Makes a position of an arrangement that can be played, or names all its faults.
    pub fn new(placement: &Placement, rules: Rules) -> Result<Position, InvalidPosition> {
        let faults = placement.faults();
        if faults.is_empty() {
            Ok(Position::assemble(placement, rules))
        } else {
            Err(InvalidPosition { faults })
        }
    }

    pub(crate) fn assemble(placement: &Placement, rules: Rules) -> Position {
        let mut position = Position {
            board: [None; Square::COUNT],
            sets: Sets::EMPTY,
            key: 0,
            side_to_move: placement.side_to_move,
            rules,
        };
        for (square, piece) in placement.pieces() {
            position.put(square, piece);
        }
        position
    }

    /// The same position under other rules.
    pub fn with_rules(self, rules: Rules) -> Position {
        Position { rules, ..self }
    }

    /// By which rules it is played.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// What stands on the square.
    #[inline]
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// All pieces with their squares, from `a1` to `j8`.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.get(square)?)))
    }

    /// The squares on which pieces of that colour stand.
    #[inline]
    pub fn of_color(&self, color: Color) -> Bitboard {
        self.sets.get(Class::COUNT + color as usize)
    }

    /// The squares on which anything stands.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.of_color(Color::Silver) | self.of_color(Color::Red)
    }

    #[inline]
    pub(crate) fn class(&self, class: Class) -> Bitboard {
        self.sets.get(class as usize)
    }

    /// The square of that colour's pharaoh, unless it has been lit.
    pub fn pharaoh(&self, color: Color) -> Option<Square> {
        (self.class(Class::Pharaoh) & self.of_color(color)).first()
    }

    /// The squares of pieces that a move can rotate, sphinxes left out: all mirrors, and Anubis.
    #[inline]
    pub fn rotatable(&self) -> Bitboard {
        self.class(Class::Swapper) | self.class(Class::Rotator)
    }

    /// The same arrangement with the other side to move, as if the player passed and did not fire.
    /// No rule allows that; searches ask what would happen.
    #[inline]
    pub fn passed(&self) -> Position {
        Position { side_to_move: !self.side_to_move, ..*self }
    }

    /// The arrangement and the side to move, without the rules.
    pub fn placement(&self) -> Placement {
        Placement::new(self.board, self.side_to_move)
    }

    /// The board turned by half with the colours exchanged, and the other player to move.
    pub fn flipped(&self) -> Position {
        Position::assemble(&self.placement().flipped(), self.rules)
    }

    /// Hash of the arrangement, whoever is to move: what counts for repetition.
    #[inline]
    pub fn arrangement_key(&self) -> u64 {
        self.key
    }

    /// Whether the same pieces and colours stand on the same squares in the same orientations,
    /// whoever is to move.
    pub fn same_arrangement(&self, other: &Position) -> bool {
        self.board == other.board
    }

    /// Hash of the arrangement and the side to move; the rules do not count.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key ^ keys::side(self.side_to_move)
    }

    /// Who has won, if the position itself says so: a pharaoh has been lit, or the player to move
    /// has no legal move.
    pub fn outcome(&self) -> Option<Outcome> {
        let lit = Color::ALL.map(|color| self.pharaoh(color).is_none());
        match lit {
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

    /// Plays a move that is known to be legal, as [`Position::legal_moves`] lists them, and fires.
    /// Returns the squares on which something was removed.
    ///
    /// On any other turn the position that comes out makes no sense, and may panic later.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) -> Bitboard {
        self.carry_out(mv);
        self.shoot_and_pass().bitboard()
    }

    /// Fires the laser of the side to move, removes what it hit_squares, and hands the turn over.
    #[inline]
    pub(crate) fn shoot_and_pass(&mut self) -> HitSquares {
        let hit_squares = beam::trace(self, self.side_to_move, &mut ());
        self.remove_hit(hit_squares);
        self.pass_turn();
        hit_squares
    }

    /// The position after a legal move, before the laser fires; the same side is still to move.
    pub fn before_shot(&self, mv: Move) -> Position {
        let mut position = *self;
        position.carry_out(mv);
        position
    }

    /// Does what a legal move says, before the laser fires.
    #[inline]
    pub(crate) fn carry_out(&mut self, mv: Move) {
        self.act(self.sort(mv), mv.from(), mv.to());
    }

    /// What a legal move amounts to.
    #[inline]
    pub(crate) fn sort(&self, mv: Move) -> Sort {
        match mv {
            Move::Step { to, .. } if self.get(to).is_none() => Sort::Step,
            Move::Step { from, .. } if self.class(Class::Swapper).has(from) => Sort::Swap,
            Move::Step { .. } => Sort::Stack,
            Move::Unstack { .. } => Sort::Unstack,
            Move::Rotate { rotation, .. } => Sort::Rotate(rotation),
        }
    }

    #[inline]
    pub(crate) fn act(&mut self, sort: Sort, from: Square, to: Square) {
        match sort {
            Sort::Step => self.step(from, to),
            Sort::Swap => self.swap(from, to),
            Sort::Stack => self.stack(from, to),
            Sort::Unstack => self.unstack(from, to),
            Sort::Rotate(rotation) => self.rotate(from, rotation.quarters()),
        }
    }

    /// Moves what stands on `from` to the empty square `to`.
    #[inline]
    fn step(&mut self, from: Square, to: Square) {
        if let Some(piece) = self.get(from) {
            self.relocate(piece, from, to);
        }
    }

    /// Moves a piece, of which it is known that it stands on `from`, to the empty square `to`.
    #[inline]
    pub(crate) fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.board[from.index()] = None;
        self.board[to.index()] = Some(piece);
        self.sets.toggle(piece.class() as usize, both);
        self.sets.toggle(Class::COUNT + piece.color() as usize, both);
        self.key ^= keys::piece(piece, from) ^ keys::piece(piece, to);
    }

    /// Exchanges what stands on two squares.
    fn swap(&mut self, one: Square, other: Square) {
        let pieces = (self.get(one), self.get(other));
        self.take(one);
        self.take(other);
        if let (Some(first), Some(second)) = pieces {
            self.put(one, second);
            self.put(other, first);
        }
    }

    /// Puts a single obelisk onto another one.
    fn stack(&mut self, from: Square, to: Square) {
        if let Some(obelisk) = self.take(from) {
            self.take(to);
            self.put(to, Piece::new(obelisk.color(), Kind::Stack));
        }
    }

    /// Takes the top of a stack to an empty square or onto a single obelisk.
    fn unstack(&mut self, from: Square, to: Square) {
        if let Some(obelisk) = self.take(from).and_then(Piece::remains) {
            self.put(from, obelisk);
            let onto = self.take(to).is_some();
            let top = if onto { Piece::new(obelisk.color(), Kind::Stack) } else { obelisk };
            self.put(to, top);
        }
    }

    /// Moves a piece in place.
    #[inline]
    pub(crate) fn rotate(&mut self, square: Square, quarters: u8) {
        let Some(piece) = self.board[square.index()] else { return };
        let flipped = piece.rotated(quarters);
        self.board[square.index()] = Some(flipped);
        self.key ^= keys::piece(piece, square) ^ keys::piece(flipped, square);
    }

    /// Removes what a shot hit_squares.
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

    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.board[square.index()] = Some(piece);
        self.toggle(square, piece);
    }

    #[inline]
    fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.board[square.index()].take()?;
        self.toggle(square, piece);
        Some(piece)
    }

    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        self.sets.toggle(piece.class() as usize, Bitboard::of(square));
        self.sets.toggle(Class::COUNT + piece.color() as usize, Bitboard::of(square));
        self.key ^= keys::piece(piece, square);
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

/// An arrangement that can't be played, with everything that is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidPosition {
    /// At least one fault.
    pub faults: Vec<Fault>,
}

impl fmt::Display for InvalidPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let comma = if index > 0 { "; " } else { "" };
            write!(f, "{comma}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidPosition {}

/// Why a text is not a position that can be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParsePositionError {
    /// It is not the notation of a position.
    Text(ParsePlacementError),
    /// It is, but nobody could play from there.
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

    /// Reads the notation of a position, or the name of a setup; the rules are the standard ones.
    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        if let Ok(setup) = text.parse::<Setup>() {
            return Ok(setup.position());
        }
        let placement = text.parse().map_err(ParsePositionError::Text)?;
        Position::new(&placement, Rules::Standard).map_err(ParsePositionError::Invalid)
    }
}
