//! The winning chances of the best moves of a position, by the engine.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use khet::{Move, MoverEval, Position};
use khet_engine::{Control, Engine, GameEngine, Limits, Options, SearchRoot};
use khet_review::PositionEval;

/// Size of the transposition table in mebibytes.
const HASH: usize = 8;

/// The best move of a position and the winning chances of the side to move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MoveChances {
    /// The best move.
    pub(crate) best: Move,
    /// The reply that the engine expects.
    pub(crate) reply: Option<Move>,
    /// The winning chances after the best move, from 0 to 1.
    pub(crate) best_chances: f64,
    /// The winning chances after the second best move; 0 if there is only one move.
    pub(crate) second_chances: f64,
    /// The number of moves in which the best move forces a win.
    pub(crate) mate_in: Option<u32>,
}

/// An engine that compares the best two moves of positions.
pub(crate) struct PuzzleAnalyst {
    engine: Engine,
}

impl std::fmt::Debug for PuzzleAnalyst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PuzzleAnalyst").finish_non_exhaustive()
    }
}

impl PuzzleAnalyst {
    pub(crate) fn new() -> PuzzleAnalyst {
        let options = Options { hash: HASH, multi_pv: 2, ..Options::default() };
        PuzzleAnalyst { engine: Engine::new(options) }
    }

    /// Forgets earlier searches, so that the next result does not depend on them.
    pub(crate) fn clear(&mut self) {
        self.engine.clear();
    }

    /// Compares the best two moves; `None` if no move is legal.
    pub(crate) fn compare(&mut self, position: &Position, nodes: u64) -> Option<MoveChances> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let never = AtomicBool::new(false);
        let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
        let search_root = SearchRoot::from_position(*position);
        let (lines, _) = self.engine.best_lines(&search_root, limits, control);
        let side = position.side_to_move();
        let chances = |eval: MoverEval| PositionEval::from_mover(eval, side).winning_chances(side);
        let best = lines.first()?;
        Some(MoveChances {
            best: *best.pv.first()?,
            reply: best.pv.get(1).copied(),
            best_chances: chances(best.score),
            second_chances: lines.get(1).map_or(0.0, |second| chances(second.score)),
            mate_in: match best.score {
                MoverEval::MateIn(moves) => u32::try_from(moves).ok().filter(|&moves| moves > 0),
                MoverEval::Cp(_) => None,
            },
        })
    }
}
