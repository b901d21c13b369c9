//! The positions, moves and shots of the app.
//!
//! With the feature `tower` they are those of both games, with and without a Tower of Kadesh;
//! without it only those of the standard game. The programs of the home page and of the puzzles are
//! built without the feature, so that they stay small; all others have it. Modules of these programs
//! therefore take these types from here and not from `khet`, and use only methods that both have.

pub(crate) use self::types::*;

#[cfg(feature = "tower")]
mod types {
    use khet::tower::TowerColumn;
    pub(crate) use khet::{
        AnyPlacement as Placement, AnyPosition as Position,
        ParseAnyPositionError as ParsePositionError, tower::Square,
    };
    use khet::{AnySetup, Records};

    pub(crate) type Move = khet::Move<Square>;
    pub(crate) type Shot = khet::Shot<Square>;
    pub(crate) type Beam = khet::Beam<Square>;
    pub(crate) type Hit = khet::Hit<Square>;
    pub(crate) type Game = khet::Game<Position>;
    pub(crate) type GameError = khet::GameError<Square>;
    pub(crate) type Record = khet::Record<Position>;
    pub(crate) type Variation = khet::Variation<Square>;
    pub(crate) type Ply = khet::Ply<Square>;
    pub(crate) type Fault = khet::Fault<Square>;
    pub(crate) type Warning = khet::Warning<Square>;
    pub(crate) type Review = khet_review::Review<Position>;
    pub(crate) type ReviewedMove = khet_review::ReviewedMove<Square>;

    /// Reads the games of a text.
    pub(crate) fn records(text: &str) -> Records<'_, Position> {
        Records::any(text)
    }

    /// Returns the position of a setup, or `None` if this program can't play it.
    pub(crate) fn setup_position(setup: AnySetup) -> Option<Position> {
        Some(setup.position())
    }

    /// Returns the setup with this placement.
    pub(crate) fn setup_of(placement: &Placement) -> Option<AnySetup> {
        AnySetup::of(placement)
    }

    /// Returns the place of the tower, if there is one.
    pub(crate) fn tower_column(placement: &Placement) -> Option<TowerColumn> {
        placement.tower_column()
    }

    /// Returns a move as one of the standard game, unless it has a tower.
    pub(crate) fn standard_move(mv: Move) -> Option<khet::Move> {
        mv.without_tower()
    }
}

#[cfg(not(feature = "tower"))]
mod types {
    use khet::tower::TowerColumn;
    use khet::{AnySetup, Records, Setup};
    pub(crate) use khet::{
        Beam, Game, GameError, Hit, Move, ParsePositionError, Placement, Ply, Position, Record,
        Shot, Square, Variation,
    };

    /// Reads the games of a text.
    pub(crate) fn records(text: &str) -> Records<'_, Position> {
        Records::new(text)
    }

    /// Returns the position of a setup, or `None` if this program can't play it.
    pub(crate) fn setup_position(setup: AnySetup) -> Option<Position> {
        match setup {
            AnySetup::Standard(setup) => Some(setup.position()),
            AnySetup::Tower(_) => None,
        }
    }

    /// Returns the setup with this placement.
    pub(crate) fn setup_of(placement: &Placement) -> Option<AnySetup> {
        Setup::of(placement).map(AnySetup::Standard)
    }

    /// Returns the place of the tower, if there is one.
    pub(crate) fn tower_column(_: &Placement) -> Option<TowerColumn> {
        None
    }

    /// Returns a move as one of the standard game.
    pub(crate) fn standard_move(mv: Move) -> Option<khet::Move> {
        Some(mv)
    }
}

/// True in the programs that play games with a tower. Local games with and without one are pages of
/// different programs.
pub(crate) const HAS_TOWER: bool = cfg!(feature = "tower");

/// Returns the setup that the form for a local game offers first.
pub(crate) fn first_setup() -> khet::AnySetup {
    if HAS_TOWER { khet::tower::Setup::Orontes.into() } else { khet::Setup::Classic.into() }
}

/// Returns whether a text names a setup with a tower or has a position with one, without reading it.
pub(crate) fn text_has_tower(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let has_column = |(at, _)| lower.as_bytes().get(at + 3) == Some(&b':');
    lower.match_indices('+').any(has_column)
        || khet::tower::Setup::ALL.iter().any(|setup| lower.contains(setup.name()))
}

/// Returns the square of a name, for tests.
#[cfg(test)]
pub(crate) fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

/// Returns the position of the setup Classic, with which most games begin.
pub(crate) fn classic() -> Position {
    khet::Setup::Classic.position().into()
}
