//! The protocol without threads: a search ends before the next line is looked at.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::protocol::{BestMove, Means, Order, Protocol, Search};
use crate::Control;

/// A browser gives a page little more.
const MEANS: Means = Means { hash: 512, threads: 1 };

/// A limit of time that is never reached: with any, the search looks at the clock as it goes on.
const EVER: Duration = Duration::from_secs(u32::MAX as u64);

/// What a [`Dialogue`] can't know by itself where neither threads nor clocks are at hand.
#[derive(Clone, Copy, Debug)]
pub struct Senses {
    /// Tells the time since any fixed moment.
    pub now: fn() -> Duration,
    /// Tells whether the search that runs, the one with this number counted from 1, has been told
    /// to stop. It is asked often.
    pub is_stopped: fn(search: u32) -> bool,
}

/// A partner in the protocol who does one thing at a time.
///
/// Since `stop` is not heard while it searches, [`Senses::is_stopped`] says so. A search without
/// bounds that has seen everything answers at once.
///
/// ```
/// use std::time::Duration;
/// use khet_engine::uki::{Dialogue, Senses};
///
/// let mut dialogue = Dialogue::new(Senses { now: || Duration::ZERO, is_stopped: |_| false });
/// let mut lines = Vec::new();
/// for line in ["position setup classic", "go depth 3"] {
///     dialogue.obey(line, &mut |line| lines.push(line.to_string()));
/// }
/// assert!(lines.last().unwrap().starts_with("bestmove "));
/// ```
pub struct Dialogue {
    protocol: Protocol,
    senses: Senses,
    searches: u32,
}

impl fmt::Debug for Dialogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialogue").field("searches", &self.searches).finish_non_exhaustive()
    }
}

impl Dialogue {
    /// A dialogue that has not begun.
    pub fn new(senses: Senses) -> Dialogue {
        Dialogue { protocol: Protocol::new(MEANS), senses, searches: 0 }
    }

    /// Does what a line says, and tells the lines of the answer.
    pub fn obey(&mut self, line: &str, say: &mut dyn FnMut(&dyn fmt::Display)) {
        if let Order::Search(search) = self.protocol.obey(line, say) {
            self.search(*search, say);
        }
    }

    fn search(&mut self, mut search: Search, say: &mut dyn FnMut(&dyn fmt::Display)) {
        self.searches = self.searches.wrapping_add(1);
        let (Senses { now, is_stopped }, number) = (self.senses, self.searches);
        if search.limits.movetime.is_none() && search.limits.clocks == [None; 2] {
            search.limits.movetime = Some(EVER);
        }
        let (stop, never) = (AtomicBool::new(false), AtomicBool::new(false));
        let began = now();
        let elapsed = || {
            if is_stopped(number) {
                stop.store(true, Ordering::Relaxed);
                // What was asked is answered with what is known now.
                return EVER;
            }
            now().saturating_sub(began)
        };
        let control = Control { stop: &stop, pondering: &never, elapsed: &elapsed };
        let answer = search.think(control, say);
        say(&BestMove(&answer));
        self.protocol.take_back_engine(Some(search.engine));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use khet::Position;

    use super::*;
    use crate::bench;

    fn talk(senses: Senses, lines: &[&str]) -> Vec<String> {
        let mut dialogue = Dialogue::new(senses);
        let mut said = Vec::new();
        for line in lines {
            dialogue.obey(line, &mut |line| said.push(line.to_string()));
        }
        said
    }

    #[test]
    fn it_speaks_the_same_protocol() {
        let senses = Senses { now: || Duration::ZERO, is_stopped: |_| false };
        let questions = ["uki", "hello", "position setup isis", "go depth 4", "go perft 1"];
        let said = talk(senses, &questions);
        assert!(
            said.iter().any(|line| line == "option name Threads type spin default 1 min 1 max 1")
        );
        assert!(said.iter().any(|line| line.starts_with("info string unknown command")));
        assert!(said.iter().any(|line| line.starts_with("info depth 4 ")));
        assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
    }

    #[test]
    fn an_open_search_stops_when_it_is_told_and_the_next_one_runs() {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        let senses = Senses {
            now: || Duration::ZERO,
            is_stopped: |search| search == 1 && ASKED.fetch_add(1, Ordering::Relaxed) > 20,
        };
        let said = talk(senses, &["position setup classic", "go infinite", "go nodes 3000"]);
        assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 2);
    }

    #[test]
    fn a_seed_varies_what_a_novice_overlooks() {
        let senses = Senses { now: || Duration::ZERO, is_stopped: |_| false };
        let answers = |position: Position| {
            let mut answers: Vec<String> = (0..8)
                .filter_map(|seed| {
                    let seed = format!("setoption name Seed value {seed}");
                    let position = format!("position fen {position}");
                    talk(senses, &[&seed, "setoption name Level value 3", &position, "go"]).pop()
                })
                .collect();
            answers.sort();
            answers.dedup();
            answers.len()
        };
        assert!(bench::positions().into_iter().any(|position| answers(position) > 1));
    }
}
