//! The number of games in progress, of everybody and of each person.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use khet_protocol::PersonId;

/// Counts games from the moment in which they start to be stored.
#[derive(Debug, Default)]
pub(super) struct GamesInProgress(Mutex<GameCounts>);

#[derive(Debug, Default)]
struct GameCounts {
    total: usize,
    by_person: HashMap<PersonId, usize>,
}

impl GamesInProgress {
    fn counts(&self) -> MutexGuard<'_, GameCounts> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Counts a new game of two people, unless one of them has reached their limit. The check and
    /// the count are one step, so that requests at the same time can't exceed a limit.
    pub(super) fn add(&self, players: [(PersonId, usize); 2]) -> Result<(), PersonId> {
        let mut counts = self.counts();
        for (person, limit) in players {
            if counts.by_person.get(&person).copied().unwrap_or(0) >= limit {
                return Err(person);
            }
        }
        counts.total += 1;
        for (person, _) in players {
            *counts.by_person.entry(person).or_default() += 1;
        }
        Ok(())
    }

    /// Counts the end of a game.
    pub(super) fn remove(&self, players: [PersonId; 2]) {
        let mut counts = self.counts();
        counts.total = counts.total.saturating_sub(1);
        for person in players {
            if let Some(count) = counts.by_person.get_mut(&person) {
                *count -= 1;
                if *count == 0 {
                    counts.by_person.remove(&person);
                }
            }
        }
    }

    /// Returns the number of all games.
    pub(super) fn total(&self) -> usize {
        self.counts().total
    }

    /// Returns the number of a person's games.
    pub(super) fn of(&self, person: PersonId) -> usize {
        self.counts().by_person.get(&person).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use khet_protocol::PersonId;

    use super::GamesInProgress;

    #[test]
    fn nobody_exceeds_the_limit() {
        let games = GamesInProgress::default();
        let [anna, ben, clara] = [1, 2, 3].map(PersonId::from_number);
        assert_eq!(games.add([(anna, 2), (ben, 2)]), Ok(()));
        assert_eq!(games.add([(clara, 1), (anna, 2)]), Ok(()));
        assert_eq!(games.add([(ben, 2), (anna, 2)]), Err(anna));
        assert_eq!((games.total(), games.of(anna), games.of(ben)), (2, 2, 1));
        games.remove([anna, ben]);
        assert_eq!(games.add([(ben, 2), (anna, 2)]), Ok(()));
        assert_eq!(games.add([(clara, 1), (ben, 2)]), Err(clara));
    }
}
