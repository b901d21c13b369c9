//! Games that wait for their review, and the one that is being reviewed: the first.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use khet::Game;
use khet_protocol::{GameId, ReviewProgress};

/// So many may wait.
const LONGEST: usize = 32;

/// A review that was asked for.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) game: GameId,
    pub(super) record: Arc<Game>,
    /// How many moves are judged.
    pub(super) judged: Arc<AtomicU32>,
}

/// Reviews in the order in which they were asked for.
#[derive(Debug, Default)]
pub(super) struct Queue(VecDeque<Asked>);

/// Too many wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Full;

impl Queue {
    /// Puts a game at the end, unless it is there.
    pub(super) fn add(&mut self, game: GameId, record: Game) -> Result<ReviewProgress, Full> {
        if let Some(progress) = self.progress(game) {
            return Ok(progress);
        }
        if self.0.len() >= LONGEST {
            return Err(Full);
        }
        self.0.push_back(Asked { game, record: Arc::new(record), judged: Arc::default() });
        self.progress(game).ok_or(Full)
    }

    /// How far a game is, if it was asked for.
    pub(super) fn progress(&self, game: GameId) -> Option<ReviewProgress> {
        let place = self.0.iter().position(|asked| asked.game == game)?;
        let asked = &self.0[place];
        Some(ReviewProgress {
            waiting: place as u32,
            judged: asked.judged.load(Ordering::Relaxed),
            moves: asked.record.moves().len() as u32,
        })
    }

    /// The game whose turn it is. It stays until it is done.
    pub(super) fn first(&self) -> Option<Asked> {
        self.0.front().cloned()
    }

    /// Takes a game out.
    pub(super) fn done(&mut self, game: GameId) {
        self.0.retain(|asked| asked.game != game);
    }
}

#[cfg(test)]
mod tests {
    use khet::{Game, Setup};
    use khet_protocol::{GameId, ReviewProgress};

    use super::{Full, LONGEST, Queue};

    #[test]
    fn games_wait_once_and_not_too_many() {
        let game = || Game::new(Setup::Classic.position());
        let id = |number: usize| GameId::from_number(number as u128);
        let mut queue = Queue::default();
        for number in 0..LONGEST {
            let expected = ReviewProgress { waiting: number as u32, judged: 0, moves: 0 };
            assert_eq!(queue.add(id(number), game()), Ok(expected));
        }
        assert_eq!(queue.add(id(LONGEST), game()), Err(Full));
        assert!(queue.add(id(1), game()).is_ok_and(|progress| progress.waiting == 1));
        queue.done(id(0));
        assert_eq!(queue.first().map(|asked| asked.game), Some(id(1)));
        assert_eq!(queue.progress(id(0)), None);
        assert!(queue.add(id(LONGEST), game()).is_ok());
    }
}
