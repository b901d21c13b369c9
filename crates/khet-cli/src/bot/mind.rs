//! The engine, which thinks about one position at a time, whoever asks.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use khet::{Game, Move};
use khet_engine::{Control, Engine, Level, Limits, Options, RemainingTime, Task};

/// The longest that it thinks about a move; only level 10 needs it all.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// What came of thinking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thought {
    pub(crate) mv: Option<Move>,
    /// Whether a draw would be welcome.
    pub(crate) is_behind: bool,
}

/// An engine at a level.
pub(crate) struct Mind {
    level: Level,
    engine: Mutex<Engine>,
}

impl Mind {
    pub(crate) fn new(level: Level) -> Mind {
        Mind { level, engine: Mutex::new(Engine::new(Options::default())) }
    }

    /// Chooses a move, with so much time left on the clock.
    pub(crate) fn think(&self, game: &Game, left: Option<Duration>, seed: u64) -> Thought {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let task = Task::new(game);
        let began = Instant::now();
        let never = AtomicBool::new(false);
        let elapsed = || began.elapsed();
        let control = Control { stop: &never, pondering: &never, elapsed: &elapsed };
        let clock = left.map(|left| RemainingTime { left, increment: Duration::ZERO });
        let limits = Limits { movetime: Some(MOVE_TIME), clocks: [clock; 2], ..Limits::default() };
        let answer = self.level.answer(&mut engine, &task, limits, seed, control);
        let is_behind = answer.score.prefers_draw();
        Thought { mv: answer.mv, is_behind }
    }
}
