//! The engine that reviews: one thread, a fixed number of nodes, so that it finds the same on every machine.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use khet::Game;
use khet_engine::{Control, Engine, Limits, Options};
use khet_review::{Review, ReviewBuilder};

/// Who reviews.
pub(super) const NAME: &str = concat!("Khet ", env!("CARGO_PKG_VERSION"));
/// Nodes for each question: a game of sixty moves takes some ten seconds.
pub(super) const NODES: u64 = 100_000;
/// The size of its table, in mebibytes.
const TABLE: usize = 16;

/// Reviews a game, and tells how far it is; nothing comes of it if it is stopped.
pub(super) fn review(game: &Game, judged: &AtomicU32, stop: &AtomicBool) -> Option<Review> {
    be_modest();
    let mut engine =
        Engine::new(Options { hash: TABLE, threads: 1, multi_pv: 1, overhead: Duration::ZERO });
    let mut builder = ReviewBuilder::new(game);
    // A win in one can't be improved on. Time is not limited.
    let limits = Limits { nodes: Some(NODES), mate: Some(1), ..Limits::default() };
    let never = AtomicBool::new(false);
    let control = Control { stop, pondering: &never, elapsed: &|| Duration::ZERO };
    while let Some(request) = builder.next_search() {
        let result =
            khet_review::engine::search(&mut engine, builder.game(), request, limits, control);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        builder.add_result(result);
        judged.store(builder.progress().0 as u32, Ordering::Relaxed);
    }
    Some(builder.finish())
}

/// Lets everything else go first.
fn be_modest() {
    // Here a priority is a thread's; elsewhere it would be the server's.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 19) {
        tracing::debug!(%error, "a review has the usual priority");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use khet::{Game, Setup};

    use super::review;

    #[test]
    fn the_same_game_has_the_same_review() {
        let mut game = Game::new(Setup::Classic.position());
        for mv in ["h2+", "a5b5", "h2g2"] {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let (judged, never) = (AtomicU32::new(0), AtomicBool::new(false));
        let one = review(&game, &judged, &never).expect("a review");
        assert_eq!(judged.load(Ordering::Relaxed), 3);
        assert_eq!(one.moves.len(), 3);
        assert_eq!(review(&game, &judged, &never), Some(one));
        let stopped = AtomicBool::new(true);
        assert_eq!(review(&game, &judged, &stopped), None);
    }
}
