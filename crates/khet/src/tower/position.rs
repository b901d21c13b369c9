//! A playable position with a tower: two boards of the standard game, one above the other.

use std::fmt;
use std::str::FromStr;

use super::{
    BoardLevel, ParsePlacementError, Placement, Setup, Square, SquareSet, TowerColumn, TowerMove,
};
use crate::beam::{self, HitSquares};
use crate::generate::MoveKind;
use crate::piece::MoveClass;
use crate::{Color, InvalidPosition, Move, Outcome, Piece, Rotation, Rules, Termination, zobrist};

/// The pieces on the squares of both levels, the place of the tower, the side to move, and the
/// rules.
///
/// A position is `Copy`. Instead of taking a move back, play it on a copy.
///
/// ```
/// use khet::tower::Position;
///
/// let text = "4k5/10/10/10/10/10/10/4K5+e4:6/4P21/6/6/1p44/6 s";
/// let mut position: Position = text.parse()?;
/// let shot = position.play("T+".parse()?)?;
/// assert_eq!(shot.to_string(), "");
/// assert_eq!(position.to_string(), "4k5/10/10/10/10/10/10/4K5+e4:6/1p14/6/6/4P31/6 r");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The pieces of the ground and of the upper level. Side and rules are those of both.
    levels: [crate::Position; 2],
    column: TowerColumn,
}

/// An arbitrary seed for the hash keys of the column: the letters of a tower.
const COLUMN_SEED: u64 = 0x746f_7765;

impl Position {
    /// Creates a position from a placement, or returns all faults that make it unplayable.
    pub fn new(placement: &Placement, rules: Rules) -> Result<Position, InvalidPosition<Square>> {
        let faults = placement.faults();
        if faults.is_empty() {
            Ok(Position::assemble(placement, rules))
        } else {
            Err(InvalidPosition { faults })
        }
    }

    /// Creates the position of a placement without checking it.
    pub(super) fn assemble(placement: &Placement, rules: Rules) -> Position {
        let mut empty = crate::Placement::EMPTY;
        empty.side_to_move = placement.side_to_move();
        let ground = crate::Position::assemble(placement.ground(), rules);
        let upper = crate::Position::assemble(&empty, rules);
        let mut position = Position { levels: [ground, upper], column: placement.column() };
        for (square, piece) in placement.pieces().filter(|(it, _)| it.level() == BoardLevel::Upper)
        {
            position.put(square, piece);
        }
        position
    }

    /// Returns the position with other rules.
    pub fn with_rules(self, rules: Rules) -> Position {
        Position { levels: self.levels.map(|level| level.with_rules(rules)), ..self }
    }

