//! The queue of requested reviews. The first one is in progress.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use khet::AnyGame;
use khet_protocol::{GameId, ReviewProgress};

/// Largest number of reviews in the queue.
const QUEUE_CAPACITY: usize = 32;

/// A requested review.
#[derive(Clone, Debug)]
pub(super) struct ReviewRequest {
    pub(super) id: GameId,
    pub(super) game: Arc<AnyGame>,
    /// Number of moves reviewed so far.
    pub(super) judged: Arc<AtomicU32>,
}

/// Requests in order.
#[derive(Debug, Default)]
pub(super) struct ReviewQueue(VecDeque<ReviewRequest>);

/// The queue is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct QueueFull;

impl ReviewQueue {
    /// Appends a game unless it is in the queue.
    pub(super) fn add(&mut self, id: GameId, game: AnyGame) -> Result<ReviewProgress, QueueFull> {
        if let Some(progress) = self.progress(id) {
            return Ok(progress);
        }
        if self.0.len() >= QUEUE_CAPACITY {
            return Err(QueueFull);
        }
        self.0.push_back(ReviewRequest { id, game: Arc::new(game), judged: Arc::default() });
        self.progress(id).ok_or(QueueFull)
    }

    /// Returns the progress of a game that is in the queue.
    pub(super) fn progress(&self, id: GameId) -> Option<ReviewProgress> {
        let index = self.0.iter().position(|request| request.id == id)?;
        let request = &self.0[index];
        Some(ReviewProgress {
            ahead: index as u32,
            judged: request.judged.load(Ordering::Relaxed),
            moves: request.game.ply() as u32,
        })
    }

    /// Returns the next request, which stays in the queue until it is removed.
    pub(super) fn first(&self) -> Option<ReviewRequest> {
        self.0.front().cloned()
    }

    /// Removes a game.
    pub(super) fn remove(&mut self, id: GameId) {
        self.0.retain(|request| request.id != id);
    }
}

#[cfg(test)]
mod tests {
    use khet::{AnyGame, Setup};
    use khet_protocol::{GameId, ReviewProgress};

    use super::{QUEUE_CAPACITY, QueueFull, ReviewQueue};

    #[test]
    fn queue_has_no_duplicates_and_is_bounded() {
        let game = || AnyGame::new(Setup::Classic.position().into());
        let id = |number: usize| GameId::from_number(number as u128);
        let mut queue = ReviewQueue::default();
        for number in 0..QUEUE_CAPACITY {
            let expected = ReviewProgress { ahead: number as u32, judged: 0, moves: 0 };
            assert_eq!(queue.add(id(number), game()), Ok(expected));
        }
        assert_eq!(queue.add(id(QUEUE_CAPACITY), game()), Err(QueueFull));
        assert!(queue.add(id(1), game()).is_ok_and(|progress| progress.ahead == 1));
        queue.remove(id(0));
        assert_eq!(queue.first().map(|request| request.id), Some(id(1)));
        assert_eq!(queue.progress(id(0)), None);
        assert!(queue.add(id(QUEUE_CAPACITY), game()).is_ok());
    }
}
