//! Playing strengths for people.
//!
//! The lower levels search only a few plies and, like beginners, overlook where long beams end. They
//! never play a move that they evaluate as bad on purpose.

use khet::{Bitboard, Move, MoverEval, Position, ShotSquares};

use crate::evaluate::{evaluate, psqt};
use crate::score::{DRAW, INFINITE, Value, loss_at, mover_eval, win_at};
use crate::{BestMove, Control, Engine, Limits, SearchRoot};

/// A playing strength, from 1 for a child's first games to 10 for full strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// How a level chooses its moves.
enum Strategy {
    /// Searches this number of plies and sees beams up to about this length in squares.
    Novice { plies: u32, sight: u32 },
    /// Runs the full search up to this number of nodes.
    FixedNodes { nodes: u64 },
    /// Runs the full search up to the given limits.
    Full,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 10] = [
        Level(1),
        Level(2),
        Level(3),
        Level(4),
        Level(5),
        Level(6),
        Level(7),
        Level(8),
        Level(9),
        Level(10),
    ];

    /// Returns the level with this number, 1 to 10.
    pub fn new(number: u8) -> Option<Level> {
        (1..=10).contains(&number).then_some(Level(number))
    }

    /// Returns the number of the level.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns how the level chooses its moves.
    fn strategy(self) -> Strategy {
        match self.0 {
            1 => Strategy::Novice { plies: 1, sight: 6 },
            2 => Strategy::Novice { plies: 1, sight: 12 },
            3 => Strategy::Novice { plies: 2, sight: 13 },
            4 => Strategy::Novice { plies: 2, sight: 20 },
            5 => Strategy::Novice { plies: 3, sight: 24 },
            6 => Strategy::FixedNodes { nodes: 1_500 },
            7 => Strategy::FixedNodes { nodes: 6_000 },
            8 => Strategy::FixedNodes { nodes: 25_000 },
            9 => Strategy::FixedNodes { nodes: 100_000 },
            _ => Strategy::Full,
        }
    }

    /// Chooses a move. The limits apply too, but levels below 10 usually need much less. The seed
    /// determines what levels 1 to 5 overlook, and breaks ties.
    pub fn choose_move(
        self,
        engine: &mut Engine,
        search_root: &SearchRoot,
        limits: Limits,
        seed: u64,
        control: Control<'_>,
    ) -> BestMove {
        match self.strategy() {
            Strategy::Novice { plies, sight } => {
                let mut novice = Novice { sight, seed, nodes: 0 };
                novice.choose_move(search_root, plies)
            }
            Strategy::FixedNodes { nodes } => {
                let nodes = limits.nodes.unwrap_or(u64::MAX).min(nodes);
                let limits = Limits { nodes: Some(nodes), ..limits };
                engine.search(search_root, limits, control, &mut |_| {})
            }
            Strategy::Full => engine.search(search_root, limits, control, &mut |_| {}),
        }
    }
}

/// A weak player that overlooks where long beams end.
struct Novice {
    sight: u32,
    seed: u64,
    nodes: u64,
}

impl Novice {
    fn choose_move(&mut self, search_root: &SearchRoot, plies: u32) -> BestMove {
        let root = search_root.position();
        let mut best: Option<(Value, u64, Move)> = None;
        for &mv in search_root.moves() {
            let value = self.move_value(root, mv, plies, -INFINITE, INFINITE, 0);
            let tie_break = mix(self.seed ^ root.key() ^ u64::from(mv.to().index() as u32) << 8)
                .wrapping_add(mv.from().index() as u64);
            if best.is_none_or(|(known, known_tie_break, _)| {
                (value, tie_break) > (known, known_tie_break)
            }) {
                best = Some((value, tie_break, mv));
            }
        }
        BestMove {
            mv: best.map(|(.., mv)| mv),
            ponder: None,
            score: best.map_or(MoverEval::MateIn(0), |(value, ..)| mover_eval(value)),
            nodes: self.nodes,
        }
    }

    /// Returns the value of a move for the side that makes it.
    fn move_value(
        &mut self,
        position: &Position,
        mv: Move,
        plies: u32,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        self.nodes += 1;
        let side = position.side_to_move();
        let mut next = *position;
        let removed = next.play_unchecked(mv);
        if !removed.is_empty() && self.overlooks(position, mv) {
            next = position.before_shot(mv).after_null_move();
        }
        match (next.pharaoh(side).is_none(), next.pharaoh(!side).is_none()) {
            (true, true) => DRAW,
            (true, false) => loss_at(ply + 1),
            (false, true) => win_at(ply + 1),
            (false, false) if plies <= 1 => {
                let [theirs, own] = [!side, side].map(|by| self.visible(next.shot_squares(by)));
                -evaluate(&next, psqt(&next), &theirs, &own)
            }
            (false, false) => -self.best_value(&next, plies - 1, -beta, -alpha, ply + 1),
        }
    }

    /// Returns the value of the best move that the level sees (alpha-beta).
    fn best_value(
        &mut self,
        position: &Position,
        plies: u32,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        let mut best = loss_at(ply);
        for &mv in &position.legal_moves() {
            let value = self.move_value(position, mv, plies, alpha, beta, ply);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Returns a beam as the player sees it: without the hits of a long beam.
    fn visible(&self, sweep: ShotSquares) -> ShotSquares {
        let removed = if sweep.path.len() > self.sight { Bitboard::EMPTY } else { sweep.removed };
        ShotSquares { removed, ..sweep }
    }

    /// Returns whether the player overlooks the hits of a move's shot. Near the limit of sight it
    /// depends on the seed.
    fn overlooks(&self, position: &Position, mv: Move) -> bool {
        let fired = position.before_shot(mv);
        let length = fired.shot_squares(position.side_to_move()).path.len();
        let variation = mix(self.seed ^ fired.key()) % 5;
        length + variation as u32 > self.sight + 2
    }
}

/// Mixes the bits of a number.
fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (number ^ number >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 16
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use khet::Setup;

    use super::*;
    use crate::Options;

    #[test]
    fn every_level_has_a_legal_move_in_every_setup() {
        let never = AtomicBool::new(false);
        let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
        for setup in Setup::ALL {
            for level in Level::ALL {
                let position = setup.position();
                let search_root = SearchRoot::from_position(position);
                let best = level.choose_move(&mut engine, &search_root, limits, 1, control);
                let mv = best.mv.expect("the game has just begun");
                assert_eq!(position.check(mv), Ok(mv), "{setup} {level:?}");
            }
        }
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(11), None);
    }
}
