//! Positions of games with and without a tower, for programs that take both.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use crate::game_position::RecordStart;
use crate::tower::{BoardLevel, Square, SquareSet, TowerColumn};
use crate::{
    AnyPlacement, BoardSquare, BrokenRule, Color, GamePosition, IllegalMove, InvalidPosition, Move,
    Outcome, ParsePositionError, Piece, Position, RecordProblem, Rules, Shot, ShotSquares, tower,
};

/// A position with or without a tower.
///
/// Squares and moves are those of boards with a tower, whose notation includes the standard one, so
/// a [`Game<AnyPosition>`](crate::Game) and a [`Record<AnyPosition>`](crate::Record) are games of
/// either kind.
///
/// ```
/// use khet::{AnyPosition, Game};
///
/// let position: AnyPosition = "4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/P15 s".parse()?;
/// assert!(matches!(position, AnyPosition::Tower(_)));
/// let position: AnyPosition = "4k5/10/10/10/10/10/10/4K5 s".parse()?;
/// assert!(matches!(position, AnyPosition::Standard(_)));
/// assert!(matches!("orontes".parse()?, AnyPosition::Tower(_)));
///
/// let error = Game::new(position).play("Td4".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "Td4: this game has no tower");
/// # Ok::<_, Box<dyn std::error::Error>>(())
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
}

/// Calls the method of the same name of the position that it is.
macro_rules! either {
    ($self:expr, $position:ident => $call:expr) => {
        match $self {
            AnyPosition::Standard($position) => $call,
            AnyPosition::Tower($position) => $call,
        }
    };
}

impl AnyPosition {
    /// Encodes a move of this game in two bytes, which may be stored; see
    /// [`BoardSquare::move_to_bits`]. Returns `None` for a move with a tower in a game without one.
    ///
    /// ```
    /// use khet::{AnyPosition, Move, tower};
    ///
    /// let mv: Move<tower::Square> = "h2g2".parse()?;
    /// for start in ["classic", "orontes"] {
    ///     let start: AnyPosition = start.parse()?;
    ///     let bits = start.move_to_bits(mv).expect("a move of either game");
    ///     assert_eq!(start.move_from_bits(bits), Some(mv));
    /// }
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_to_bits(&self, mv: Move<Square>) -> Option<u16> {
        match self {
            AnyPosition::Standard(_) => mv.without_tower().map(Move::to_bits),
            AnyPosition::Tower(_) => Some(Square::move_to_bits(mv)),
        }
    }

    /// Decodes a move of this game, if the bits are valid. The move may be illegal.
    pub fn move_from_bits(&self, bits: u16) -> Option<Move<Square>> {
        match self {
            AnyPosition::Standard(_) => Move::from_bits(bits).map(Into::into),
            AnyPosition::Tower(_) => Square::move_from_bits(bits),
        }
    }
}

impl GamePosition for AnyPosition {
    type Square = Square;
    type Placement = AnyPlacement;

    fn placement(&self) -> AnyPlacement {
        self.placement()
    }

    fn side_to_move(&self) -> Color {
        either!(self, position => position.side_to_move())
    }

    fn rules(&self) -> Rules {
        either!(self, position => position.rules())
    }

    fn with_rules(self, rules: Rules) -> AnyPosition {
        either!(self, position => position.with_rules(rules).into())
    }

    fn get(&self, square: Square) -> Option<Piece> {
        match self {
            AnyPosition::Standard(position) => position.get(square.without_tower()?),
            AnyPosition::Tower(position) => position.get(square),
        }
    }

    fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        let (standard, tower) = match self {
            AnyPosition::Standard(position) => (Some(position), None),
            AnyPosition::Tower(position) => (None, Some(position)),
        };
        let standard = standard.into_iter().flat_map(Position::pieces);
        let standard = standard.map(|(square, piece)| (square.into(), piece));
        standard.chain(tower.into_iter().flat_map(tower::Position::pieces))
    }

    fn pharaoh(&self, color: Color) -> Option<Square> {
        match self {
            AnyPosition::Standard(position) => position.pharaoh(color).map(Square::from),
            AnyPosition::Tower(position) => position.pharaoh(color),
        }
    }

    fn tower_column(&self) -> Option<TowerColumn> {
        either!(self, position => position.tower_column())
    }

    fn legal_moves(&self) -> impl Deref<Target = [Move<Square>]> {
        match self {
            AnyPosition::Standard(position) => {
                position.legal_moves().iter().map(|&mv| mv.into()).collect::<Vec<_>>()
            }
            AnyPosition::Tower(position) => position.legal_moves().to_vec(),
        }
    }

    fn check(&self, mv: Move<Square>) -> Result<Move<Square>, IllegalMove<Square>> {
        match self {
            AnyPosition::Standard(position) => Ok(position.check(without_tower(mv)?)?.into()),
            AnyPosition::Tower(position) => position.check(mv),
        }
    }

    fn play(&mut self, mv: Move<Square>) -> Result<Shot<Square>, IllegalMove<Square>> {
        match self {
            AnyPosition::Standard(position) => Ok(position.play(without_tower(mv)?)?.into()),
            AnyPosition::Tower(position) => position.play(mv),
        }
    }

    fn play_unchecked(&mut self, mv: Move<Square>) -> SquareSet {
        match self {
            AnyPosition::Standard(position) => {
                // A legal move of this game has no tower.
                let hits = mv.without_tower().map(|mv| position.play_unchecked(mv));
                SquareSet { ground: hits.unwrap_or_default(), ..SquareSet::EMPTY }
            }
            AnyPosition::Tower(position) => position.play_unchecked(mv),
        }
    }

    fn before_shot(&self, mv: Move<Square>) -> AnyPosition {
        match self {
            AnyPosition::Standard(position) => {
                let mv = mv.without_tower();
                mv.map_or(*position, |mv| position.before_shot(mv)).into()
            }
            AnyPosition::Tower(position) => position.before_shot(mv).into(),
        }
    }

    fn fire(&self, by: Color) -> Shot<Square> {
        match self {
            AnyPosition::Standard(position) => position.fire(by).into(),
            AnyPosition::Tower(position) => position.fire(by),
        }
    }

    fn shot_squares(&self, by: Color) -> ShotSquares<Square> {
        match self {
            AnyPosition::Standard(position) => {
                let ShotSquares { path, removed } = position.shot_squares(by);
                let [path, removed] =
                    [path, removed].map(|set| SquareSet::on_level(BoardLevel::Ground, set));
                ShotSquares { path, removed }
            }
            AnyPosition::Tower(position) => position.shot_squares(by),
        }
    }

    fn after_null_move(&self) -> AnyPosition {
        either!(self, position => position.after_null_move().into())
    }

    fn winning_move(&self) -> Option<(Move<Square>, Square)> {
        match self {
            AnyPosition::Standard(position) => {
                position.winning_move().map(|(mv, pharaoh)| (mv.into(), pharaoh.into()))
            }
            AnyPosition::Tower(position) => position.winning_move(),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        either!(self, position => position.outcome())
    }

    fn key(&self) -> u64 {
        either!(self, position => position.key())
    }

    fn repetition_key(&self) -> u64 {
        either!(self, position => position.repetition_key())
    }

    fn repeats(&self, other: &AnyPosition) -> bool {
        match (self, other) {
            (AnyPosition::Standard(position), AnyPosition::Standard(other)) => {
                position.repeats(other)
            }
            (AnyPosition::Tower(position), AnyPosition::Tower(other)) => position.repeats(other),
            _ => false,
        }
    }

    fn flipped(&self) -> AnyPosition {
        either!(self, position => position.flipped().into())
    }
}

/// Returns a move as one of the standard game, or the error that there is no tower.
fn without_tower(mv: Move<Square>) -> Result<Move, IllegalMove<Square>> {
    mv.without_tower().ok_or(IllegalMove { mv, rule: BrokenRule::NoTower })
}

impl From<IllegalMove> for IllegalMove<Square> {
    fn from(error: IllegalMove) -> IllegalMove<Square> {
        IllegalMove { mv: error.mv.into(), rule: error.rule }
    }
}

impl RecordStart for AnyPosition {
    fn from_setup(name: &str) -> Option<AnyPosition> {
        let standard = Position::from_setup(name).map(AnyPosition::Standard);
        standard.or_else(|| tower::Position::from_setup(name).map(AnyPosition::Tower))
    }

    fn setup_name(&self) -> Option<&'static str> {
        either!(self, position => position.setup_name())
    }

    fn read(text: &str, rules: Rules) -> Result<AnyPosition, RecordProblem> {
        if AnyPlacement::text_has_tower(text) {
            RecordStart::read(text, rules).map(AnyPosition::Tower)
        } else {
            RecordStart::read(text, rules).map(AnyPosition::Standard)
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
        either!(self, position => position.fmt(f))
    }
}

/// A placement of either game that can't be played, with all its faults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InvalidAnyPosition {
    /// A placement without a tower.
    Standard(InvalidPosition),
    /// A placement with a tower.
    Tower(InvalidPosition<Square>),
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
        if AnyPlacement::text_has_tower(text) || text.parse::<tower::Setup>().is_ok() {
            text.parse().map(AnyPosition::Tower).map_err(ParseAnyPositionError::Tower)
        } else {
            text.parse().map(AnyPosition::Standard).map_err(ParseAnyPositionError::Standard)
        }
    }
}
