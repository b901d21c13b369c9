//! Pieces and their orientations.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use crate::excerpt::excerpt;
use crate::{Color, Direction};

/// The corner of its square towards which a pyramid's mirror faces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Corner {
    NorthEast = 0,
    SouthEast = 1,
    SouthWest = 2,
    NorthWest = 3,
}

impl Corner {
    /// All four, clockwise from north-east.
    pub const ALL: [Corner; 4] =
        [Corner::NorthEast, Corner::SouthEast, Corner::SouthWest, Corner::NorthWest];
}

/// The diagonal of its square on which a two-sided mirror stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Diagonal {
    /// `\`: a beam going north leaves to the west.
    Falling = 0,
    /// `/`: a beam going north leaves to the east.
    Rising = 1,
}

impl Diagonal {
    /// Both, `\` first.
    pub const ALL: [Diagonal; 2] = [Diagonal::Falling, Diagonal::Rising];

    /// Returns the direction of a beam after its reflection by a mirror on this diagonal.
    pub const fn reflect(self, travel: Direction) -> Direction {
        // Both diagonals exchange the axes: `\` pairs north with west, `/` pairs north with east.
        Direction::from_bits(match self {
            Diagonal::Falling => 3 - travel as u8,
            Diagonal::Rising => travel as u8 ^ 1,
        })
    }
}

/// The type of a piece, regardless of its orientation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Role {
    /// Its owner loses when it is hit.
    Pharaoh = 0,
    /// Has one mirror, and is removed when it is hit on another side.
    Pyramid = 1,
    /// A two-sided mirror that can't be hit and can swap places.
    Djed = 2,
    /// Has no mirror; two of a colour can be stacked.
    Obelisk = 3,
    /// Eye of Horus, the beam splitter.
    Eye = 4,
    /// The djed of Khet 2.0.
    Scarab = 5,
    /// Khet 2.0: safe from the front.
    Anubis = 6,
    /// A laser that stands on the board.
    Sphinx = 7,
}

impl Role {
    /// All eight.
    pub const ALL: [Role; 8] = [
        Role::Pharaoh,
        Role::Pyramid,
        Role::Djed,
        Role::Obelisk,
        Role::Eye,
        Role::Scarab,
        Role::Anubis,
        Role::Sphinx,
    ];

    /// Returns the letter of the notation, in upper case.
    pub const fn letter(self) -> char {
        match self {
            Role::Pharaoh => 'K',
            Role::Pyramid => 'P',
            Role::Djed => 'D',
            Role::Obelisk => 'O',
            Role::Eye => 'E',
            Role::Scarab => 'S',
            Role::Anubis => 'A',
            Role::Sphinx => 'X',
        }
    }

    /// Returns the number of forms of the piece, which are its orientations, or a single obelisk
    /// and a stack. The notation numbers them from `1`; a pharaoh has one form and no digit.
    pub const fn forms(self) -> u8 {
        match self {
            Role::Pharaoh => 1,
            Role::Djed | Role::Obelisk | Role::Eye | Role::Scarab => 2,
            Role::Pyramid | Role::Anubis | Role::Sphinx => 4,
        }
    }

    /// Returns the number of these pieces in a player's box; a stack counts as two obelisks.
    pub const fn count_per_box(self) -> u32 {
        match self {
            Role::Pharaoh | Role::Eye | Role::Sphinx => 1,
            Role::Djed | Role::Scarab | Role::Anubis => 2,
            Role::Obelisk => 4,
            Role::Pyramid => 7,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Role::Pharaoh => "pharaoh",
            Role::Pyramid => "pyramid",
            Role::Djed => "djed",
            Role::Obelisk => "obelisk",
            Role::Eye => "Eye of Horus",
            Role::Scarab => "scarab",
            Role::Anubis => "Anubis",
            Role::Sphinx => "sphinx",
        })
    }
}

/// A piece without its colour: its [`Role`] with its orientation, or as a stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A pharaoh.
    Pharaoh,
    /// A pyramid whose mirror faces that corner.
    Pyramid(Corner),
    /// A djed on that diagonal.
    Djed(Diagonal),
    /// A single obelisk.
    Obelisk,
    /// Two obelisks, one on the other.
    Stack,
    /// An Eye of Horus on that diagonal.
    Eye(Diagonal),
    /// A scarab on that diagonal.
    Scarab(Diagonal),
    /// An Anubis that faces that direction.
    Anubis(Direction),
    /// A sphinx that fires in that direction.
    Sphinx(Direction),
}

