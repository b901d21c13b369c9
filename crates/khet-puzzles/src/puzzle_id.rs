//! The identity of a puzzle: a short name computed from its start position.

use std::fmt;
use std::str::FromStr;

use khet::{Color, Placement, Position};

/// The length of the text form.
const LENGTH: usize = 6;
/// The digits of the text form: no vowels, so that no words appear, and no easily confused ones.
const DIGITS: &[u8; 32] = b"23456789bcdfghjkmnpqrstvwxyzBCDF";

/// The short name of a puzzle, as it appears in links: six letters and digits.
///
/// It is a hash of the start position, so files need not store it. A position and its mirror image
/// under the symmetry of the game, the board rotated by 180 degrees with the sides exchanged, have
/// the same name, because they are the same puzzle.
///
/// ```
/// use khet::Setup;
/// use khet_puzzles::PuzzleId;
///
/// let position = Setup::Classic.position();
/// assert_eq!(PuzzleId::of(&position), PuzzleId::of(&position.flipped()));
/// assert_ne!(PuzzleId::of(&position), PuzzleId::of(&Setup::Dynasty.position()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PuzzleId([u8; LENGTH]);

impl PuzzleId {
    /// Returns the name of the puzzle with this start position.
    pub fn of(start: &Position) -> PuzzleId {
        let mut hash = fnv_1a(canonical(start).to_string().as_bytes());
        PuzzleId(std::array::from_fn(|_| {
            let digit = DIGITS[(hash % 32) as usize];
            hash /= 32;
            digit
        }))
    }
}

/// Returns the form of a position that it shares with its mirror image: the one with Silver to move.
/// The game has no other symmetry, because the lasers stand in opposite corners.
fn canonical(position: &Position) -> Placement {
    match position.side_to_move() {
        Color::Silver => position.placement(),
        Color::Red => position.placement().flipped(),
    }
}

/// Returns the 64-bit FNV-1a hash, with its upper half mixed into the lower one.
fn fnv_1a(bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash ^ (hash >> 32)
}

impl fmt::Display for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.map(char::from).iter().collect::<String>())
    }
}

impl fmt::Debug for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not the name of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsePuzzleIdError;

impl fmt::Display for ParsePuzzleIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a puzzle has six letters and digits, such as h4Bk2z")
    }
}

impl std::error::Error for ParsePuzzleIdError {}

impl FromStr for PuzzleId {
    type Err = ParsePuzzleIdError;

    fn from_str(text: &str) -> Result<PuzzleId, ParsePuzzleIdError> {
        let digits: [u8; LENGTH] = text.as_bytes().try_into().map_err(|_| ParsePuzzleIdError)?;
        let known = digits.iter().all(|digit| DIGITS.contains(digit));
        known.then_some(PuzzleId(digits)).ok_or(ParsePuzzleIdError)
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    #[test]
    fn ids_never_change() {
        // Links and the server's ratings name puzzles by these.
        assert_eq!(PuzzleId::of(&Setup::Classic.position()).to_string(), "xC5bny");
    }

    #[test]
    fn an_id_is_read_as_it_was_written() {
        for setup in Setup::ALL {
            let id = PuzzleId::of(&setup.position());
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for wrong in ["", "h4Bk2", "h4Bk2zz", "h4Bk2a", "h4Bk2é"] {
            assert_eq!(wrong.parse::<PuzzleId>(), Err(ParsePuzzleIdError), "{wrong}");
        }
    }
}
