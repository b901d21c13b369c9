//! Positions of games with and without a tower, for programs that take both.

use std::fmt;
use std::str::FromStr;

use crate::{
    AnyPlacement, Color, GamePosition, InvalidPosition, Move, Outcome, ParsePositionError,
    Position, Rules, tower,
};

/// A position with or without a tower.
///
/// Code for both games is generic over [`GamePosition`]; this type chooses between them where a
/// text is read.
///
/// ```
/// use khet::AnyPosition;
///
/// let position: AnyPosition = "4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/P15 s".parse()?;
/// assert!(matches!(position, AnyPosition::Tower(_)));
/// let position: AnyPosition = "4k5/10/10/10/10/10/10/4K5 s".parse()?;
/// assert!(matches!(position, AnyPosition::Standard(_)));
/// assert!(matches!("orontes".parse()?, AnyPosition::Tower(_)));
/// # Ok::<_, khet::ParseAnyPositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant)] // one position; boxes would take away `Copy`
pub enum AnyPosition {
    /// A position without a tower.
    Standard(Position),
    /// A position with a tower.
    Tower(tower::Position),
}

impl AnyPosition {
    /// Creates a position from a placement, or returns all faults that make it unplayable.
    pub fn new(placement: &AnyPlacement, rules: Rules) -> Result<AnyPosition, InvalidAnyPosition> {
        match placement {
            AnyPlacement::Standard(placement) => Position::new(placement, rules)
                .map(AnyPosition::Standard)
                .map_err(InvalidAnyPosition::Standard),
            AnyPlacement::Tower(placement) => tower::Position::new(placement, rules)
                .map(AnyPosition::Tower)
                .map_err(InvalidAnyPosition::Tower),
        }
    }

    /// Returns the pieces and the side to move, without the rules.
    pub fn placement(&self) -> AnyPlacement {
        match self {
            AnyPosition::Standard(position) => position.placement().into(),
            AnyPosition::Tower(position) => position.placement().into(),
        }
    }

    /// Lists all legal moves; none after a pharaoh has been hit.
    pub fn legal_moves(&self) -> Vec<Move<tower::Square>> {
        match self {
            AnyPosition::Standard(position) => {
                position.legal_moves().iter().map(|&mv| mv.into()).collect()
            }
            AnyPosition::Tower(position) => position.legal_moves().to_vec(),
        }
    }

    /// Returns the outcome if the game has ended on the board.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            AnyPosition::Standard(position) => position.outcome(),
            AnyPosition::Tower(position) => position.outcome(),
        }
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Color {
        match self {
            AnyPosition::Standard(position) => position.side_to_move(),
            AnyPosition::Tower(position) => position.side_to_move(),
        }
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> Rules {
        match self {
            AnyPosition::Standard(position) => position.rules(),
            AnyPosition::Tower(position) => position.rules(),
        }
    }

    /// Returns the position with other rules.
    pub fn with_rules(self, rules: Rules) -> AnyPosition {
        match self {
            AnyPosition::Standard(position) => position.with_rules(rules).into(),
            AnyPosition::Tower(position) => GamePosition::with_rules(position, rules).into(),
        }
    }
}

impl From<Position> for AnyPosition {
    fn from(position: Position) -> AnyPosition {
        AnyPosition::Standard(position)
    }
}

impl From<tower::Position> for AnyPosition {
    fn from(position: tower::Position) -> AnyPosition {
        AnyPosition::Tower(position)
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyPosition::Standard(position) => position.fmt(f),
            AnyPosition::Tower(position) => position.fmt(f),
        }
    }
}

/// A placement of either game that can't be played, with all its faults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InvalidAnyPosition {
    /// A placement without a tower.
    Standard(InvalidPosition),
    /// A placement with a tower.
    Tower(InvalidPosition<tower::Square>),
}

impl fmt::Display for InvalidAnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidAnyPosition::Standard(error) => error.fmt(f),
            InvalidAnyPosition::Tower(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InvalidAnyPosition {}

/// The reason why a text is not a position of either game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseAnyPositionError {
    /// A text without a tower.
    Standard(ParsePositionError),
    /// A text with a tower.
    Tower(tower::ParsePositionError),
}

impl fmt::Display for ParseAnyPositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseAnyPositionError::Standard(error) => error.fmt(f),
            ParseAnyPositionError::Tower(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ParseAnyPositionError {}

impl FromStr for AnyPosition {
    type Err = ParseAnyPositionError;

    /// Reads a position of standard rules, or the name of a setup. A `+` begins the upper level of
    /// a tower.
    fn from_str(text: &str) -> Result<AnyPosition, ParseAnyPositionError> {
        if text.contains('+') || text.parse::<tower::Setup>().is_ok() {
            text.parse().map(AnyPosition::Tower).map_err(ParseAnyPositionError::Tower)
        } else {
            text.parse().map(AnyPosition::Standard).map_err(ParseAnyPositionError::Standard)
        }
    }
}
