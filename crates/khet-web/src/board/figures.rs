//! Which piece on the board is which from one position to the next, so that pieces glide and move
//! instead of vanishing and appearing.

use khet::{Piece, Position, Square};

/// A piece that is followed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Figure {
    /// Its name for as long as it stands.
    pub(crate) id: u32,
    pub(crate) square: Square,
    pub(crate) piece: Piece,
}

/// The figures of a position that follows another: each keeps its name if it stands on, was turned, or
/// went to another square.
pub(crate) fn follow(before: &[Figure], position: &Position) -> Vec<Figure> {
    let mut before = before.to_vec();
    let mut left: Vec<(Square, Piece)> = position.pieces().collect();
    let mut next = before.iter().map(|figure| figure.id + 1).max().unwrap_or(0);
    let mut figures = Vec::with_capacity(left.len());
    let stands = |figure: &Figure, square: Square, piece: Piece| {
        figure.square == square && figure.piece == piece
    };
    let turned = |figure: &Figure, square: Square, piece: Piece| {
        figure.square == square && alike(figure.piece, piece)
    };
    let went = |figure: &Figure, _: Square, piece: Piece| figure.piece == piece;
    let changed = |figure: &Figure, _: Square, piece: Piece| alike(figure.piece, piece);
    type Test<'a> = &'a dyn Fn(&Figure, Square, Piece) -> bool;
    let tests: [Test<'_>; 4] = [&stands, &turned, &went, &changed];
    for test in tests {
        left.retain(|&(square, piece)| {
            let fits = before.iter().enumerate().filter(|(_, figure)| test(figure, square, piece));
            let nearest = fits.min_by_key(|(_, figure)| distance(figure.square, square));
            let Some((index, _)) = nearest else { return true };
            let id = before.swap_remove(index).id;
            figures.push(Figure { id, square, piece });
            false
        });
    }
    for (square, piece) in left {
        figures.push(Figure { id: next, square, piece });
        next += 1;
    }
    figures.sort_by_key(|figure| figure.id);
    figures
}

fn alike(one: Piece, other: Piece) -> bool {
    one.color() == other.color() && one.role() == other.role()
}

fn distance(one: Square, other: Square) -> u8 {
    one.file().abs_diff(other.file()).max(one.rank().abs_diff(other.rank()))
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    /// The names and squares of what changed with a move, before its shot.
    fn changes(position: &Position, mv: &str) -> Vec<(String, String)> {
        let before = follow(&[], position);
        let after = follow(&before, &position.before_shot(mv.parse().expect("a move")));
        let old = |figure: &Figure| {
            before
                .iter()
                .find(|old| old.id == figure.id)
                .map_or("new".to_string(), |old| format!("{}{}", old.piece, old.square))
        };
        let pair = |figure: &Figure| (old(figure), format!("{}{}", figure.piece, figure.square));
        after.iter().map(pair).filter(|(old, new)| old != new).collect()
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(old, new)| (old.to_string(), new.to_string())).collect()
    }

    #[test]
    fn a_piece_keeps_its_name_when_it_moves_turns_or_swaps() {
        let position = Setup::Classic.position();
        assert_eq!(changes(&position, "h2g2"), pairs(&[("P1h2", "P1g2")]));
        assert_eq!(changes(&position, "h2+"), pairs(&[("P1h2", "P2h2")]));
        let position: Position = "4k5/10/10/10/10/3D1P15/10/4K5 s".parse().expect("a position");
        let mut swapped = changes(&position, "d3e3");
        swapped.sort();
        assert_eq!(swapped, pairs(&[("D1d3", "D1e3"), ("P1e3", "P1d3")]));
    }

    #[test]
    fn a_stack_keeps_its_name_when_its_top_leaves() {
        let position = Setup::Classic.position();
        assert_eq!(changes(&position, "d1^d2"), pairs(&[("O2d1", "O1d1"), ("new", "O1d2")]));
    }
}
