//! The full report of a shot, square by square: all that drawings, speech and records need.

use std::fmt;

use crate::beam::{self, BeamEnd, BeamOrigin, BeamVisitor, Board, HitSquares};
use crate::{
    Bitboard, BoardSquare, Color, Direction, IllegalMove, Kind, Move, Outcome, Piece, Position,
    Square,
};

/// One shot of a laser: its beams, and what they hit.
///
/// [`Position::play`] returns the shot that ends a move; [`Position::fire`] shows what a laser
/// would do now. A shot describes itself completely: nothing has to be looked up in the position.
///
/// ```
/// use khet::{BeamEnd, BeamOrigin, Direction, Position, Square};
///
/// // An Eye of Horus splits Silver's beam. One half is reflected off the board.
/// let position: Position = "4k5/10/10/10/9E1/10/10/4K5 s".parse()?;
/// let shot = position.fire(position.side_to_move());
/// let [laser, straight, reflected] = &shot.beams[..] else { panic!() };
/// assert_eq!(laser.origin, BeamOrigin::Wall(Square::J1));
/// assert_eq!(laser.end, BeamEnd::Split);
/// assert_eq!(straight.origin, BeamOrigin::Eye(Square::J4));
/// assert_eq!((straight.direction, straight.steps.len()), (Direction::North, 4));
/// assert_eq!((reflected.direction, reflected.steps.len()), (Direction::West, 9));
/// # Ok::<_, khet::ParsePositionError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shot<S: BoardSquare = Square> {
    /// The player whose laser fired.
    pub by: Color,
    /// The beam from the laser, followed by those that leave an Eye of Horus.
    pub beams: Vec<Beam<S>>,
    /// The pieces that were hit, in the order of their squares.
    pub hits: Vec<Hit<S>>,
    /// The end of the game, if this shot ended it.
    pub outcome: Option<Outcome>,
}

/// A beam, from a laser or an Eye of Horus to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Beam<S: BoardSquare = Square> {
    /// The start of the beam.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub origin: BeamOrigin<S>,
    /// The direction in which it leaves its origin.
    pub direction: Direction,
    /// The squares that it crosses, in the order of travel. Empty if an Eye at the edge sends the
    /// beam straight into the wall.
    pub steps: Vec<BeamStep<S>>,
    /// How it ends, on or after its last square.
    pub end: BeamEnd,
}

impl<S: BoardSquare> Beam<S> {
    /// Returns the Eye of Horus from which it comes, or `None` if it comes from a laser.
    pub fn eye(&self) -> Option<S> {
        match self.origin {
            BeamOrigin::Eye(eye) => Some(eye),
            BeamOrigin::Wall(_) | BeamOrigin::Sphinx(_) => None,
        }
    }
}

/// A square on the path of a beam.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BeamStep<S: BoardSquare = Square> {
    /// The square.
    pub square: S,
    /// The direction of travel on arrival.
    pub arrives: Direction,
    /// The direction of travel on departure, which differs after a reflection. `None` where the
    /// beam ends or is split.
    pub leaves: Option<Direction>,
}

impl<S: BoardSquare> BeamStep<S> {
    /// Returns the new direction of travel if the beam is reflected on this square.
    pub fn reflection(&self) -> Option<Direction> {
        self.leaves.filter(|&leaves| leaves != self.arrives)
    }
}

/// A piece that was hit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit<S: BoardSquare = Square> {
    /// The square of the piece.
    pub square: S,
    /// The piece that stood there before the shot.
    pub piece: Piece,
    /// The piece that is left: the lower obelisk of a stack.
    pub left: Option<Piece>,
}

impl<S: BoardSquare> Hit<S> {
    /// The hit on a piece.
    pub(crate) fn new(square: S, piece: Piece) -> Hit<S> {
        Hit { square, piece, left: piece.remains() }
    }

    /// Returns the sign that the notation adds to the square of a stack or a pharaoh.
    pub(crate) fn sign(&self) -> &'static str {
        match self.piece.kind() {
            Kind::Pharaoh => "#",
            Kind::Stack => "^",
            _ => "",
        }
    }
}

impl<S: BoardSquare> fmt::Display for Hit<S> {
    /// Writes `xg3`, `xd1^` for the top of a stack, `xf8#` for a pharaoh.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}{}", self.square, self.sign())
    }
}

impl<S: BoardSquare> fmt::Display for Shot<S> {
    /// Writes the hits as they follow a move in a record; nothing if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, hit) in self.hits.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{hit}")?;
        }
        Ok(())
    }
}

/// Records every step.
impl<S: BoardSquare> BeamVisitor<S> for Vec<Beam<S>> {
    fn visit_start(&mut self, origin: BeamOrigin<S>, direction: Direction) {
        self.push(Beam { origin, direction, steps: Vec::new(), end: BeamEnd::Wall });
    }

    fn visit_segment(&mut self, level: S::Level, squares: Bitboard, travel: Direction) {
        let Some(beam) = self.last_mut() else { return };
        // The previous segment ended at a mirror, which reflected the beam in this direction,
        // or in a periscope, which it entered straight ahead.
        if let Some(mirror) = beam.steps.last_mut()
            && mirror.square.level() == level
        {
            mirror.leaves = Some(travel);
        }
        let step = |square| BeamStep {
            square: S::on_level(level, square),
            arrives: travel,
            leaves: Some(travel),
        };
        let first = beam.steps.len();
        beam.steps.extend(squares.into_iter().map(step));
        if matches!(travel, Direction::South | Direction::West) {
            beam.steps[first..].reverse();
        }
    }

    fn visit_end(&mut self, end: BeamEnd) {
        let Some(beam) = self.last_mut() else { return };
        beam.end = end;
        if !matches!(end, BeamEnd::Wall | BeamEnd::Column)
            && let Some(last) = beam.steps.last_mut()
        {
            last.leaves = None;
        }
    }
}

impl Position {
    /// Plays a move, fires, and returns the shot. An illegal move changes nothing.
    ///
    /// ```
    /// use khet::Position;
    ///
    /// let mut position: Position = "4k5/10/10/10/10/10/9O1/4K4P4 s".parse()?;
    /// let shot = position.play("j1-".parse()?)?;
    /// assert_eq!(shot.to_string(), "xe1#"); // Silver's own pharaoh
    /// assert_eq!(shot.outcome.unwrap().result().text(), "0-1");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, mv: Move) -> Result<Shot, IllegalMove> {
        let mv = self.check(mv)?;
        Ok(self.play_legal(mv))
    }

    /// Plays a move that [`Position::check`] returned, and fires.
    pub(crate) fn play_legal(&mut self, mv: Move) -> Shot {
        self.apply_move(mv);
        let (mut shot, hit_squares) = shoot(self, self.side_to_move());
        self.remove_hit(hit_squares);
        self.pass_turn();
        shot.outcome = self.outcome();
        shot
    }

    /// Returns the shot of a player's laser if it were fired now. Removes nothing.
    pub fn fire(&self, by: Color) -> Shot {
        shoot(self, by).0
    }
}

/// Traces a shot, with its hits. Removes nothing.
pub(crate) fn shoot<B: Board>(board: &B, by: Color) -> (Shot<B::Square>, HitSquares<B::Square>) {
    let mut beams = Vec::new();
    let hit_squares = beam::trace(board, by, &mut beams);
    let hit = |square| Some(Hit::new(square, board.get(square)?));
    let hits = hit_squares.set().into_iter().filter_map(hit).collect();
    (Shot { by, beams, hits, outcome: None }, hit_squares)
}
