//! The positions of games with and without a tower: what games and records need of them.

use std::fmt::{Debug, Display};
use std::ops::Deref;

use crate::faults::find_warnings;
use crate::tower::TowerColumn;
use crate::{
    AnyPlacement, BoardSquare, Color, IllegalMove, Move, Outcome, ParsePositionError, Piece,
    Placement, Position, RecordProblem, Rules, Setup, Shot, ShotSquares, Square, Warning, tower,
};

/// A position of the standard game, [`Position`], of the game with a tower, [`tower::Position`], or
/// of either, [`AnyPosition`](crate::AnyPosition).
///
/// [`Game`](crate::Game) and [`Record`](crate::Record) have the type of their positions as a
/// parameter, which is [`Position`] unless another one is named. The methods are those of the first
/// two types; see there.
///
/// ```
/// use khet::{Game, GamePosition, Setup, tower};
///
/// /// Plays the first legal move until the game is over, but at most 50 times.
/// fn play_first_moves<P: GamePosition>(start: P) -> Game<P> {
///     let mut game = Game::new(start);
///     while game.outcome().is_none() && game.moves().len() < 50 {
///         let mv = game.position().legal_moves()[0];
///         game.play(mv).expect("it is legal");
///     }
///     game
/// }
///
/// play_first_moves(Setup::Classic.position());
/// let start: tower::Position = "4k5/10/10/10/10/10/10/3O2K5+e4:6/1p34/6/6/4P11/6 s".parse()?;
/// play_first_moves(start);
/// # Ok::<_, tower::ParsePositionError>(())
/// ```
pub trait GamePosition: RecordStart + Copy + Eq + Debug + Display {
    /// The squares of the board.
    type Square: BoardSquare;
    /// The pieces and the side to move, without the rules.
    type Placement: Copy + Eq + Debug + Display + Into<AnyPlacement>;

    /// Returns the pieces and the side to move, without the rules.
    fn placement(&self) -> Self::Placement;

    /// Returns the side to move.
    fn side_to_move(&self) -> Color;

    /// Returns the rules of the game.
    fn rules(&self) -> Rules;

    /// Returns the position with other rules.
    fn with_rules(self, rules: Rules) -> Self;

    /// Returns the piece on a square.
    fn get(&self, square: Self::Square) -> Option<Piece>;

    /// Iterates over all pieces with their squares: on the ground, then on the upper level.
    fn pieces(&self) -> impl Iterator<Item = (Self::Square, Piece)>;

    /// Returns the square of a side's pharaoh, unless it has been hit.
    fn pharaoh(&self, color: Color) -> Option<Self::Square>;

    /// Returns the place of the tower, if the game has one.
    fn tower_column(&self) -> Option<TowerColumn>;

    /// Lists all legal moves; none after a pharaoh has been hit.
    fn legal_moves(&self) -> impl Deref<Target = [Move<Self::Square>]>;

    /// Checks a move. Returns it as it is listed, or the rule that it breaks.
    fn check(
        &self,
        mv: Move<Self::Square>,
    ) -> Result<Move<Self::Square>, IllegalMove<Self::Square>>;

    /// Plays a move, fires, and returns the shot. An illegal move changes nothing.
    fn play(
        &mut self,
        mv: Move<Self::Square>,
    ) -> Result<Shot<Self::Square>, IllegalMove<Self::Square>>;

    /// Plays a legal move and fires. Returns the squares on which a piece was hit.
    fn play_unchecked(&mut self, mv: Move<Self::Square>) -> <Self::Square as BoardSquare>::Set;

    /// Returns the position after a legal move and before the laser fires.
    fn before_shot(&self, mv: Move<Self::Square>) -> Self;

    /// Returns the shot of a player's laser if it were fired now. Removes nothing.
    fn fire(&self, by: Color) -> Shot<Self::Square>;

    /// Traces the shot of a player's laser if it were fired now, as sets of squares.
    fn shot_squares(&self, by: Color) -> ShotSquares<Self::Square>;

    /// Returns the position after a null move: the other side is to move, and no laser has fired.
    fn after_null_move(&self) -> Self;

    /// Returns a move whose shot hits the other side's pharaoh, and the pharaoh's square before it.
    fn winning_move(&self) -> Option<(Move<Self::Square>, Self::Square)>;

    /// Returns the outcome if the game has ended on the board.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns the hash key of the arrangement and the side to move, without the rules. It is the
    /// same on every machine.
    fn key(&self) -> u64;

    /// Returns the hash key by which repetitions are found.
    fn repetition_key(&self) -> u64;

    /// Returns whether this is a repetition of another position.
    fn repeats(&self, other: &Self) -> bool;

