//! Random setups in which both sides are alike: sensible enough to be played, with no engine's help.

use crate::keys;
use crate::{
    Color, Corner, Diagonal, Direction, Kind, Piece, PieceBox, Placement, Position, Role, Rules,
    Setup, Square,
};

/// So often a draft is made at most. About one of twenty is good, so nobody gets that far.
const DRAFTS: u64 = 10_000;

/// The setup that a number stands for: the whole box, both sides alike, Silver to move. Nobody is hit by a
/// first shot, no pharaoh can be lit by a first move, and the beam meets mirrors. With an Eye of Horus in
/// place of one djed or scarab, if that is wished.
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
    let mut luck = Luck { seed, place: 0 };
    let good = (0..DRAFTS).find_map(|_| draft(pieces, eye, &mut luck).filter(is_good));
    good.unwrap_or_else(|| match pieces {
        PieceBox::Standard => Setup::Classic.placement(),
        PieceBox::Khet2 => Setup::Khet2Classic.placement(),
    })
}

/// Random numbers that are the same on every machine.
struct Luck {
    seed: u64,
    place: usize,
}

impl Luck {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.place += 1;
        // The upper half of a product: as even as anybody could notice.
        ((u128::from(keys::number(self.seed, self.place)) * end as u128) >> 64) as usize
    }

    fn one_of<T: Copy>(&mut self, things: &[T]) -> Option<T> {
        (!things.is_empty()).then(|| things[self.below(things.len())])
    }
}

/// Where a piece of Silver's may come to stand, as files and ranks counted from 0.
struct Region {
    files: [u8; 2],
    ranks: [u8; 2],
}

impl Region {
    /// The pharaoh's, at home.
    const HOME: Region = Region { files: [2, 7], ranks: [0, 1] };
    /// Silver's own half.
    const OWN_HALF: Region = Region { files: [0, 9], ranks: [0, 3] };
    /// The middle of the board, where mirrors meet.
    const MIDDLE: Region = Region { files: [1, 8], ranks: [2, 5] };
    /// Deep on the other side.
    const FORWARD: Region = Region { files: [1, 8], ranks: [4, 6] };
    /// In the way of the laser.
    const BEAM: Region = Region { files: [9, 9], ranks: [1, 6] };

    fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        let [left, right] = self.files;
        let [low, high] = self.ranks;
        (low..=high).flat_map(move |rank| (left..=right).filter_map(move |f| Square::new(f, rank)))
    }
}

/// Squares around the pharaoh: within two steps.
fn near(square: Square) -> Region {
    let (file, rank) = (square.file(), square.rank());
    Region {
        files: [file.saturating_sub(2), (file + 2).min(Square::FILES - 1)],
        ranks: [rank.saturating_sub(1), rank + 1],
    }
}

/// A random arrangement of a whole box: not every one is good.
fn draft(pieces: PieceBox, eye: bool, luck: &mut Luck) -> Option<Placement> {
    let mut placement = Placement::EMPTY;
    if pieces == PieceBox::Khet2 {
        let corner = Square::laser_corner(Color::Silver);
        put(&mut placement, corner, Kind::Sphinx(Direction::North));
    }
    let home = place(&mut placement, &Region::HOME, |_, _| Kind::Pharaoh, luck)?;
    // Guards.
    for _ in 0..2 {
        let guard = |luck: &mut Luck, _| match pieces {
            PieceBox::Standard => Kind::Stack,
            // The front looks where shots come from.
            PieceBox::Khet2 if luck.below(4) > 0 => Kind::Anubis(Direction::North),
            PieceBox::Khet2 => Kind::Anubis(Direction::ALL[luck.below(4)]),
        };
        place(&mut placement, &near(home), guard, luck)?;
    }
    // Mirrors on both sides.
    for count in 0..2 {
        let region = if luck.below(3) > 0 { Region::MIDDLE } else { Region::OWN_HALF };
        let mirror = |luck: &mut Luck, _| {
            let line = Diagonal::ALL[luck.below(2)];
            match pieces {
                _ if eye && count == 0 => Kind::Eye(line),
                PieceBox::Standard => Kind::Djed(line),
                PieceBox::Khet2 => Kind::Scarab(line),
            }
        };
        place(&mut placement, &region, mirror, luck)?;
    }
    let pyramid = |luck: &mut Luck, square: Square| {
        let useful: Vec<Corner> =
            Corner::ALL.into_iter().filter(|&corner| sees_board(square, corner)).collect();
        Kind::Pyramid(luck.one_of(&useful).unwrap_or(Corner::NorthWest))
    };
    let forward = 1 + luck.below(2);
    for count in 0..Role::Pyramid.in_box() as usize {
        let region = match count {
            0 | 1 => Region::BEAM,
            _ if count < 2 + forward => Region::FORWARD,
            _ => Region::OWN_HALF,
        };
        place(&mut placement, &region, pyramid, luck)?;
    }
    Some(placement)
}

/// Puts a piece of Silver's and its partner onto free squares of a region; says where.
fn place(
    placement: &mut Placement,
    region: &Region,
    kind: impl Fn(&mut Luck, Square) -> Kind,
    luck: &mut Luck,
) -> Option<Square> {
    let allowed = |square: &Square| {
        square.reserved_for() != Some(Color::Red) && placement.get(*square).is_none()
    };
    let free: Vec<Square> = region.squares().filter(allowed).collect();
    let square = luck.one_of(&free)?;
    put(placement, square, kind(luck, square));
    Some(square)
}

fn put(placement: &mut Placement, square: Square, kind: Kind) {
    let piece = Piece::new(Color::Silver, kind);
    placement.set(square, Some(piece));
    placement.set(square.flipped(), Some(piece.rotated(2).other_color()));
}

/// Whether both sides to which a mirror reflects have a square beside them: else it is good for nothing.
fn sees_board(square: Square, corner: Corner) -> bool {
    let (file, rank) = match corner {
        Corner::NorthEast => (1, 1),
        Corner::SouthEast => (1, -1),
        Corner::SouthWest => (-1, -1),
        Corner::NorthWest => (-1, 1),
    };
    square.offset(file, 0).is_some() && square.offset(0, rank).is_some()
}

/// Moves that a good setup offers at least, and mirrors that its beam meets.
const LEAST: (usize, usize) = (55, 2);

fn is_good(placement: &Placement) -> bool {
    let Ok(position) = Position::new(placement, Rules::Standard) else { return false };
    let mirrors = |position: &Position| {
        let shot = position.fire(Color::Silver);
        let steps = shot.beams.iter().flat_map(|beam| &beam.steps);
        steps.filter(|step| step.leaves != Some(step.arrives)).count()
    };
    let (moves, met) = LEAST;
    position.legal_moves().len() >= moves
        && mirrors(&position) >= met
        && position.warnings().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_in_a_few_is_good() {
        for pieces in PieceBox::ALL {
            for eye in [false, true] {
                let mut luck = Luck { seed: 1, place: 0 };
                let drafts = (0..1_000).filter_map(|_| draft(pieces, eye, &mut luck));
                let good = drafts.filter(is_good).count();
                assert!(good >= 20, "{pieces:?}, eye {eye}: {good} of 1000");
            }
        }
    }

    #[test]
    fn luck_is_even() {
        let mut luck = Luck { seed: 3, place: 0 };
        let mut counts = [0; 5];
        (0..5_000).for_each(|_| counts[luck.below(5)] += 1);
        assert!(counts.iter().all(|count| (900..1_100).contains(count)), "{counts:?}");
    }
}
