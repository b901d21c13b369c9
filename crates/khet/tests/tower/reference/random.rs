//! Random positions, which are the same on every run.

use std::cmp::Reverse;

use super::{Color, Kind, Level, Piece, Position, Square};

/// A small random number generator (SplitMix64), determined by its seed.
#[derive(Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next_u64() % n as u64) as usize
    }

    /// Returns one of the items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Returns a random valid position: with or without Eyes, with lasers in the wall or in sphinxes,
/// with few or many pieces, on one level or on both.
///
/// Pieces that are spread at random hardly ever send a beam to the column. In half of the positions
/// mirrors are therefore put in the way of a beam so that it changes levels.
pub fn random_position(rng: &mut Rng) -> Position {
    let mut position = random_tower(rng);
    let mut pieces = random_pieces(Color::Silver, rng);
    pieces.extend(random_pieces(Color::Red, rng));
    if rng.below(2) == 0 {
        // Without Eyes.
        pieces.retain(|piece| piece.kind != Kind::Eye);
    }
    let has_sphinxes = position.pieces.values().any(|piece| piece.kind == Kind::Sphinx);
    if has_sphinxes && rng.below(3) == 0 {
        pieces = pieces_of_khet_2(&pieces, rng);
    }
    let areas = [Area::Anywhere, Area::Anywhere, Area::Tower, Area::Ground, Area::Upper];
    let mut area = rng.pick(&areas);
    let mut avoided = Vec::new();
    match rng.below(20) {
        0 | 1 => {
            put_symmetrically(&mut position, &mut pieces, rng);
            area = Area::Ground;
        }
        2 => return hemmed_in_position(position, rng),
        3..=12 => {
            let laser = rng.pick(&[Color::Silver, Color::Red]);
            put_in_beams(&mut position, &mut pieces, laser, rng);
            if rng.below(8) == 0 {
                put_pharaohs_in_beams(&mut position, &mut pieces, laser, rng);
            }
            if rng.below(3) > 0 {
                avoided = squares_of_beams(&position, laser);
            }
        }
        _ => {}
    }
    put_at_random(&mut position, &pieces, area, &avoided, rng);
    position
}

/// The area of the squares on which pieces are put.
#[derive(Clone, Copy)]
enum Area {
    Anywhere,
    /// On the upper level and beneath it.
    Tower,
    Ground,
    Upper,
}

/// Returns the tower at a random place and the lasers in the wall or in sphinxes.
fn random_tower(rng: &mut Rng) -> Position {
    let file = rng.pick(&['c', 'd', 'e', 'f', 'g']);
    let rank = rng.pick(&['3', '4', '5']);
    let side_to_move = rng.pick(&[Color::Silver, Color::Red]);
    let mut position = Position::empty(&format!("{file}{rank}"), side_to_move);
    if rng.below(2) == 0 {
        for (color, digits) in [(Color::Silver, [1, 4]), (Color::Red, [2, 3])] {
            let sphinx = Piece { color, kind: Kind::Sphinx, digit: rng.pick(&digits) };
            position.set(color.laser_corner(), Some(sphinx));
        }
    }
    position
}

/// Returns pieces of one colour in random orientations, no more than its box holds.
fn random_pieces(color: Color, rng: &mut Rng) -> Vec<Piece> {
    let piece = |kind, digit| Piece { color, kind, digit };
    let choice = rng.below(4);
    let mut amount = |most: usize| match choice {
        0 => rng.below(2),
        1 => most,
        _ => rng.below(most + 1),
    };
    let (pyramids, djeds, mut obelisks, eyes) = (amount(7), amount(2), amount(4), amount(1));
    let mut pieces = vec![piece(Kind::Pharaoh, 0)];
    for _ in 0..pyramids {
        pieces.push(piece(Kind::Pyramid, rng.pick(&[1, 2, 3, 4])));
    }
    for _ in 0..djeds {
        pieces.push(piece(Kind::Djed, rng.pick(&[1, 2])));
    }
    for _ in 0..eyes {
        pieces.push(piece(Kind::Eye, rng.pick(&[1, 2])));
    }
    while obelisks > 0 {
        let height = if obelisks > 1 { rng.pick(&[1, 2]) } else { 1 };
        pieces.push(piece(Kind::Obelisk, height));
        obelisks -= usize::from(height);
    }
    pieces
}

