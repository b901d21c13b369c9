//! Reviews games with the engine. One thread and a fixed number of nodes give the same review on
//! every machine.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use khet::{AnyGame, AnyPosition, Game};
use khet_engine::{AnyEngine, Control, Limits, Options};
use khet_review::{Review, ReviewBuilder};

/// Name of the engine, as stored with reviews.
pub(super) const NAME: &str = concat!("Khet ", env!("CARGO_PKG_VERSION"));
/// Nodes per search. A game of sixty moves takes about ten seconds.
pub(super) const NODES: u64 = 100_000;
/// Size of the transposition table, in MiB.
const HASH_SIZE: usize = 16;

/// Reviews a game and writes the number of reviewed moves into `judged`. Returns `None` if it is
/// stopped.
pub(super) fn review(
    game: &AnyGame,
    judged: &AtomicU32,
    stop: &AtomicBool,
) -> Option<Review<AnyPosition>> {
    lower_priority();
    let mut engine = AnyEngine::new(Options {
        hash: HASH_SIZE,
        threads: 1,
        multi_pv: 1,
        overhead: Duration::ZERO,
    });
    let mut builder = ReviewBuilder::new(&replay(game)?);
    // The search stops at a win in one, which cannot be improved. Time is not limited.
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

/// Returns the game with one type of positions for both games.
fn replay(game: &AnyGame) -> Option<Game<AnyPosition>> {
    let mut replayed = Game::new(game.start());
    game.moves().try_for_each(|mv| replayed.play(mv).map(drop)).ok()?;
    Some(replayed)
}

/// Gives the current thread the lowest priority, so that games are served first.
fn lower_priority() {
    // Linux has priorities per thread; on other systems this would slow down the whole server.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 19) {
        tracing::debug!(%error, "could not lower the priority of a review");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use khet::AnyGame;

    use super::review;

    #[test]
    fn review_is_deterministic() {
        check("classic", ["h2+", "a5b5", "h2g2"]);
        check("4k5/10/10/10/10/10/10/4K5+e4:6/1p34/6/6/4P11/6 s", ["Te5", "T+", "D4d4"]);
    }

    fn check(start: &str, moves: [&str; 3]) {
        let mut game = AnyGame::new(start.parse().unwrap());
        for mv in moves {
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
