//! The number of connected people.

use std::collections::HashMap;
use std::sync::MutexGuard;

use khet_protocol::PersonId;

use super::Lobby;

/// The connected people. A person with several tabs or devices counts once.
#[derive(Debug, Default)]
pub(super) struct PeopleCount {
    /// The number of connections of each person.
    by_person: HashMap<PersonId, u32>,
    /// The number of connections without a session. Nothing tells whose they are, so each counts.
    without_session: u32,
}

impl PeopleCount {
    /// Returns the number of people.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.by_person.len()).unwrap_or(u32::MAX).saturating_add(self.without_session)
    }

    fn add(&mut self, person: Option<PersonId>) {
        match person {
            Some(person) => *self.by_person.entry(person).or_default() += 1,
            None => self.without_session += 1,
        }
    }

    fn remove(&mut self, person: Option<PersonId>) {
        match person {
            Some(person) => {
                if let Some(connections) = self.by_person.get_mut(&person) {
                    *connections -= 1;
                    if *connections == 0 {
                        self.by_person.remove(&person);
                    }
                }
            }
            None => self.without_session -= 1,
        }
    }
}

/// Counts a connection until it is dropped.
pub(crate) struct ConnectionGuard<'l> {
    lobby: &'l Lobby,
    person: Option<PersonId>,
}

impl Drop for ConnectionGuard<'_> {
    fn drop(&mut self) {
        self.lobby.people().remove(self.person);
        self.lobby.counts_changed();
    }
}

impl Lobby {
    pub(super) fn people(&self) -> MutexGuard<'_, PeopleCount> {
        self.people.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Counts a connection until the guard is dropped.
    pub(crate) fn count_connection(&self, person: Option<PersonId>) -> ConnectionGuard<'_> {
        self.people().add(person);
        self.counts_changed();
        ConnectionGuard { lobby: self, person }
    }
}

#[cfg(test)]
mod tests {
    use khet_protocol::PersonId;

    use super::Lobby;

    #[test]
    fn somebody_with_several_connections_counts_once() {
        let lobby = Lobby::default();
        let count = || lobby.people().count();
        let [anna, ben] = [1, 2].map(PersonId::from_number);
        let first = lobby.count_connection(Some(anna));
        let second = lobby.count_connection(Some(anna));
        let other = lobby.count_connection(Some(ben));
        assert_eq!(count(), 2);
        drop(first);
        assert_eq!(count(), 2);
        drop(second);
        assert_eq!(count(), 1);
        let strangers = [lobby.count_connection(None), lobby.count_connection(None)];
        assert_eq!(count(), 3);
        drop((strangers, other));
        assert_eq!(count(), 0);
        assert!(lobby.people().by_person.is_empty());
    }
}
