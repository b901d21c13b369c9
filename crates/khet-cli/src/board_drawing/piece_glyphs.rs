//! The pieces as characters. Silver has capital letters and solid shapes, Red small letters and
//! shaded shapes, so that the sides differ without colours.

use khet::{Color, Corner, Diagonal, Direction, Kind, Piece};

/// Returns the letter of the piece in notation.
pub(super) fn letter(piece: Piece) -> char {
    piece.to_string().chars().next().unwrap_or(' ')
}

/// Returns a character for the orientation of a piece, or the height of obelisks.
pub(super) fn orientation(piece: Piece) -> char {
    match piece.kind() {
        Kind::Pharaoh => ' ',
        Kind::Pyramid(Corner::NorthEast) => '◣',
        Kind::Pyramid(Corner::SouthEast) => '◤',
        Kind::Pyramid(Corner::SouthWest) => '◥',
        Kind::Pyramid(Corner::NorthWest) => '◢',
        Kind::Djed(line) | Kind::Eye(line) | Kind::Scarab(line) => match line {
            Diagonal::Falling => '╲',
            Diagonal::Rising => '╱',
        },
        Kind::Obelisk => '1',
        Kind::Stack => '2',
        Kind::Anubis(front) | Kind::Sphinx(front) => arrow(front),
    }
}

/// Returns an arrow in a direction.
pub(super) fn arrow(direction: Direction) -> char {
    match direction {
        Direction::North => '↑',
        Direction::East => '→',
        Direction::South => '↓',
        Direction::West => '←',
    }
}

/// Returns the piece in three rows of seven characters. Mirrors pass through the middle, where the
/// beams are drawn. `None` cells are left to beams.
pub(super) fn large(piece: Piece) -> [[Option<char>; 7]; 3] {
    // `@` stands for the letter, `!` for the arrow, `_` for a space within the piece.
    let template = match piece.kind() {
        Kind::Pharaoh => [" ▗▄▄▄▖ ", " ▐_@_▌ ", " ▝▀▀▀▘ "],
        Kind::Pyramid(Corner::NorthEast) => [" ◣     ", " ██◣   ", " █@██◣ "],
        Kind::Pyramid(Corner::SouthEast) => [" █@██◤ ", " ██◤   ", " ◤     "],
        Kind::Pyramid(Corner::SouthWest) => [" ◥██@█ ", "   ◥██ ", "     ◥ "],
        Kind::Pyramid(Corner::NorthWest) => ["     ◢ ", "   ◢██ ", " ◢██@█ "],
        Kind::Djed(Diagonal::Falling) | Kind::Scarab(Diagonal::Falling) => {
            [" █▄  @ ", "  ▀█▄  ", "    ▀█ "]
        }
        Kind::Djed(Diagonal::Rising) | Kind::Scarab(Diagonal::Rising) => {
            [" @  ▄█ ", "  ▄█▀  ", " █▀    "]
        }
        Kind::Eye(Diagonal::Falling) => [" ╲╲  @ ", "  ╲╲╲  ", "    ╲╲ "],
        Kind::Eye(Diagonal::Rising) => [" @  ╱╱ ", "  ╱╱╱  ", " ╱╱    "],
        Kind::Obelisk => ["  ┌─┐  ", "  │@│  ", "  └─┘  "],
        Kind::Stack => [" ╔═══╗ ", " ║@_2║ ", " ╚═══╝ "],
        Kind::Anubis(Direction::North) => [" ▀▀▀▀▀ ", "   @!  ", "  └─┘  "],
        Kind::Anubis(Direction::East) => ["  ┌─ ▐ ", "  │@!▐ ", "  └─ ▐ "],
        Kind::Anubis(Direction::South) => ["  ┌─┐  ", "   @!  ", " ▄▄▄▄▄ "],
        Kind::Anubis(Direction::West) => [" ▌ ─┐  ", " ▌!@│  ", " ▌ ─┘  "],
        Kind::Sphinx(_) => [" ▛▀▀▀▜ ", " ▌@_!▐ ", " ▙▄▄▄▟ "],
    };
    let mut glyph = [[None; 7]; 3];
    for (row, line) in glyph.iter_mut().zip(template) {
        for (cell, character) in row.iter_mut().zip(line.chars()) {
            *cell = match character {
                ' ' => None,
                '_' => Some(' '),
                '@' => Some(letter(piece)),
                '!' => Some(orientation(piece)),
                '█' if piece.color() == Color::Red => Some('▒'),
                character => Some(character),
            };
        }
    }
    glyph
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_looks_different_in_both_sizes() {
        let pieces: Vec<Piece> = Piece::all().collect();
        for (index, &one) in pieces.iter().enumerate() {
            for &other in &pieces[..index] {
                assert_ne!(large(one), large(other), "{one} {other}");
                assert_ne!((letter(one), orientation(one)), (letter(other), orientation(other)));
            }
        }
    }

    #[test]
    fn every_large_glyph_shows_the_letter_of_its_piece() {
        for piece in Piece::all() {
            assert!(
                large(piece).iter().flatten().any(|&cell| cell == Some(letter(piece))),
                "{piece}"
            );
        }
    }
}