/// A class of pieces that have the same kinds of moves, whatever a beam does to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum MoveClass {
    /// Moves only.
    Pharaoh = 0,
    /// Djed, scarab, Eye: moves, has one rotation, swaps.
    Swapper = 1,
    /// Pyramid, Anubis: moves, has two rotations, can be swapped.
    Rotator = 2,
    /// Obelisk: moves, stacks, can be swapped.
    Single = 3,
    /// Stack: moves, unstacks, can be swapped.
    Stack = 4,
    /// Sphinx: has one rotation.
    Sphinx = 5,
}

impl MoveClass {
    pub(crate) const COUNT: usize = 6;

    const fn of(kind: Kind) -> MoveClass {
        match kind {
            Kind::Pharaoh => MoveClass::Pharaoh,
            Kind::Djed(_) | Kind::Scarab(_) | Kind::Eye(_) => MoveClass::Swapper,
            Kind::Pyramid(_) | Kind::Anubis(_) => MoveClass::Rotator,
            Kind::Obelisk => MoveClass::Single,
            Kind::Stack => MoveClass::Stack,
            Kind::Sphinx(_) => MoveClass::Sphinx,
        }
    }
}

static MOVE_CLASSES: [MoveClass; Piece::COUNT] = {
    let mut classes = [MoveClass::Pharaoh; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        classes[index] = MoveClass::of(Piece::from_index_unvalidated(index as u8).kind());
        index += 1;
    }
    classes
};

/// The bits of a piece's index that change when it is rotated.
const ROTATING_BITS: [u8; Piece::COUNT] = {
    let mut masks = [0; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        masks[index] = match Piece::from_index_unvalidated(index as u8).role() {
            Role::Pharaoh | Role::Obelisk => 0,
            Role::Djed | Role::Eye | Role::Scarab => 1,
            Role::Pyramid | Role::Anubis | Role::Sphinx => 3,
        };
        index += 1;
    }
    masks
};

/// A piece with its colour and orientation.
///
/// ```
/// use khet::{Color, Corner, Kind, Piece};
///
/// let piece = Piece::new(Color::Red, Kind::Pyramid(Corner::NorthEast));
/// assert_eq!(piece.to_string(), "p1");
/// assert_eq!(piece.rotated(1).to_string(), "p2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(
    /// A set bit, so that no piece is 0; then colour (1 bit), role (3) and form (2).
    NonZeroU8,
);

impl Piece {
    /// The length of tables that are indexed by [`Piece::index`].
    pub const COUNT: usize = 64;

    /// Creates a piece of that colour.
    pub const fn new(color: Color, kind: Kind) -> Piece {
        let (role, form) = match kind {
            Kind::Pharaoh => (Role::Pharaoh, 0),
            Kind::Pyramid(corner) => (Role::Pyramid, corner as u8),
            Kind::Djed(mirror) => (Role::Djed, mirror as u8),
            Kind::Obelisk => (Role::Obelisk, 0),
            Kind::Stack => (Role::Obelisk, 1),
            Kind::Eye(mirror) => (Role::Eye, mirror as u8),
            Kind::Scarab(mirror) => (Role::Scarab, mirror as u8),
            Kind::Anubis(front) => (Role::Anubis, front as u8),
            Kind::Sphinx(fires) => (Role::Sphinx, fires as u8),
        };
        Piece::from_parts(color, role, form)
    }

    /// Iterates over all pieces in all forms and both colours.
    pub fn all() -> impl Iterator<Item = Piece> {
        let forms = |role: Role| (0..role.forms()).map(move |form| (role, form));
        let kinds = Role::ALL.into_iter().flat_map(forms);
        kinds.flat_map(|(role, form)| Color::ALL.map(|color| Piece::from_parts(color, role, form)))
    }

    /// Creates a piece in one of its role's forms, counted from 0.
    pub(crate) const fn from_parts(color: Color, role: Role, form: u8) -> Piece {
        debug_assert!(form < role.forms());
        Piece::from_index_unvalidated((color as u8) << 5 | (role as u8) << 2 | form)
    }

    /// Returns the piece with this index in tables by piece. The index is not checked: some indices
    /// below [`Piece::COUNT`] stand for forms that do not exist.
    pub(crate) const fn from_index_unvalidated(index: u8) -> Piece {
        match NonZeroU8::new(1 << 6 | index) {
            Some(code) => Piece(code),
            None => unreachable!(),
        }
    }

