//! Random placements, positions and games, which are the same on every run.

// Each test that includes this file uses a part of it.
#![allow(dead_code)]

use khet::{
    Bitboard, Color, Corner, Diagonal, Direction, Kind, Piece, Placement, Position, Rules, Setup,
    Square,
};

/// A small random number generator (SplitMix64), determined by its seed.
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
        assert!(n > 0, "there is no number below 0");
        // For numbers this small the bias of the remainder is negligible.
        (self.next_u64() % n as u64) as usize
    }

    /// Returns one of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The pieces to choose from: a box, with or without Eyes and sphinxes.
struct PieceSet {
    khet2: bool,
    eyes: bool,
    sphinxes: bool,
}

const PIECE_SETS: [PieceSet; 5] = [
    PieceSet { khet2: false, eyes: false, sphinxes: false },
    PieceSet { khet2: false, eyes: true, sphinxes: false },
    PieceSet { khet2: false, eyes: false, sphinxes: true },
    PieceSet { khet2: true, eyes: false, sphinxes: true },
    PieceSet { khet2: true, eyes: true, sphinxes: true },
];

/// Chooses the number of pieces of a kind, of which the box holds `most`.
#[derive(Clone, Copy)]
enum Amount {
    Few,
    Any,
    All,
}

impl Amount {
    fn of(self, most: usize, rng: &mut Rng) -> usize {
        match self {
            Amount::Few => rng.below(2),
            Amount::Any => rng.below(most + 1),
            Amount::All => most,
        }
    }
}

/// Returns a random playable placement of a random piece set: the standard game, with Eyes or with
/// sphinxes for lasers, and Khet 2.0 with or without Eyes. It has any number of pieces up to those
/// of the boxes, spread over the board or crowded on a part of it.
pub fn random_placement(rng: &mut Rng) -> Placement {
    let pieces = rng.pick(&PIECE_SETS);
    let mut placement = Placement::EMPTY;
    placement.side_to_move = *rng.pick(&Color::ALL);
    let region = random_region(rng);
    if pieces.sphinxes {
        let (north, east, south, west) =
            (Direction::North, Direction::East, Direction::South, Direction::West);
        for (color, directions) in [(Color::Silver, [north, west]), (Color::Red, [south, east])] {
            let sphinx = Piece::new(color, Kind::Sphinx(*rng.pick(&directions)));
            placement.set(Square::laser_corner(color), Some(sphinx));
        }
    }
    for color in Color::ALL {
        let amount = *rng.pick(&[Amount::Few, Amount::Any, Amount::Any, Amount::All]);
        let mut kinds = vec![Kind::Pharaoh];
        for _ in 0..amount.of(7, rng) {
            kinds.push(Kind::Pyramid(*rng.pick(&Corner::ALL)));
        }
        for _ in 0..amount.of(2, rng) {
            let line = *rng.pick(&Diagonal::ALL);
            kinds.push(if pieces.khet2 { Kind::Scarab(line) } else { Kind::Djed(line) });
        }
        if pieces.khet2 {
            for _ in 0..amount.of(2, rng) {
                kinds.push(Kind::Anubis(*rng.pick(&Direction::ALL)));
            }
        } else {
            let mut obelisks = amount.of(4, rng);
            while obelisks > 0 {
                let stacked = obelisks > 1 && rng.below(2) == 0;
                kinds.push(if stacked { Kind::Stack } else { Kind::Obelisk });
                obelisks -= if stacked { 2 } else { 1 };
            }
        }
        if pieces.eyes && rng.below(4) > 0 {
            kinds.push(Kind::Eye(*rng.pick(&Diagonal::ALL)));
        }
        for kind in kinds {
            let square = free_square(&placement, color, region, rng);
            placement.set(square, Some(Piece::new(color, kind)));
        }
    }
    placement
}

/// The whole board, or half of it.
fn random_region(rng: &mut Rng) -> Bitboard {
    let (files, ranks) = *rng.pick(&[(10, 8), (10, 4), (5, 8)]);
    let first_file = rng.below(10 - files + 1);
    let first_rank = rng.below(8 - ranks + 1);
    let is_inside = |square: &Square| {
        (first_file..first_file + files).contains(&usize::from(square.file()))
            && (first_rank..first_rank + ranks).contains(&usize::from(square.rank()))
    };
    Square::all().filter(is_inside).collect()
}

/// An empty square on which the colour may stand, of the region if there is one.
fn free_square(placement: &Placement, color: Color, region: Bitboard, rng: &mut Rng) -> Square {
    let free = |region: Bitboard| -> Vec<Square> {
        let allowed = region & Bitboard::allowed(color);
        allowed.into_iter().filter(|&square| placement.get(square).is_none()).collect()
    };
    let squares = free(region);
    let squares = if squares.is_empty() { free(Bitboard::ALL) } else { squares };
    *rng.pick(&squares)
}

/// Returns a random position in which the game is not over, under random rules: a random
/// placement, or one reached by random play from a setup.
pub fn random_position(rng: &mut Rng) -> Position {
    loop {
        let rules = *rng.pick(&Rules::ALL);
        let position = if rng.below(2) == 0 {
            Position::new(&random_placement(rng), rules).expect("it can be played")
        } else {
            let start = rng.pick(&Setup::ALL).position().with_rules(rules);
            let plies = rng.below(60);
            play_random(rng, start, plies)
        };
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Plays that many random moves, or fewer if the game ends.
pub fn play_random(rng: &mut Rng, position: Position, plies: usize) -> Position {
    let mut position = position;
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(*rng.pick(&moves));
    }
    position
}
