//! Playing strengths for people.
//!
//! The lower levels look ahead only a few moves, and like people who learn the game they do not see
//! where long beams end. They never play a move that they themselves think bad.

use khet::{Bitboard, Move, MoverEval, Position, Sweep};

use crate::evaluate::{evaluate, standing};
use crate::score::{DRAW, INFINITE, Value, loss_at, mover_eval, win_at};
use crate::{Answer, Control, Engine, Limits, Task};

/// How strong the computer plays, from 1 for a child's first games to 10 for all it can do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// How a level thinks.
enum Mind {
    /// Looks that many plies ahead, and sees beams up to a length of about so many squares.
    Novice { plies: u32, sight: u32 },
    /// Searches that many nodes with everything the engine has.
    Trained { nodes: u64 },
    /// As long as it is given.
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

    /// The level with that number, 1 to 10.
    pub fn new(number: u8) -> Option<Level> {
        (1..=10).contains(&number).then_some(Level(number))
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }

    fn mind(self) -> Mind {
        match self.0 {
            1 => Mind::Novice { plies: 1, sight: 6 },
            2 => Mind::Novice { plies: 1, sight: 12 },
            3 => Mind::Novice { plies: 2, sight: 13 },
            4 => Mind::Novice { plies: 2, sight: 20 },
            5 => Mind::Novice { plies: 3, sight: 24 },
            6 => Mind::Trained { nodes: 1_500 },
            7 => Mind::Trained { nodes: 6_000 },
            8 => Mind::Trained { nodes: 25_000 },
            9 => Mind::Trained { nodes: 100_000 },
            _ => Mind::Full,
        }
    }

    /// Chooses a move as this level does. The limits bound it too; below level 10 it usually needs
    /// much less. The seed decides what a novice overlooks, and between equals.
    pub fn answer(
        self,
        engine: &mut Engine,
        task: &Task,
        limits: Limits,
        seed: u64,
        control: Control<'_>,
    ) -> Answer {
        match self.mind() {
            Mind::Novice { plies, sight } => {
                let mut novice = Novice { sight, seed, nodes: 0 };
                novice.answer(task, plies)
            }
            Mind::Trained { nodes } => {
                let nodes = limits.nodes.unwrap_or(u64::MAX).min(nodes);
                let limits = Limits { nodes: Some(nodes), ..limits };
                engine.search(task, limits, control, &mut |_| {})
            }
            Mind::Full => engine.search(task, limits, control, &mut |_| {}),
        }
    }
}

/// A player who does not see where long beams end.
struct Novice {
    sight: u32,
    seed: u64,
    nodes: u64,
}

impl Novice {
    fn answer(&mut self, task: &Task, plies: u32) -> Answer {
        let root = task.position();
        let mut best: Option<(Value, u64, Move)> = None;
        for &mv in task.moves() {
            let value = self.judge(root, mv, plies, -INFINITE, INFINITE, 0);
            // Equals are chosen by lot.
            let lot = mix(self.seed ^ root.key() ^ u64::from(mv.to().index() as u32) << 8)
                .wrapping_add(mv.from().index() as u64);
            if best.is_none_or(|(known, known_lot, _)| (value, lot) > (known, known_lot)) {
                best = Some((value, lot, mv));
            }
        }
        Answer {
            mv: best.map(|(.., mv)| mv),
            ponder: None,
            score: best.map_or(MoverEval::MateIn(0), |(value, ..)| mover_eval(value)),
            nodes: self.nodes,
        }
    }

    /// What a move is worth to the player who makes it.
    fn judge(
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
            next = position.before_shot(mv).passed();
        }
        match (next.pharaoh(side).is_none(), next.pharaoh(!side).is_none()) {
            (true, true) => DRAW,
            (true, false) => loss_at(ply + 1),
            (false, true) => win_at(ply + 1),
            (false, false) if plies <= 1 => {
                let [theirs, own] = [!side, side].map(|by| self.seen(next.sweep(by)));
                -evaluate(&next, standing(&next), &theirs, &own)
            }
            (false, false) => -self.best(&next, plies - 1, -beta, -alpha, ply + 1),
        }
    }

    fn best(
        &mut self,
        position: &Position,
        plies: u32,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        let mut best = loss_at(ply);
        for &mv in &position.legal_moves() {
            let value = self.judge(position, mv, plies, alpha, beta, ply);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// A beam as it looks to a novice: where a long one ends is not seen.
    fn seen(&self, sweep: Sweep) -> Sweep {
        let removed = if sweep.path.len() > self.sight { Bitboard::EMPTY } else { sweep.removed };
        Sweep { removed, ..sweep }
    }

    /// Long beams are overlooked first; of those near the limit, some are seen and some are not.
    fn overlooks(&self, position: &Position, mv: Move) -> bool {
        let fired = position.before_shot(mv);
        let length = fired.sweep(position.side_to_move()).path.len();
        let luck = mix(self.seed ^ fired.key()) % 5;
        length + luck as u32 > self.sight + 2
    }
}

/// Scatters the bits of a number.
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
                let task = Task::from_position(position);
                let answer = level.answer(&mut engine, &task, limits, 1, control);
                let mv = answer.mv.expect("the game has just begun");
                assert_eq!(position.check(mv), Ok(mv), "{setup} {level:?}");
            }
        }
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(11), None);
    }
}
