//! The engine of a bot. Its games take turns with it, because each search uses the whole engine.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use khet::{Game, Move};
use khet_engine::{Control, Engine, Level, Limits, Options, RemainingTime, SearchRoot};

/// The longest time for a move; only level 10 uses all of it.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// The move that the engine chose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveChoice {
    /// `None` if there is no legal move.
    pub(crate) mv: Option<Move>,
    /// True if the bot is losing, so that it accepts or claims a draw.
    pub(crate) is_behind: bool,
}

/// An engine that plays at a level.
pub(crate) struct BotEngine {
    level: Level,
    engine: Mutex<Engine>,
}

impl BotEngine {
    pub(crate) fn new(level: Level) -> BotEngine {
        BotEngine { level, engine: Mutex::new(Engine::new(Options::default())) }
    }

    /// Chooses a move. `left` is the time left on the bot's clock.
    pub(crate) fn choose_move(&self, game: &Game, left: Option<Duration>, seed: u64) -> MoveChoice {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let search_root = SearchRoot::new(game);
        let started = Instant::now();
        let never = AtomicBool::new(false);
        let elapsed = || started.elapsed();
        let control = Control { stop: &never, pondering: &never, elapsed: &elapsed };
        let clock = left.map(|left| RemainingTime { left, increment: Duration::ZERO });
        let limits = Limits { movetime: Some(MOVE_TIME), clocks: [clock; 2], ..Limits::default() };
        let answer = self.level.choose_move(&mut engine, &search_root, limits, seed, control);
        MoveChoice { mv: answer.mv, is_behind: answer.score.prefers_draw() }
    }
}
