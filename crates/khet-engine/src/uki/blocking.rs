//! The protocol without threads: a search ends before the next line is handled.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::protocol::{BestMoveLine, CommandOutcome, Protocol, ResourceLimits, Search};
use crate::Control;

/// A browser gives a page little more memory.
const LIMITS: ResourceLimits = ResourceLimits { hash: 512, threads: 1 };

/// A time limit that is never reached. With any time limit, the search polls the clock and with it
/// [`HostCallbacks::is_stopped`].
const UNLIMITED_TIME: Duration = Duration::from_secs(u32::MAX as u64);

/// Functions of the host that a [`BlockingSession`] needs on platforms without threads and clocks.
#[derive(Clone, Copy, Debug)]
pub struct HostCallbacks {
    /// Returns the time since any fixed moment.
    pub now: fn() -> Duration,
    /// Returns whether the running search has been told to stop. Searches are numbered from 1. It
    /// is called often.
    pub is_stopped: fn(search: u32) -> bool,
}

/// A protocol session that does one thing at a time.
///
/// It can't read `stop` while it searches, so it polls [`HostCallbacks::is_stopped`] instead. An
/// unlimited search that reaches the largest depth answers at once.
///
/// ```
/// use std::time::Duration;
/// use khet_engine::uki::{BlockingSession, HostCallbacks};
///
/// let mut session = BlockingSession::new(HostCallbacks { now: || Duration::ZERO, is_stopped: |_| false });
/// let mut lines = Vec::new();
/// for line in ["position setup classic", "go depth 3"] {
///     session.handle_line(line, &mut |line| lines.push(line.to_string()));
/// }
/// assert!(lines.last().unwrap().starts_with("bestmove "));
/// ```
pub struct BlockingSession {
    protocol: Protocol,
    callbacks: HostCallbacks,
    searches: u32,
}

impl fmt::Debug for BlockingSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingSession").field("searches", &self.searches).finish_non_exhaustive()
    }
}

impl BlockingSession {
    /// Creates a session.
    pub fn new(callbacks: HostCallbacks) -> BlockingSession {
        BlockingSession { protocol: Protocol::new(LIMITS), callbacks, searches: 0 }
    }

    /// Handles a line and passes the lines of the answer to `say`.
    pub fn handle_line(&mut self, line: &str, say: &mut dyn FnMut(&dyn fmt::Display)) {
        if let CommandOutcome::Search(search) = self.protocol.handle_line(line, say) {
            self.search(*search, say);
        }
    }

    /// Runs a search to its end and writes `bestmove`.
    fn search(&mut self, mut search: Search, say: &mut dyn FnMut(&dyn fmt::Display)) {
        self.searches = self.searches.wrapping_add(1);
        let (HostCallbacks { now, is_stopped }, number) = (self.callbacks, self.searches);
        if search.limits.movetime.is_none() && search.limits.clocks == [None; 2] {
            search.limits.movetime = Some(UNLIMITED_TIME);
        }
        let (stop, never) = (AtomicBool::new(false), AtomicBool::new(false));
        let began = now();
        let elapsed = || {
            if is_stopped(number) {
                stop.store(true, Ordering::Relaxed);
                return UNLIMITED_TIME;
            }
            now().saturating_sub(began)
        };
        let control = Control { stop: &stop, pondering: &never, elapsed: &elapsed };
        let answer = search.run(control, say);
        say(&BestMoveLine(&answer));
        self.protocol.return_engine(Some(search.engine));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use khet::Position;

    use super::*;
    use crate::bench;

    fn talk(callbacks: HostCallbacks, lines: &[&str]) -> Vec<String> {
        let mut session = BlockingSession::new(callbacks);
        let mut said = Vec::new();
        for line in lines {
            session.handle_line(line, &mut |line| said.push(line.to_string()));
        }
        said
    }

    #[test]
    fn blocking_session_speaks_the_same_protocol() {
        let callbacks = HostCallbacks { now: || Duration::ZERO, is_stopped: |_| false };
        let questions = ["uki", "hello", "position setup isis", "go depth 4", "go perft 1"];
        let said = talk(callbacks, &questions);
        assert!(
            said.iter().any(|line| line == "option name Threads type spin default 1 min 1 max 1")
        );
        assert!(said.iter().any(|line| line.starts_with("info string unknown command")));
        assert!(said.iter().any(|line| line.starts_with("info depth 4 ")));
        assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
    }

    #[test]
    fn infinite_search_stops_and_the_next_one_runs() {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        let callbacks = HostCallbacks {
            now: || Duration::ZERO,
            is_stopped: |search| search == 1 && ASKED.fetch_add(1, Ordering::Relaxed) > 20,
        };
        let said = talk(callbacks, &["position setup classic", "go infinite", "go nodes 3000"]);
        assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 2);
    }

    #[test]
    fn searches_with_a_tower_stop_too() {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        let callbacks = HostCallbacks {
            now: || Duration::ZERO,
            is_stopped: |search| search == 1 && ASKED.fetch_add(1, Ordering::Relaxed) > 20,
        };
        let said = talk(
            callbacks,
            &[
                "position setup orontes",
                "go infinite",
                "go depth 2",
                "position setup classic",
                "go depth 2",
            ],
        );
        let best: Vec<&String> = said.iter().filter(|line| line.starts_with("bestmove ")).collect();
        assert_eq!(best.len(), 3, "{said:?}");
        assert!(said.iter().any(|line| line.starts_with("info depth 3 ")), "{said:?}");
    }

    #[test]
    fn seed_varies_the_moves_of_weak_levels() {
        let callbacks = HostCallbacks { now: || Duration::ZERO, is_stopped: |_| false };
        let answers = |position: Position| {
            let mut answers: Vec<String> = (0..8)
                .filter_map(|seed| {
                    let seed = format!("setoption name Seed value {seed}");
                    let position = format!("position fen {position}");
                    talk(callbacks, &[&seed, "setoption name Level value 3", &position, "go"]).pop()
                })
                .collect();
            answers.sort();
            answers.dedup();
            answers.len()
        };
        assert!(bench::positions().into_iter().any(|position| answers(position) > 1));
    }
}
