//! The computer's thread: it thinks while the screen stays alive.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use khet::Game;
use khet_engine::{Control, Engine, Level, Limits, Options, Task};

use crate::play::state::Reply;

/// The longest that it thinks about a move; only level 10 needs it all.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// The same for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

struct Job {
    ticket: u64,
    game: Game,
    /// For a hint all that it can do.
    level: Option<Level>,
    seed: u64,
    stop: Arc<AtomicBool>,
}

/// The thread, and the way to and from it.
pub(crate) struct Computer {
    jobs: Sender<Job>,
    replies: Receiver<Reply>,
    /// Of the job that was given last.
    stop: Arc<AtomicBool>,
}

/// The thread has ended, which it never should.
pub(crate) struct Gone;

impl Computer {
    pub(crate) fn new() -> Computer {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let (outbox, replies) = mpsc::channel();
        // Nobody waits for it: it ends when its inbox or its outbox is closed.
        thread::spawn(move || {
            let mut engine = Engine::new(Options::default());
            for job in inbox {
                if !job.stop.load(Ordering::Relaxed)
                    && outbox.send(think(&mut engine, &job)).is_err()
                {
                    break;
                }
            }
        });
        Computer { jobs, replies, stop: Arc::default() }
    }

    /// Lets it think as that level does, or find a hint.
    pub(crate) fn ask(&mut self, ticket: u64, game: Game, level: Option<Level>, seed: u64) {
        self.stop();
        self.stop = Arc::default();
        // If the thread has ended, `reply` says so.
        let _ = self.jobs.send(Job { ticket, game, level, seed, stop: Arc::clone(&self.stop) });
    }

    /// Ends what it is thinking about. A reply may still come, with the old ticket.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// What it has found, if it has.
    pub(crate) fn reply(&self) -> Result<Option<Reply>, Gone> {
        match self.replies.try_recv() {
            Ok(reply) => Ok(Some(reply)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(Gone),
        }
    }
}

impl Drop for Computer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn think(engine: &mut Engine, job: &Job) -> Reply {
    let task = Task::new(&job.game);
    let began = Instant::now();
    let never = AtomicBool::new(false);
    let elapsed = || began.elapsed();
    let control = Control { stop: &job.stop, pondering: &never, elapsed: &elapsed };
    let within = |time| Limits { movetime: Some(time), ..Limits::default() };
    let answer = match job.level {
        Some(level) => level.answer(engine, &task, within(MOVE_TIME), job.seed, control),
        None => engine.search(&task, within(HINT_TIME), control, &mut |_| {}),
    };
    let behind = answer.score.prefers_draw();
    Reply {
        ticket: job.ticket,
        mv: answer.mv,
        claims_draw: job.level.is_some() && behind && job.game.can_claim_draw(),
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    #[test]
    fn it_answers_with_a_legal_move_and_the_ticket() {
        let game = Game::new(Setup::Classic.position());
        let mut computer = Computer::new();
        computer.ask(7, game.clone(), Level::new(1), 1);
        let reply = computer.replies.recv().expect("the thread lives");
        assert_eq!(reply.ticket, 7);
        assert!(!reply.claims_draw);
        let mv = reply.mv.expect("a move");
        assert_eq!(game.position().check(mv), Ok(mv));
    }

    #[test]
    fn it_can_be_stopped() {
        let game = Game::new(Setup::Classic.position());
        let mut computer = Computer::new();
        computer.ask(1, game.clone(), Level::new(10), 1);
        computer.ask(2, game, Level::new(1), 1);
        let last = computer.replies.iter().find(|reply| reply.ticket == 2);
        assert!(last.is_some_and(|reply| reply.mv.is_some()));
    }
}
