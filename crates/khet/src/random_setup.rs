//! Random symmetric setups that are sensible enough to be played, found without an engine.

use crate::zobrist;
use crate::{
    Color, Corner, Diagonal, Direction, Kind, Piece, PieceBox, Placement, Position, Role, Rules,
    Setup, Square,
};

/// The largest number of drafts. About one of twenty is good, so this is not reached in practice.
const MAX_DRAFTS: u64 = 10_000;

/// Returns the random setup of a seed: all pieces of the box, both sides alike, Silver to move. The
/// first shot hits nothing, no first move can hit a pharaoh, and the beam meets mirrors. With
/// `eye`, an Eye of Horus replaces one djed or scarab.
///
/// ```
/// use khet::{PieceBox, Position, Rules};
///
/// let setup = khet::random_setup(PieceBox::Standard, false, 7);
/// assert_eq!(setup, khet::random_setup(PieceBox::Standard, false, 7));
/// assert_ne!(setup, khet::random_setup(PieceBox::Standard, false, 8));
/// assert_eq!(Position::new(&setup, Rules::Standard).unwrap().warnings(), []);
/// ```
pub fn random_setup(pieces: PieceBox, eye: bool, seed: u64) -> Placement {
    let mut rng = Rng { seed, index: 0 };
    let good = (0..MAX_DRAFTS).find_map(|_| draft(pieces, eye, &mut rng).filter(is_good));
    good.unwrap_or_else(|| match pieces {
        PieceBox::Standard => Setup::Classic.placement(),
        PieceBox::Khet2 => Setup::Khet2Classic.placement(),
    })
}

/// A random number generator with the same sequence on every machine.
struct Rng {
    seed: u64,
    index: usize,
}

impl Rng {
    /// Returns a number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.index += 1;
        // The upper half of a product: the bias is negligible.
        ((u128::from(zobrist::splitmix64(self.seed, self.index)) * end as u128) >> 64) as usize
    }

    /// Returns a random element.
    fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| items[self.below(items.len())])
    }
}

/// A rectangle of the board for Silver's pieces, as files and ranks counted from 0.
struct Region {
    files: [u8; 2],
    ranks: [u8; 2],
}

impl Region {
    /// The squares for the pharaoh.
    const HOME: Region = Region { files: [2, 7], ranks: [0, 1] };
    /// Silver's own half.
    const OWN_HALF: Region = Region { files: [0, 9], ranks: [0, 3] };
    /// The middle of the board, where mirrors meet.
    const MIDDLE: Region = Region { files: [1, 8], ranks: [2, 5] };
    /// The other player's half.
    const FORWARD: Region = Region { files: [1, 8], ranks: [4, 6] };
    /// The first file that Silver's laser crosses.
    const BEAM: Region = Region { files: [9, 9], ranks: [1, 6] };

    /// Iterates over the squares of the region.
    fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        let [left, right] = self.files;
        let [low, high] = self.ranks;
        (low..=high).flat_map(move |rank| (left..=right).filter_map(move |f| Square::new(f, rank)))
    }
}

/// Returns the region near a pharaoh: within two files and one rank.
fn near(square: Square) -> Region {
    let (file, rank) = (square.file(), square.rank());
    Region {
        files: [file.saturating_sub(2), (file + 2).min(Square::FILES - 1)],
        ranks: [rank.saturating_sub(1), rank + 1],
    }
}

