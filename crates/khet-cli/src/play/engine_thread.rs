//! The engine's thread, which searches while the screen stays responsive.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use khet::{AnyPosition, Game};
use khet_engine::{AnyEngine, Control, Level, Limits, Options, SearchRoot};

use crate::play::state::EngineReply;

/// The longest time for a move; only level 10 uses all of it.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// The longest time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// A request to search for a move.
struct EngineJob {
    ticket: u64,
    game: Game<AnyPosition>,
    /// `None` for a hint, which is searched at full strength.
    level: Option<Level>,
    seed: u64,
    stop: Arc<AtomicBool>,
}

/// A handle to the engine's thread.
pub(crate) struct EngineThread {
    requests: Sender<EngineJob>,
    replies: Receiver<EngineReply>,
    /// Stops the last request.
    stop: Arc<AtomicBool>,
}

/// The thread has ended unexpectedly.
pub(crate) struct ThreadEnded;

impl EngineThread {
    /// Starts the thread.
    pub(crate) fn start() -> EngineThread {
        let (request_sender, requests) = mpsc::channel::<EngineJob>();
        let (reply_sender, replies) = mpsc::channel();
        // Not joined: it ends when one of the channels is closed.
        thread::spawn(move || {
            let mut engine = AnyEngine::new(Options::default());
            for request in requests {
                if !request.stop.load(Ordering::Relaxed)
                    && reply_sender.send(search(&mut engine, &request)).is_err()
                {
                    break;
                }
            }
        });
        EngineThread { requests: request_sender, replies, stop: Arc::default() }
    }

    /// Stops the running search and starts another: for a move at a level, or for a hint.
    pub(crate) fn search(
        &mut self,
        ticket: u64,
        game: Game<AnyPosition>,
        level: Option<Level>,
        seed: u64,
    ) {
        self.stop();
        self.stop = Arc::default();
        let stop = Arc::clone(&self.stop);
        // If the thread has ended, `try_reply` reports it.
        let _ = self.requests.send(EngineJob { ticket, game, level, seed, stop });
    }

    /// Stops the running search. Its reply may still arrive, with the old ticket.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the next reply, if there is one.
    pub(crate) fn try_reply(&self) -> Result<Option<EngineReply>, ThreadEnded> {
        match self.replies.try_recv() {
            Ok(reply) => Ok(Some(reply)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(ThreadEnded),
        }
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Runs a job.
fn search(engine: &mut AnyEngine, request: &EngineJob) -> EngineReply {
    let search_root = SearchRoot::new(&request.game);
    let started = Instant::now();
    let never = AtomicBool::new(false);
    let elapsed = || started.elapsed();
    let control = Control { stop: &request.stop, pondering: &never, elapsed: &elapsed };
    let limits = |time| Limits { movetime: Some(time), ..Limits::default() };
    let answer = match request.level {
        Some(level) => {
            level.choose_any_move(engine, &search_root, limits(MOVE_TIME), request.seed, control)
        }
        None => engine.search(&search_root, limits(HINT_TIME), control, &mut |_| {}),
    };
    let is_behind = answer.score.prefers_draw();
    EngineReply {
        ticket: request.ticket,
        mv: answer.mv,
        claims_draw: request.level.is_some() && is_behind && request.game.can_claim_draw(),
    }
}

#[cfg(test)]
mod tests {
    use khet::{GamePosition, Setup};

    use super::*;

    #[test]
    fn a_reply_has_the_ticket_and_a_legal_move() {
        let mut engine = EngineThread::start();
        for (ticket, setup) in [(7, "classic"), (8, "orontes")] {
            let game = Game::new(setup.parse::<AnyPosition>().expect("a setup"));
            engine.search(ticket, game.clone(), Level::new(1), 1);
            let reply = engine.replies.recv().expect("the thread runs");
            assert_eq!(reply.ticket, ticket);
            assert!(!reply.claims_draw);
            let mv = reply.mv.expect("a move");
            assert_eq!(game.position().check(mv), Ok(mv));
        }
    }

    #[test]
    fn a_new_search_stops_the_running_one() {
        let game = Game::new(Setup::Classic.position().into());
        let mut engine = EngineThread::start();
        engine.search(1, game.clone(), Level::new(10), 1);
        engine.search(2, game, Level::new(1), 1);
        let last = engine.replies.iter().find(|reply| reply.ticket == 2);
        assert!(last.is_some_and(|reply| reply.mv.is_some()));
    }
}
