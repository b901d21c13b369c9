//! Plays the games of a match on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use khet::{AnyPosition, Color, Game};

use super::player::{EngineConfig, EnginePlayer};
use super::referee::{MatchGame, Referee};

/// A finished game of the match.
pub(crate) struct CompletedGame {
    /// Index of the pair of games with the same opening.
    pub(crate) pair: usize,
    /// Colour of the first engine.
    pub(crate) color: Color,
    pub(crate) game: MatchGame,
}

/// The state of a match that its threads share.
pub(crate) struct MatchRunner<'a> {
    referee: Referee,
    engines: &'a [EngineConfig; 2],
    /// One opening for each pair of games.
    openings: &'a [Game<AnyPosition>],
    games: usize,
    next_pair: AtomicUsize,
    stop: AtomicBool,
}

impl<'a> MatchRunner<'a> {
    pub(crate) fn new(
        referee: Referee,
        engines: &'a [EngineConfig; 2],
        openings: &'a [Game<AnyPosition>],
        games: usize,
    ) -> MatchRunner<'a> {
        let (next_pair, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        MatchRunner { referee, engines, openings, games, next_pair, stop }
    }

    /// Abandons all running games.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Plays pairs of games until none is left. Each thread of the match calls it once.
    pub(crate) fn play_pairs(&self, finished: &Sender<CompletedGame>) {
        let [mut first, mut second] = self.engines.each_ref().map(EnginePlayer::new);
        loop {
            let pair = self.next_pair.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = self.openings.get(pair) else { return };
            for (number, color) in Color::ALL.into_iter().enumerate() {
                if 2 * pair + number >= self.games {
                    return;
                }
                let players = match color {
                    Color::Silver => [&mut first, &mut second],
                    Color::Red => [&mut second, &mut first],
                };
                let Some(game) = self.referee.play(opening, players, &self.stop) else { return };
                if finished.send(CompletedGame { pair, color, game }).is_err() {
                    return;
                }
            }
        }
    }
}