/// Places all pieces of a box at random. Many drafts are not good.
fn draft(pieces: PieceBox, eye: bool, rng: &mut Rng) -> Option<Placement> {
    let mut placement = Placement::EMPTY;
    if pieces == PieceBox::Khet2 {
        let corner = Square::laser_corner(Color::Silver);
        put(&mut placement, corner, Kind::Sphinx(Direction::North));
    }
    let home = place(&mut placement, &Region::HOME, |_, _| Kind::Pharaoh, rng)?;
    // Guards.
    for _ in 0..2 {
        let guard = |rng: &mut Rng, _| match pieces {
            PieceBox::Standard => Kind::Stack,
            // Most shots come from the front.
            PieceBox::Khet2 if rng.below(4) > 0 => Kind::Anubis(Direction::North),
            PieceBox::Khet2 => Kind::Anubis(Direction::ALL[rng.below(4)]),
        };
        place(&mut placement, &near(home), guard, rng)?;
    }
    // Mirrors on both sides.
    for count in 0..2 {
        let region = if rng.below(3) > 0 { Region::MIDDLE } else { Region::OWN_HALF };
        let mirror = |rng: &mut Rng, _| {
            let line = Diagonal::ALL[rng.below(2)];
            match pieces {
                _ if eye && count == 0 => Kind::Eye(line),
                PieceBox::Standard => Kind::Djed(line),
                PieceBox::Khet2 => Kind::Scarab(line),
            }
        };
        place(&mut placement, &region, mirror, rng)?;
    }
    let pyramid = |rng: &mut Rng, square: Square| {
        let useful: Vec<Corner> =
            Corner::ALL.into_iter().filter(|&corner| sees_board(square, corner)).collect();
        Kind::Pyramid(rng.choose(&useful).unwrap_or(Corner::NorthWest))
    };
    let forward = 1 + rng.below(2);
    for count in 0..Role::Pyramid.count_per_box() as usize {
        let region = match count {
            0 | 1 => Region::BEAM,
            _ if count < 2 + forward => Region::FORWARD,
            _ => Region::OWN_HALF,
        };
        place(&mut placement, &region, pyramid, rng)?;
    }
    Some(placement)
}

/// Places a silver piece on a random free square of a region, and its red counterpart opposite.
/// Returns the square; `None` if the region is full.
fn place(
    placement: &mut Placement,
    region: &Region,
    kind: impl Fn(&mut Rng, Square) -> Kind,
    rng: &mut Rng,
) -> Option<Square> {
    let allowed = |square: &Square| {
        square.reserved_for() != Some(Color::Red) && placement.get(*square).is_none()
    };
    let free: Vec<Square> = region.squares().filter(allowed).collect();
    let square = rng.choose(&free)?;
    put(placement, square, kind(rng, square));
    Some(square)
}

/// Places a silver piece, and its red counterpart on the opposite square.
fn put(placement: &mut Placement, square: Square, kind: Kind) {
    let piece = Piece::new(Color::Silver, kind);
    placement.set(square, Some(piece));
    placement.set(square.flipped(), Some(piece.rotated(2).other_color()));
}

/// Returns whether there are squares next to both sides of a pyramid's mirror; otherwise the mirror
/// is useless.
fn sees_board(square: Square, corner: Corner) -> bool {
    let (file, rank) = match corner {
        Corner::NorthEast => (1, 1),
        Corner::SouthEast => (1, -1),
        Corner::SouthWest => (-1, -1),
        Corner::NorthWest => (-1, 1),
    };
    square.offset(file, 0).is_some() && square.offset(0, rank).is_some()
}

/// Least number of legal moves in a good setup.
const MIN_MOVES: usize = 55;
/// Least number of mirrors that the first beam meets in a good setup.
const MIN_MIRRORS: usize = 2;

/// Returns whether a draft is playable without warnings, and lively enough.
fn is_good(placement: &Placement) -> bool {
    let Ok(position) = Position::new(placement, Rules::Standard) else { return false };
    let mirrors = |position: &Position| {
        let shot = position.fire(Color::Silver);
        let steps = shot.beams.iter().flat_map(|beam| &beam.steps);
        steps.filter(|step| step.leaves != Some(step.arrives)).count()
    };
    position.legal_moves().len() >= MIN_MOVES
        && mirrors(&position) >= MIN_MIRRORS
        && position.warnings().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_one_draft_in_fifty_is_good() {
        for pieces in PieceBox::ALL {
            for eye in [false, true] {
                let mut rng = Rng { seed: 1, index: 0 };
                let drafts = (0..1_000).filter_map(|_| draft(pieces, eye, &mut rng));
                let good = drafts.filter(is_good).count();
                assert!(good >= 20, "{pieces:?}, eye {eye}: {good} of 1000");
            }
        }
    }

    #[test]
    fn random_numbers_are_uniform() {
        let mut rng = Rng { seed: 3, index: 0 };
        let mut counts = [0; 5];
        (0..5_000).for_each(|_| counts[rng.below(5)] += 1);
        assert!(counts.iter().all(|count| (900..1_100).contains(count)), "{counts:?}");
    }
}
