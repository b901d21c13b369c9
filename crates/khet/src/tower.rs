//! The Tower of Kadesh: Khet on two levels.
//!
//! A column of two by two squares stands on the board and carries an upper level of six by six
//! squares. Pieces climb and descend, both players shift and rotate the tower, and periscopes in
//! the column lead beams from one level to the other. Everything else is as in the standard game,
//! with all its editions and expansions.
//!
//! This module has only what differs: squares of two levels, placements, positions and moves of the
//! tower. [`Move`](crate::Move), [`Shot`](crate::Shot), [`Fault`](crate::Fault),
//! [`Game`](crate::Game) and [`Record`](crate::Record) are shared, with the squares or positions of
//! this module as their parameter.
//!
//! ```
//! use khet::{Game, Move, tower};
//!
//! // Silver's pyramid on j4 sends the beam west, into the tower: it comes out above, going back.
//! let start: tower::Position = "4k5/10/10/10/9P3/10/10/4K5+e4:6/6/6/5p3/6/6 s".parse()?;
//! let mut game = Game::new(start);
//! let shot = game.play("e1d1".parse()?)?;
//! let path: Vec<String> = shot.beams[0].steps.iter().map(|step| step.square.to_string()).collect();
//! assert_eq!(path.join(" "), "j1 j2 j3 j4 i4 h4 g4 G4 H4 H3 H2");
//!
//! // The tower is a piece of both players. Red shifts it, and Silver's pharaoh climbs.
//! let shift: Move<tower::Square> = "Td3".parse()?;
//! game.play(shift)?;
//! assert_eq!(game.position().column().to_string(), "d3");
//! game.play("d1D1".parse()?)?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod column;
mod faults;
mod generate;
mod move_codes;
mod moves;
mod perft;
mod placement;
mod position;
mod setups;
mod shot;
mod square;

pub use column::TowerColumn;
pub use faults::TowerFault;
pub use moves::{MAX_MOVES, MoveList, TowerMove};
pub use perft::{divide, perft};
pub use placement::{ParsePlacementError, Placement, PlacementProblem};
pub use position::{ParsePositionError, Position};
pub use setups::Setup;
pub use square::{LevelSquares, ParseSquareError, Square, SquareSet};

/// A level of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum BoardLevel {
    /// The board, with the lasers.
    Ground = 0,
    /// The squares that the tower carries.
    Upper = 1,
}

impl BoardLevel {
    /// Both, the ground first.
    pub const ALL: [BoardLevel; 2] = [BoardLevel::Ground, BoardLevel::Upper];

    /// Returns the other level.
    #[inline]
    pub const fn other(self) -> BoardLevel {
        match self {
            BoardLevel::Ground => BoardLevel::Upper,
            BoardLevel::Upper => BoardLevel::Ground,
        }
    }
}
