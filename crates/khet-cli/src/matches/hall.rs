//! Where games are played, on several boards at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use khet::{Color, Game};

use super::player::{Contestant, Player};
use super::referee::{Played, Referee};

/// A game that a board has finished.
pub(crate) struct Finished {
    pub(crate) pair: usize,
    /// Of the first engine.
    pub(crate) color: Color,
    pub(crate) played: Played,
}

/// Everything the boards share.
pub(crate) struct Hall<'a> {
    referee: Referee,
    contestants: &'a [Contestant; 2],
    openings: &'a [Game],
    games: usize,
    /// How many pairs have been handed out.
    taken: AtomicUsize,
    stop: AtomicBool,
}

impl<'a> Hall<'a> {
    pub(crate) fn new(
        referee: Referee,
        contestants: &'a [Contestant; 2],
        openings: &'a [Game],
        games: usize,
    ) -> Hall<'a> {
        let (taken, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        Hall { referee, contestants, openings, games, taken, stop }
    }

    /// Ends all games that are under way.
    pub(crate) fn close(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Plays pair after pair, until there is none left.
    pub(crate) fn board(&self, finished: &Sender<Finished>) {
        let [mut first, mut second] = self.contestants.each_ref().map(Player::new);
        loop {
            let pair = self.taken.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = self.openings.get(pair) else { return };
            for (game, color) in Color::ALL.into_iter().enumerate() {
                if 2 * pair + game >= self.games {
                    return;
                }
                let players = match color {
                    Color::Silver => [&mut first, &mut second],
                    Color::Red => [&mut second, &mut first],
                };
                let Some(played) = self.referee.play(opening, players, &self.stop) else { return };
                if finished.send(Finished { pair, color, played }).is_err() {
                    return;
                }
            }
        }
    }
}