    /// Returns the position with the board rotated by 180 degrees and the sides exchanged.
    fn flipped(&self) -> Self;

    /// Lists the warnings for a player who designs a starting position.
    fn warnings(&self) -> Vec<Warning<Self::Square>> {
        find_warnings(self)
    }
}

/// The part of [`GamePosition`] that only records use, and only this crate implements.
pub trait RecordStart: Sized {
    /// Returns the position of a named setup, with standard rules.
    fn from_setup(name: &str) -> Option<Self>;

    /// Returns the name of the setup with this position.
    fn setup_name(&self) -> Option<&'static str>;

    /// Reads the notation of a position.
    fn read(text: &str, rules: Rules) -> Result<Self, RecordProblem>;
}

/// Implements [`GamePosition`] by the type's own methods of the same names, and by a function that
/// returns the place of the tower.
macro_rules! use_own_methods {
    ($position:ty, $square:ty, $placement:ty, $column:expr) => {
        impl GamePosition for $position {
            type Square = $square;
            type Placement = $placement;

            fn placement(&self) -> $placement {
                self.placement()
            }

            fn side_to_move(&self) -> Color {
                self.side_to_move()
            }

            fn rules(&self) -> Rules {
                self.rules()
            }

            fn with_rules(self, rules: Rules) -> Self {
                self.with_rules(rules)
            }

            fn get(&self, square: $square) -> Option<Piece> {
                self.get(square)
            }

            fn pieces(&self) -> impl Iterator<Item = ($square, Piece)> {
                self.pieces()
            }

            fn pharaoh(&self, color: Color) -> Option<$square> {
                self.pharaoh(color)
            }

            fn tower_column(&self) -> Option<TowerColumn> {
                let column: fn(&$position) -> Option<TowerColumn> = $column;
                column(self)
            }

            fn legal_moves(&self) -> impl Deref<Target = [Move<$square>]> {
                self.legal_moves()
            }

            fn check(&self, mv: Move<$square>) -> Result<Move<$square>, IllegalMove<$square>> {
                self.check(mv)
            }

            fn play(&mut self, mv: Move<$square>) -> Result<Shot<$square>, IllegalMove<$square>> {
                self.play(mv)
            }

            fn play_unchecked(&mut self, mv: Move<$square>) -> <$square as BoardSquare>::Set {
                self.play_unchecked(mv)
            }

            fn before_shot(&self, mv: Move<$square>) -> Self {
                self.before_shot(mv)
            }

            fn fire(&self, by: Color) -> Shot<$square> {
                self.fire(by)
            }

            fn shot_squares(&self, by: Color) -> ShotSquares<$square> {
                self.shot_squares(by)
            }

            fn after_null_move(&self) -> Self {
                self.after_null_move()
            }

            fn winning_move(&self) -> Option<(Move<$square>, $square)> {
                self.winning_move()
            }

            fn outcome(&self) -> Option<Outcome> {
                self.outcome()
            }

            fn key(&self) -> u64 {
                self.key()
            }

            fn repetition_key(&self) -> u64 {
                self.repetition_key()
            }

            fn repeats(&self, other: &Self) -> bool {
                self.repeats(other)
            }

            fn flipped(&self) -> Self {
                self.flipped()
            }
        }
    };
}

use_own_methods!(Position, Square, Placement, |_| None);
use_own_methods!(tower::Position, tower::Square, tower::Placement, |position| {
    Some(position.column())
});

impl RecordStart for Position {
    fn from_setup(name: &str) -> Option<Position> {
        name.parse::<Setup>().ok().map(Setup::position)
    }

    fn setup_name(&self) -> Option<&'static str> {
        Setup::of(&self.placement()).map(Setup::name)
    }

    fn read(text: &str, rules: Rules) -> Result<Position, RecordProblem> {
        let placement = text.parse::<Placement>().map_err(ParsePositionError::Text);
        placement
            .and_then(|placement| {
                Position::new(&placement, rules).map_err(ParsePositionError::Invalid)
            })
            .map_err(RecordProblem::BadPosition)
    }
}

impl RecordStart for tower::Position {
    fn from_setup(name: &str) -> Option<tower::Position> {
        name.parse::<tower::Setup>().ok().map(tower::Setup::position)
    }

    fn setup_name(&self) -> Option<&'static str> {
        tower::Setup::of(&self.placement()).map(tower::Setup::name)
    }

    fn read(text: &str, rules: Rules) -> Result<tower::Position, RecordProblem> {
        let placement = text.parse::<tower::Placement>().map_err(tower::ParsePositionError::Text);
        placement
            .and_then(|placement| {
                tower::Position::new(&placement, rules).map_err(tower::ParsePositionError::Invalid)
            })
            .map_err(RecordProblem::BadTowerPosition)
    }
}
