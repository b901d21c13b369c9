//! The pieces in characters. Silver has capital letters and full shapes, Red small letters and
//! shaded ones, so that they can be told apart without colour.

use khet::{Color, Corner, Diagonal, Direction, Kind, Piece};

/// The letter of the notation.
pub(super) fn letter(piece: Piece) -> char {
    piece.to_string().chars().next().unwrap_or(' ')
}

/// How a piece stands, in one character.
pub(super) fn stance(piece: Piece) -> char {
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

fn arrow(direction: Direction) -> char {
    match direction {
        Direction::North => '↑',
        Direction::East => '→',
        Direction::South => '↓',
        Direction::West => '←',
    }
}

/// The piece in three rows of seven characters. Mirrors run through the middle, where beams move.
/// What is `None` is left to beams.
pub(super) fn large(piece: Piece) -> [[Option<char>; 7]; 3] {
    // `@` stands for the letter, `!` for the arrow, `_` for a space within the piece.
    let figure = match piece.kind() {
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
    let mut signs = [[None; 7]; 3];
    for (row, line) in signs.iter_mut().zip(figure) {
        for (cell, sign) in row.iter_mut().zip(line.chars()) {
            *cell = match sign {
                ' ' => None,
                '_' => Some(' '),
                '@' => Some(letter(piece)),
                '!' => Some(stance(piece)),
                '█' if piece.color() == Color::Red => Some('▒'),
                sign => Some(sign),
            };
        }
    }
    signs
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
                assert_ne!((letter(one), stance(one)), (letter(other), stance(other)));
            }
        }
    }

    #[test]
    fn every_large_figure_names_its_piece() {
        for piece in Piece::all() {
            assert!(
                large(piece).iter().flatten().any(|&sign| sign == Some(letter(piece))),
                "{piece}"
            );
        }
    }
}