/// Replaces djeds by scarabs and stacks by Anubis. Single obelisks are left out.
fn pieces_of_khet_2(pieces: &[Piece], rng: &mut Rng) -> Vec<Piece> {
    let replace = |&piece: &Piece| match piece.kind {
        Kind::Djed => Some(Piece { kind: Kind::Scarab, ..piece }),
        Kind::Obelisk if piece.digit == 2 => {
            Some(Piece { kind: Kind::Anubis, digit: rng.pick(&[1, 2, 3, 4]), ..piece })
        }
        Kind::Obelisk => None,
        _ => Some(piece),
    };
    pieces.iter().filter_map(replace).collect()
}

fn may_put(position: &Position, piece: Piece, square: Square) -> bool {
    position.has_square(square)
        && position.get(square).is_none()
        && !square.is_reserved_for_other_than(piece.color)
        && !(piece.kind == Kind::Pharaoh && position.is_upper_corner(square))
}

/// Puts all pieces on random squares, in the area and not on the avoided squares if possible.
fn put_at_random(
    position: &mut Position,
    pieces: &[Piece],
    area: Area,
    avoided: &[Square],
    rng: &mut Rng,
) {
    for &piece in pieces {
        let is_in_area = |square: Square| match area {
            Area::Anywhere => true,
            Area::Ground => square.level == Level::Ground,
            Area::Upper => square.level == Level::Upper,
            Area::Tower => {
                square.level == Level::Upper || position.has_square(square.on_other_level())
            }
        };
        let mut squares = position.all_squares();
        squares.retain(|&square| may_put(position, piece, square));
        let is_wanted = |square: &Square| is_in_area(*square) && !avoided.contains(square);
        let wanted: Vec<Square> = squares.iter().copied().filter(is_wanted).collect();
        let choice = if wanted.is_empty() { squares } else { wanted };
        position.set(rng.pick(&choice), Some(piece));
    }
}

/// Takes some of the mirrors and puts them in the way of a beam of one laser. Of several tries for
/// each mirror the one is kept with which the shot goes through the most periscopes.
fn put_in_beams(position: &mut Position, pieces: &mut Vec<Piece>, laser: Color, rng: &mut Rng) {
    let tries = rng.pick(&[4, 16, 64]);
    for _ in 0..rng.below(15) {
        let is_mirror =
            |nth: &usize| matches!(pieces[*nth].kind, Kind::Pyramid | Kind::Djed | Kind::Eye);
        let mirrors: Vec<usize> = (0..pieces.len()).filter(is_mirror).collect();
        if mirrors.is_empty() {
            return;
        }
        let squares = squares_of_beams(position, laser);
        let mut best: Option<((usize, Reverse<usize>), usize, Position)> = None;
        for _ in 0..tries {
            let nth = rng.pick(&mirrors);
            let square = rng.pick(&squares);
            if !may_put(position, pieces[nth], square) {
                continue;
            }
            let orientations = if pieces[nth].kind == Kind::Pyramid { 4 } else { 2 };
            let digit = 1 + rng.below(orientations) as u8;
            let mut candidate = position.clone();
            candidate.set(square, Some(Piece { digit, ..pieces[nth] }));
            let shot = candidate.fire(laser);
            // More level changes are better, then fewer hits, which end beams.
            let score = (shot.level_changes(), Reverse(shot.hits.len()));
            if best.as_ref().is_none_or(|(best_score, ..)| score > *best_score) {
                best = Some((score, nth, candidate));
            }
        }
        if let Some((_, nth, candidate)) = best {
            pieces.remove(nth);
            *position = candidate;
        }
    }
}

