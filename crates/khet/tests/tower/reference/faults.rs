//! Decides which positions can be played.

use super::{Color, Direction, Kind, Position, notation};

/// The number of pieces that the boxes hold for one side.
const BOX: [(Kind, usize); 8] = [
    (Kind::Pharaoh, 1),
    (Kind::Pyramid, 7),
    (Kind::Djed, 2),
    (Kind::Obelisk, 4),
    (Kind::Eye, 1),
    (Kind::Sphinx, 1),
    (Kind::Scarab, 2),
    (Kind::Anubis, 2),
];

/// Returns whether the text is a position that can be played.
pub fn is_valid(text: &str) -> bool {
    match Position::read(text) {
        Ok(position) => position.faults().is_empty(),
        Err(_) => false,
    }
}

impl Position {
    /// Returns the reasons why the position can't be played, none if it is valid.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for color in [Color::Silver, Color::Red] {
            let name = color.name();
            if self.count(color, Kind::Pharaoh) == 0 {
                faults.push(format!("{name} has no pharaoh"));
            }
            // Both levels together hold no more than the box.
            for (kind, most) in BOX {
                let count = self.count(color, kind);
                if count > most {
                    faults.push(format!("{name} has {count} of the kind {kind:?}"));
                }
            }
            // Sphinxes: both sides or neither.
            let other_has_sphinx = self.count(color.other(), Kind::Sphinx) > 0;
            if self.count(color, Kind::Sphinx) == 0 && other_has_sphinx {
                faults.push(format!("{name} has no sphinx"));
            }
        }
        // One box: standard pieces or those of Khet 2.0, which come with sphinxes.
        let has = |kind| self.pieces.values().any(|piece| piece.kind == kind);
        let khet_2 = has(Kind::Scarab) || has(Kind::Anubis);
        if khet_2 && (has(Kind::Djed) || has(Kind::Obelisk)) {
            faults.push("pieces of two boxes".to_string());
        }
        if khet_2 && !has(Kind::Sphinx) {
            faults.push("pieces of Khet 2.0 without sphinxes".to_string());
        }
        for (&square, &piece) in &self.pieces {
            let what = format!("{} on {}", notation::write_piece(piece), square.name());
            if self.is_column(square) {
                faults.push(format!("{what}: the column is there"));
            }
            if square.is_reserved_for_other_than(piece.color) {
                faults.push(format!("{what}: the square is reserved for the other colour"));
            }
            if piece.kind == Kind::Pharaoh && self.is_upper_corner(square) {
                faults.push(format!("{what}: a pharaoh stands on a corner of the upper level"));
            }
            // Each sphinx stands on its own corner of the ground, facing into the board.
            if piece.kind == Kind::Sphinx {
                if square != piece.color.laser_corner() {
                    faults.push(format!("{what}: the sphinx is not on its corner"));
                }
                let direction = Direction::from_digit(piece.digit);
                if !piece.color.sphinx_directions().contains(&direction) {
                    faults.push(format!("{what}: the sphinx faces the wall"));
                }
            }
        }
        faults
    }
}