    /// Returns the rules of the game.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.level(BoardLevel::Ground).rules()
    }

    /// Returns the side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.level(BoardLevel::Ground).side_to_move()
    }

    /// Returns the place of the tower.
    #[inline]
    pub fn column(&self) -> TowerColumn {
        self.column
    }

    /// Returns the pieces of one level.
    #[inline]
    pub(super) fn level(&self, level: BoardLevel) -> &crate::Position {
        &self.levels[level as usize]
    }

    #[inline]
    fn level_mut(&mut self, level: BoardLevel) -> &mut crate::Position {
        &mut self.levels[level as usize]
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.level(square.level()).get(square.ground())
    }

    /// Iterates over all pieces with their squares: from `a1` to `j8`, then on the upper level.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.get(square)?)))
    }

    /// Returns the squares of all pieces of a side.
    #[inline]
    pub fn of_color(&self, color: Color) -> SquareSet {
        let [ground, upper] = self.levels.each_ref().map(|level| level.of_color(color));
        SquareSet { ground, upper }
    }

    /// Returns the squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.of_color(Color::Silver) | self.of_color(Color::Red)
    }

    /// Returns the square of a side's pharaoh, unless it has been hit.
    pub fn pharaoh(&self, color: Color) -> Option<Square> {
        BoardLevel::ALL.into_iter().find_map(|level| {
            self.level(level).pharaoh(color).map(|ground| Square::new(level, ground))
        })
    }

    /// Returns the squares of pieces that can be rotated (mirrors and Anubis), except sphinxes.
    #[inline]
    pub fn rotatable(&self) -> SquareSet {
        let [ground, upper] = self.levels.each_ref().map(crate::Position::rotatable);
        SquareSet { ground, upper }
    }

    /// Returns whether a pharaoh has been hit, after which there are no legal moves.
    #[inline]
    pub(super) fn is_pharaoh_hit(&self) -> bool {
        let pharaohs = |level: &crate::Position| level.of_class(MoveClass::Pharaoh).len();
        self.levels.iter().map(pharaohs).sum::<u32>() < 2
    }

    /// Returns the position after a null move: the other side is to move, and no laser has fired.
    /// The rules do not allow it; searches use it.
    pub fn after_null_move(&self) -> Position {
        let mut after = *self;
        after.pass_turn();
        after
    }

    /// Returns the pieces, the place of the tower and the side to move, without the rules.
    pub fn placement(&self) -> Placement {
        let mut placement = Placement::new(self.level(BoardLevel::Ground).placement(), self.column);
        for (square, piece) in self.pieces().filter(|(it, _)| it.level() == BoardLevel::Upper) {
            placement.set(square, Some(piece));
        }
        placement
    }

    /// Returns the position with the board rotated by 180 degrees and the sides exchanged.
    pub fn flipped(&self) -> Position {
        Position::assemble(&self.placement().flipped(), self.rules())
    }

    /// Returns the hash key by which repetitions are found: it covers the pieces on their squares
    /// and the place of the tower, but not the side to move.
    #[inline]
    pub fn repetition_key(&self) -> u64 {
        let [ground, upper] = self.levels.each_ref().map(crate::Position::repetition_key);
        // Rotated, so that a piece has different keys on the two levels.
        ground ^ upper.rotate_left(21) ^ zobrist::splitmix64(COLUMN_SEED, self.column.index())
    }

    /// Returns whether this is a repetition of another position: the same pieces stand on the same
    /// squares in the same orientations, and the tower in the same place, whichever side is to move.
    pub fn repeats(&self, other: &Position) -> bool {
        self.column == other.column
            && self.levels.iter().zip(&other.levels).all(|(level, other)| level.repeats(other))
    }

    /// Returns the hash key of the pieces, the tower and the side to move, for transposition tables.
    /// The rules are not part of it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.repetition_key() ^ zobrist::side(self.side_to_move())
    }

    /// Returns the outcome if the game has ended on the board: a pharaoh has been hit, or the side
    /// to move has no legal move.
    pub fn outcome(&self) -> Option<Outcome> {
        match Color::ALL.map(|color| self.pharaoh(color).is_none()) {
            [true, true] => Some(Outcome::draw(Termination::PharaohHit)),
            [true, false] => Some(Outcome::win(Color::Red, Termination::PharaohHit)),
            [false, true] => Some(Outcome::win(Color::Silver, Termination::PharaohHit)),
            [false, false] if !self.has_legal_move() => {
                Some(Outcome::win(!self.side_to_move(), Termination::NoLegalMove))
            }
            [false, false] => None,
        }
    }

    /// Plays a move from [`Position::legal_moves`] and fires. Returns the squares on which a piece
    /// was hit.
    ///
    /// After an illegal move the position is meaningless, and its methods may panic.
    pub fn play_unchecked(&mut self, mv: Move<Square>) -> SquareSet {
        self.apply_move(mv);
        let hit_squares = beam::trace(self, self.side_to_move(), &mut ());
        self.remove_and_pass(hit_squares);
        hit_squares.set()
    }

    /// Returns the position after a legal move and before the laser fires. The same side is still
    /// to move.
    pub fn before_shot(&self, mv: Move<Square>) -> Position {
        let mut position = *self;
        position.apply_move(mv);
        position
    }

    /// Plays a legal move without firing.
    pub(super) fn apply_move(&mut self, mv: Move<Square>) {
        match mv {
            Move::Tower(TowerMove::Shift(to)) => {
                if let Some(column) = TowerColumn::new(to) {
                    self.shift_tower(column);
                }
            }
            Move::Tower(TowerMove::Rotate(rotation)) => self.rotate_tower(rotation),
            Move::Rotate { square, rotation } => {
                self.level_mut(square.level()).rotate(square.ground(), rotation.quarters());
            }
            Move::Step { from, to } => self.exchange(self.step_kind(from, to), from, to),
            Move::Unstack { from, to } => self.exchange(MoveKind::Unstack, from, to),
        }
    }

    /// Returns the kind of a legal step.
    fn step_kind(&self, from: Square, to: Square) -> MoveKind {
        match (self.get(to), self.get(from).map(Piece::move_class)) {
            (None, _) => MoveKind::Step,
            (Some(_), Some(MoveClass::Swapper)) => MoveKind::Swap,
            _ => MoveKind::Stack,
        }
    }

    /// Replaces the contents of two squares by those after a move of this kind.
    fn exchange(&mut self, kind: MoveKind, from: Square, to: Square) {
        let squares = [from, to];
        let after = kind.outcome(squares.map(|square| self.get(square)));
        for square in squares {
            self.take(square);
        }
        for (square, piece) in squares.into_iter().zip(after) {
            if let Some(piece) = piece {
                self.put(square, piece);
            }
        }
    }

    /// Moves the tower to another place, with everything on it.
    fn shift_tower(&mut self, column: TowerColumn) {
        let (from, to) = (self.column.lower_left(), column.lower_left());
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        self.rearrange_upper_level(|square, piece| Some((square.offset(files, ranks)?, piece)));
        self.column = column;
    }

    /// Rotates the tower, with everything on it.
    pub(super) fn rotate_tower(&mut self, rotation: Rotation) {
        let column = self.column;
        self.rearrange_upper_level(|square, piece| {
            Some((column.rotate(square, rotation), piece.rotated(rotation.quarters())))
        });
    }

    /// Replaces each piece of the upper level by another one, as ground squares.
    fn rearrange_upper_level(
        &mut self,
        replace: impl Fn(crate::Square, Piece) -> Option<(crate::Square, Piece)>,
    ) {
        let before = *self.level(BoardLevel::Upper);
        let upper = self.level_mut(BoardLevel::Upper);
        for square in before.occupied() {
            upper.take(square);
        }
        for (square, piece) in before.pieces() {
            if let Some((square, piece)) = replace(square, piece) {
                upper.put(square, piece);
            }
        }
    }

    /// Removes what a shot hits, and passes the turn.
    pub(super) fn remove_and_pass(&mut self, hit_squares: HitSquares<Square>) {
        for square in hit_squares.set() {
            if let Some(left) = self.take(square).and_then(Piece::remains) {
                self.put(square, left);
            }
        }
        self.pass_turn();
    }

    fn pass_turn(&mut self) {
        self.levels.iter_mut().for_each(crate::Position::pass_turn);
    }

    /// Places a piece on an empty square.
    fn put(&mut self, square: Square, piece: Piece) {
        self.level_mut(square.level()).put(square.ground(), piece);
    }

    /// Removes and returns the piece on a square.
    fn take(&mut self, square: Square) -> Option<Piece> {
        self.level_mut(square.level()).take(square.ground())
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.placement().fmt(f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self}, {})", self.rules())
    }
}

/// The reason why a text is not a playable position with a tower.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParsePositionError {
    /// The text is not in the notation of positions with a tower.
    Text(ParsePlacementError),
    /// The placement can't be played.
    Invalid(InvalidPosition<Square>),
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
