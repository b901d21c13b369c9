//! The engine of a bot. Its games take turns with it, because each search uses the whole engine.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use khet::{AnyGame, BoardSquare, Move, tower};
use khet_engine::tower::Engine as TowerEngine;
use khet_engine::{BestMove, Control, Engine, Level, Limits, Options, RemainingTime, SearchRoot};

/// The longest time for a move; only level 10 uses all of it.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// The move that the engine chose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveChoice {
    /// `None` if there is no legal move.
    pub(crate) mv: Option<Move<tower::Square>>,
    /// True if the bot is losing, so that it accepts or claims a draw.
    pub(crate) is_behind: bool,
}

impl<S: BoardSquare> From<BestMove<S>> for MoveChoice
where
    Move<S>: Into<Move<tower::Square>>,
{
    fn from(best: BestMove<S>) -> MoveChoice {
        MoveChoice { mv: best.mv.map(Into::into), is_behind: best.score.prefers_draw() }
    }
}

/// An engine that plays at a level, in games with and without a tower.
pub(crate) struct BotEngine {
    level: Level,
    engines: Mutex<Engines>,
}

struct Engines {
    standard: Engine,
    /// Created for the first game with a tower, because its transposition table takes memory.
    tower: Option<TowerEngine>,
}

impl BotEngine {
    pub(crate) fn new(level: Level) -> BotEngine {
        let engines = Engines { standard: Engine::new(Options::default()), tower: None };
        BotEngine { level, engines: Mutex::new(engines) }
    }

    /// Chooses a move. `left` is the time left on the bot's clock.
    pub(crate) fn choose_move(
        &self,
        game: &AnyGame,
        left: Option<Duration>,
        seed: u64,
    ) -> MoveChoice {
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let started = Instant::now();
        let never = AtomicBool::new(false);
        let elapsed = || started.elapsed();
        let control = Control { stop: &never, pondering: &never, elapsed: &elapsed };
        let clock = left.map(|left| RemainingTime { left, increment: Duration::ZERO });
        let limits = Limits { movetime: Some(MOVE_TIME), clocks: [clock; 2], ..Limits::default() };
        match game {
            AnyGame::Standard(game) => {
                let search_root = SearchRoot::new(game);
                let engine = &mut engines.standard;
                self.level.choose_move(engine, &search_root, limits, seed, control).into()
            }
            AnyGame::Tower(game) => {
                let search_root = SearchRoot::new(game);
                let engine =
                    engines.tower.get_or_insert_with(|| TowerEngine::new(Options::default()));
                self.level.choose_tower_move(engine, &search_root, limits, seed, control).into()
            }
        }
    }
}