fn put_pharaohs_in_beams(
    position: &mut Position,
    pieces: &mut Vec<Piece>,
    laser: Color,
    rng: &mut Rng,
) {
    let pharaohs: Vec<Piece> =
        pieces.iter().copied().filter(|piece| piece.kind == Kind::Pharaoh).collect();
    for pharaoh in pharaohs {
        let mut squares = squares_of_beams(position, laser);
        squares.retain(|&square| may_put(position, pharaoh, square));
        if !squares.is_empty() {
            position.set(rng.pick(&squares), Some(pharaoh));
            pieces.retain(|&piece| piece != pharaoh);
        }
    }
}

/// Puts all pieces of one side around the pharaoh of the other side, which has no other piece, and
/// around the column, so that the pharaoh and the tower can hardly move.
fn hemmed_in_position(mut position: Position, rng: &mut Rng) -> Position {
    let color = rng.pick(&[Color::Silver, Color::Red]);
    let corners = match color {
        Color::Silver => ["b1", "b8", "b2", "b7"],
        Color::Red => ["i8", "i1", "i7", "i2"],
    };
    let corner = Square::from_name(rng.pick(&corners)).expect("a square");
    position.set(corner, Some(Piece { color, kind: Kind::Pharaoh, digit: 0 }));

    let mut squares = position.neighbours(corner);
    // One piece next to each face, each at the end of another one, stops all eight shifts.
    for (east, north) in [(0, 2), (2, 1), (1, -1), (-1, 0)] {
        squares.push(position.column.offset(east, north));
    }
    let color = color.other();
    let mut pieces = Vec::new();
    for (kind, count, orientations) in
        [(Kind::Pyramid, 7, 4), (Kind::Djed, 2, 2), (Kind::Obelisk, 4, 1)]
    {
        for _ in 0..count {
            pieces.push(Piece { color, kind, digit: 1 + rng.below(orientations) as u8 });
        }
    }
    for square in squares {
        if may_put(&position, pieces[0], square) {
            position.set(square, Some(pieces.remove(0)));
        }
    }
    pieces.push(Piece { color, kind: Kind::Pharaoh, digit: 0 });
    put_at_random(&mut position, &pieces, Area::Ground, &[], rng);
    position
}

fn squares_of_beams(position: &Position, laser: Color) -> Vec<Square> {
    let shot = position.fire(laser);
    let path = shot.beams.iter().flat_map(|beam| &beam.path);
    path.filter_map(|(name, _)| Square::from_name(name)).collect()
}

/// Puts pieces on the upper level that look the same after a quarter turn, or only after a half
/// turn.
fn put_symmetrically(position: &mut Position, pieces: &mut Vec<Piece>, rng: &mut Rng) {
    let times = rng.pick(&[2, 4]);
    for color in [Color::Silver, Color::Red] {
        for kind in [Kind::Pyramid, Kind::Obelisk, Kind::Djed] {
            let is_wanted =
                |piece: &Piece| piece.color == color && piece.kind == kind && !piece.is_stack();
            if pieces.iter().filter(|&piece| is_wanted(piece)).count() < times {
                continue;
            }
            let squares: Vec<Square> = position
                .all_squares()
                .into_iter()
                .filter(|square| square.level == Level::Upper)
                .filter(|&square| position.get(square).is_none())
                .collect();
            let mut square = rng.pick(&squares);
            let digit = match kind {
                Kind::Pyramid => rng.pick(&[1, 2, 3, 4]),
                Kind::Djed => rng.pick(&[1, 2]),
                _ => 1,
            };
            let mut piece = Piece { color, kind, digit };
            for _ in 0..times {
                // All squares of an orbit are free if one is, because only whole orbits and pairs
                // of opposite squares are taken.
                position.set(square, Some(piece));
                let nth = pieces.iter().position(is_wanted).expect("counted before");
                pieces.remove(nth);
                for _ in 0..4 / times {
                    square = clockwise(position, square);
                    piece = piece.rotated_clockwise();
                }
            }
        }
    }
}

/// The square of the upper level to which a quarter turn of the tower takes a square.
fn clockwise(position: &Position, square: Square) -> Square {
    let west = position.column.file - 2;
    let south = position.column.rank - 2;
    let (column, row) = (square.file - west, square.rank - south);
    Square { level: Level::Upper, file: west + row, rank: south + 5 - column }
}
