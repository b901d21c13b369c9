//! Identifies pieces from one position to the next, so that they glide and rotate instead of
//! disappearing and appearing.

use khet::tower::TowerColumn;
use khet::{BoardSquare, GamePosition, Piece};

use super::levels::TowerMotion;
use crate::rules::{Position, Square};

/// A piece with an identity.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TrackedPiece {
    /// The identifier, unchanged while the piece is on the board.
    pub(crate) id: u32,
    pub(crate) square: Square,
    pub(crate) piece: Piece,
}

/// Returns the pieces after the motion of the tower that stood at `column`.
pub(super) fn carry(
    before: &[TrackedPiece],
    motion: TowerMotion,
    column: TowerColumn,
) -> Vec<TrackedPiece> {
    let carry = |tracked: &TrackedPiece| {
        let (square, piece) = motion.carry(tracked.square, tracked.piece, column);
        TrackedPiece { square, piece, ..*tracked }
    };
    before.iter().map(carry).collect()
}

/// Returns the pieces of a position that follows another. Each keeps its identifier if it stays,
/// rotates, or moves to another square.
pub(crate) fn track(before: &[TrackedPiece], position: &Position) -> Vec<TrackedPiece> {
    let mut before = before.to_vec();
    let mut unmatched: Vec<(Square, Piece)> = position.pieces().collect();
    let mut next = before.iter().map(|tracked_piece| tracked_piece.id + 1).max().unwrap_or(0);
    let mut tracked: Vec<TrackedPiece> = Vec::with_capacity(unmatched.len());
    let stays = |tracked_piece: &TrackedPiece, square: Square, piece: Piece| {
        tracked_piece.square == square && tracked_piece.piece == piece
    };
    let rotated = |tracked_piece: &TrackedPiece, square: Square, piece: Piece| {
        tracked_piece.square == square && is_same_kind(tracked_piece.piece, piece)
    };
    let moved =
        |tracked_piece: &TrackedPiece, _: Square, piece: Piece| tracked_piece.piece == piece;
    let changed = |tracked_piece: &TrackedPiece, _: Square, piece: Piece| {
        is_same_kind(tracked_piece.piece, piece)
    };
    type Test<'a> = &'a dyn Fn(&TrackedPiece, Square, Piece) -> bool;
    let tests: [Test<'_>; 4] = [&stays, &rotated, &moved, &changed];
    for test in tests {
        unmatched.retain(|&(square, piece)| {
            let fits = before
                .iter()
                .enumerate()
                .filter(|(_, tracked_piece)| test(tracked_piece, square, piece));
            let nearest =
                fits.min_by_key(|(_, tracked_piece)| distance(tracked_piece.square, square));
            let Some((index, _)) = nearest else { return true };
            let id = before.swap_remove(index).id;
            // Keeps the list in the order of the identifiers.
            let at = tracked.partition_point(|other| other.id < id);
            tracked.insert(at, TrackedPiece { id, square, piece });
            false
        });
    }
    for (square, piece) in unmatched {
        tracked.push(TrackedPiece { id: next, square, piece });
        next += 1;
    }
    tracked
}

/// Returns whether two pieces have the same colour and role.
fn is_same_kind(one: Piece, other: Piece) -> bool {
    one.color() == other.color() && one.role() == other.role()
}

/// Returns the number of king moves between two squares.
fn distance(one: Square, other: Square) -> u8 {
    let [one, other] = [one, other].map(BoardSquare::ground);
    one.file().abs_diff(other.file()).max(one.rank().abs_diff(other.rank()))
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    /// Returns the pieces that a move changes, before its shot.
    fn changes(position: &Position, mv: &str) -> Vec<(String, String)> {
        let before = track(&[], position);
        let after = track(&before, &position.before_shot(mv.parse().expect("a move")));
        let old = |tracked_piece: &TrackedPiece| {
            before
                .iter()
                .find(|old| old.id == tracked_piece.id)
                .map_or("new".to_string(), |old| format!("{}{}", old.piece, old.square))
        };
        let pair = |tracked_piece: &TrackedPiece| {
            (old(tracked_piece), format!("{}{}", tracked_piece.piece, tracked_piece.square))
        };
        after.iter().map(pair).filter(|(old, new)| old != new).collect()
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(old, new)| (old.to_string(), new.to_string())).collect()
    }

    #[test]
    fn piece_keeps_its_id_when_it_moves_rotates_or_swaps() {
        let position = Position::from(Setup::Classic.position());
        assert_eq!(changes(&position, "h2g2"), pairs(&[("P1h2", "P1g2")]));
        assert_eq!(changes(&position, "h2+"), pairs(&[("P1h2", "P2h2")]));
        let position: Position = "4k5/10/10/10/10/3D1P15/10/4K5 s".parse().expect("a position");
        let mut swapped = changes(&position, "d3e3");
        swapped.sort();
        assert_eq!(swapped, pairs(&[("D1d3", "D1e3"), ("P1e3", "P1d3")]));
    }

    #[test]
    fn stack_keeps_its_id_when_its_top_leaves() {
        let position = Position::from(Setup::Classic.position());
        assert_eq!(changes(&position, "d1^d2"), pairs(&[("O2d1", "O1d1"), ("new", "O1d2")]));
    }
}
