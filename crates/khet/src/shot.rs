//! What a shot did, square by square: all that drawing, speech and records need.

use std::fmt;

use crate::beam::{self, BeamVisitor, End, Struck};
use crate::{
    Bitboard, Color, Direction, IllegalMove, Kind, Move, Outcome, Piece, Position, Square,
};

/// A laser fired once.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shot {
    /// Whose laser it was.
    pub by: Color,
    /// The beam from the laser, and behind it those that came out of an Eye of Horus.
    pub beams: Vec<Beam>,
    /// What it removed, in the order of the squares.
    pub hits: Vec<Hit>,
    /// The end of the game, if this shot brought it.
    pub outcome: Option<Outcome>,
}

/// A beam, from the laser or an Eye of Horus to where it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Beam {
    /// The Eye from which it comes; `None` for the laser.
    pub eye: Option<Square>,
    /// Every square it visits, in the order of travel. A half that an Eye at the edge sends into
    /// the wall visits none.
    pub steps: Vec<Step>,
    /// What becomes of it behind, or on, its last square.
    pub end: End,
}

/// A square that a beam visits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Step {
    /// The square.
    pub square: Square,
    /// The way it travels when it comes.
    pub arrives: Direction,
    /// The way it travels when it goes on; another way after a reflection. `None` where it ends or
    /// splits.
    pub leaves: Option<Direction>,
}

/// A piece that a shot removed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit {
    /// Where it stood.
    pub square: Square,
    /// What stood there before the shot.
    pub piece: Piece,
    /// What is left: the lower obelisk of a stack.
    pub left: Option<Piece>,
}

impl Hit {
    /// What the notation puts behind the square of a stack or a pharaoh.
    pub(crate) fn sign(&self) -> &'static str {
        match self.piece.kind() {
            Kind::Pharaoh => "#",
            Kind::Stack => "^",
            _ => "",
        }
    }
}

impl fmt::Display for Hit {
    /// `xg3`, `xd1^` for the top of a stack, `xf8#` for a pharaoh.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}{}", self.square, self.sign())
    }
}

impl fmt::Display for Shot {
    /// What it removed, as it follows a move in a record; nothing for a shot that hit nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, hit) in self.hits.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{hit}")?;
        }
        Ok(())
    }
}

/// Writes down every step.
impl BeamVisitor for Vec<Beam> {
    fn starts(&mut self, eye: Option<Square>) {
        self.push(Beam { eye, steps: Vec::new(), end: End::Wall });
    }

    fn runs(&mut self, squares: Bitboard, travel: Direction) {
        let Some(beam) = self.last_mut() else { return };
        // The piece on which the beam arrived last has turned it this way.
        if let Some(mirror) = beam.steps.last_mut() {
            mirror.leaves = Some(travel);
        }
        let step = |square| Step { square, arrives: travel, leaves: Some(travel) };
        let first = beam.steps.len();
        beam.steps.extend(squares.into_iter().map(step));
        if matches!(travel, Direction::South | Direction::West) {
            beam.steps[first..].reverse();
        }
    }

    fn ends(&mut self, end: End) {
        let Some(beam) = self.last_mut() else { return };
        beam.end = end;
        if end != End::Wall
            && let Some(last) = beam.steps.last_mut()
        {
            last.leaves = None;
        }
    }
}

impl Position {
    /// Plays a move and fires, and tells everything that the shot did. An illegal move changes
    /// nothing.
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
        self.carry_out(mv);
        let (mut shot, struck) = self.shoot(self.side_to_move());
        self.strike(struck);
        self.pass_turn();
        shot.outcome = self.outcome();
        Ok(shot)
    }

    /// What a player's laser would do if it were fired now. Nothing is removed.
    pub fn fire(&self, by: Color) -> Shot {
        self.shoot(by).0
    }

    fn shoot(&self, by: Color) -> (Shot, Struck) {
        let mut beams = Vec::new();
        let struck = beam::trace(self, by, &mut beams);
        let hits = struck.squares().into_iter().filter_map(|square| self.hit(square)).collect();
        (Shot { by, beams, hits, outcome: None }, struck)
    }

    /// What becomes of the piece on a square when a beam ends on it.
    pub(crate) fn hit(&self, square: Square) -> Option<Hit> {
        self.get(square).map(|piece| Hit { square, piece, left: piece.remains() })
    }
}