    /// Reads the letter and the digit of the notation. The digit is ignored for a pharaoh. The
    /// error is the role for which the digit is wrong, or `None` if the letter is wrong.
    pub(crate) fn from_chars(letter: char, digit: Option<char>) -> Result<Piece, Option<Role>> {
        let upper = letter.to_ascii_uppercase();
        let role = Role::ALL.into_iter().find(|role| role.letter() == upper).ok_or(None)?;
        let color = if letter == upper { Color::Silver } else { Color::Red };
        let form = match role {
            Role::Pharaoh => 1,
            _ => digit.and_then(|digit| digit.to_digit(10)).unwrap_or(0),
        };
        if (1..=u32::from(role.forms())).contains(&form) {
            Ok(Piece::from_parts(color, role, form as u8 - 1))
        } else {
            Err(Some(role))
        }
    }

    /// Returns a number below [`Piece::COUNT`], for tables.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0.get() & 63) as usize
    }

    /// Returns the side to which it belongs.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() & 1 << 5 == 0 { Color::Silver } else { Color::Red }
    }

    /// Returns the type of the piece.
    #[inline]
    pub const fn role(self) -> Role {
        Role::ALL[(self.0.get() >> 2 & 7) as usize]
    }

    /// Returns the number of its form, counted from 0.
    #[inline]
    pub(crate) const fn form(self) -> u8 {
        self.0.get() & 3
    }

    /// Returns the type of the piece with its orientation.
    pub const fn kind(self) -> Kind {
        let mirror = Diagonal::ALL[(self.form() & 1) as usize];
        let direction = Direction::from_bits(self.form());
        match self.role() {
            Role::Pharaoh => Kind::Pharaoh,
            Role::Pyramid => Kind::Pyramid(Corner::ALL[self.form() as usize]),
            Role::Djed => Kind::Djed(mirror),
            Role::Obelisk if self.form() == 0 => Kind::Obelisk,
            Role::Obelisk => Kind::Stack,
            Role::Eye => Kind::Eye(mirror),
            Role::Scarab => Kind::Scarab(mirror),
            Role::Anubis => Kind::Anubis(direction),
            Role::Sphinx => Kind::Sphinx(direction),
        }
    }

    #[inline]
    pub(crate) fn move_class(self) -> MoveClass {
        MOVE_CLASSES[self.index()]
    }

    /// Returns the same piece in the other colour.
    pub const fn other_color(self) -> Piece {
        Piece::from_index_unvalidated((self.index() as u8) ^ 1 << 5)
    }

    /// Returns the piece after that many clockwise rotations by 90 degrees. Pharaohs and obelisks
    /// have no orientation and stay the same.
    #[inline]
    pub const fn rotated(self, quarters: u8) -> Piece {
        let mask = ROTATING_BITS[self.index()];
        let index = self.index() as u8;
        Piece::from_index_unvalidated(index & !mask | (index + (quarters & 3)) & mask)
    }

    /// Returns the piece that is left after a hit: the lower obelisk of a stack, otherwise none.
    pub const fn remains(self) -> Option<Piece> {
        match self.kind() {
            Kind::Stack => Some(Piece::new(self.color(), Kind::Obelisk)),
            _ => None,
        }
    }
}

impl fmt::Display for Piece {
    /// Writes the letter and the digit of the notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.role().letter();
        let letter = match self.color() {
            Color::Silver => letter,
            Color::Red => letter.to_ascii_lowercase(),
        };
        match self.role() {
            Role::Pharaoh => write!(f, "{letter}"),
            _ => write!(f, "{letter}{}", self.form() + 1),
        }
    }
}

/// A text that is not a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePieceError(String);

impl fmt::Display for ParsePieceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: a piece is written like K, P1 or o2", self.0)
    }
}

impl std::error::Error for ParsePieceError {}

impl FromStr for Piece {
    type Err = ParsePieceError;

    fn from_str(text: &str) -> Result<Piece, ParsePieceError> {
        let mut chars = text.chars();
        chars
            .next()
            .and_then(|letter| Piece::from_chars(letter, chars.next()).ok())
            .filter(|piece| piece.to_string() == text)
            .ok_or_else(|| ParsePieceError(excerpt(text)))
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_a_byte_and_so_is_no_piece() {
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }

    #[test]
    fn parts_and_kind_agree() {
        assert_eq!(Piece::all().count(), 2 * (1 + 4 * 2 + 3 * 4));
        for piece in Piece::all() {
            let color = piece.color();
            assert_eq!(Piece::from_parts(color, piece.role(), piece.form()), piece);
            assert_eq!(Piece::new(color, piece.kind()), piece);
            assert_eq!(piece.other_color().other_color(), piece);
            assert_eq!(piece.other_color().color(), !color);
            assert_eq!(piece.rotated(4), piece);
            assert_eq!(piece.to_string().parse(), Ok(piece));
        }
    }
}
