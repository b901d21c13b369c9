//! Recent moves: a table to which the moves of games in progress are appended.
//!
//! `events` is indexed by game. The moves of a moment belong to as many games, so each of them would
//! change another page of that index, and a commit would write nearly a page per move. In a table
//! without an index they share a few pages. Later the moves of one game are copied to `events`
//! together, and change one page of the index.
//!
//! - Only moves are appended here. The other events go to `events` at once.
//! - A game that is over has all its events in `events`, so only games in progress are looked for
//!   in both tables, with [`EVENTS_OF_GAME`].
//! - Moves stay here until all of their generation are copied, so a move may be in both tables.
//! - When the server starts, all moves are copied.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use khet_protocol::{Event, EventKind, GameId};

use super::StorageError;
use super::bulk_insert::BulkInsert;
use super::games::{self, GameEvent};
use super::sql::{DatabaseConnection, PerDatabase, query};
use super::writer::Append;

/// Number of moves that are copied as one generation. The more there are, the more moves of one
/// game share a page.
const GENERATION_SIZE: usize = if cfg!(test) { 100 } else { 32_768 };
/// Number of moves that every transaction may copy or delete, even if it inserts none.
const MIN_STEP: usize = if cfg!(test) { 5 } else { 64 };

/// Reads all events of a game. `CROSS JOIN` keeps the order of the tables, so the recent moves are
/// scanned only if the game is in progress. `UNION` drops moves that are in both tables.
///
/// PostgreSQL has all moves in `events`.
pub(super) const EVENTS_OF_GAME: PerDatabase = PerDatabase {
    sqlite: "SELECT game, number, at, body FROM events WHERE game = $1 \
             UNION SELECT game, number, at, body FROM games CROSS JOIN recent_moves \
             WHERE games.id = $1 AND games.ended IS NULL AND recent_moves.game = games.id \
             ORDER BY number",
    postgres: "SELECT game, number, at, body FROM events WHERE game = $1 ORDER BY number",
};

static INSERT: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new("INSERT INTO recent_moves (game, number, at, body)", 4, "", 7)
});

/// The content of the table, as the writer knows it. It changes only after a commit.
#[derive(Debug, Default)]
pub(super) struct RecentMoves {
    /// The generation to which moves are added, and its number of moves.
    growing: HashMap<GameId, Vec<Event>>,
    growing_count: usize,
    /// The generation that is being copied to `events`, and the id of its last row.
    copying: HashMap<GameId, Vec<Event>>,
    last_copied: i64,
    /// The ids of the last rows that were inserted and deleted.
    last_inserted: i64,
    last_deleted: i64,
    /// A transaction has failed, so the table may hold rows that are not known here.
    is_stale: bool,
}

/// The changes of a transaction, which [`RecentMoves`] applies after the commit.
#[derive(Debug)]
pub(super) struct RecentMoveChanges {
    inserted: Vec<(GameId, Event)>,
    /// Games whose moves of the older generation were copied.
    copied: HashSet<GameId>,
    /// Games of which all moves were copied, because they are over.
    ended: Vec<GameId>,
    last_inserted: i64,
    last_deleted: i64,
    /// All moves that had been in the table were copied and deleted.
    cleared: bool,
}

/// Copies all moves to `events`, and empties the table.
pub(super) async fn clear(connection: &mut DatabaseConnection) -> Result<(), StorageError> {
    for statement in [
        "INSERT OR IGNORE INTO events (game, number, at, body) \
         SELECT game, number, at, body FROM recent_moves ORDER BY game, number",
        "DELETE FROM recent_moves",
    ] {
        query(statement).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Returns whether the events of an append are moves of a game that goes on.
fn is_recent(append: &Append) -> bool {
    !append.ends_game()
        && append.all_events().all(|event| matches!(event.kind, EventKind::Move { .. }))
}

impl RecentMoves {
    /// Records that a transaction has failed. It may nevertheless be on disk, so the next one copies
    /// whatever is in the table.
    pub(super) fn set_stale(&mut self) {
        *self = RecentMoves { is_stale: true, ..RecentMoves::default() };
    }

    /// Inserts the events of many games, and copies and deletes some older moves.
    pub(super) async fn write(
        &self,
        connection: &mut DatabaseConnection,
        appends: &[Append],
    ) -> Result<RecentMoveChanges, StorageError> {
        if self.is_stale {
            clear(connection).await?;
        }
        let mut moves: Vec<GameEvent<'_>> = Vec::new();
        // Moves may have been copied before, other events are new.
        let mut copies: Vec<GameEvent<'_>> = Vec::new();
        let mut others: Vec<GameEvent<'_>> = Vec::new();
        let mut ended = Vec::new();
        for append in appends {
            if append.ends_game() {
                copies.extend(self.moves_of(append.game));
                ended.push(append.game);
            }
            let list = if is_recent(append) { &mut moves } else { &mut others };
            list.extend(append.all_events().map(|event| (append.game, event)));
        }
        // More than are inserted, so that a generation is gone before the next one is full.
        let step = 2 * moves.len() + MIN_STEP;
        let mut copied = HashSet::new();
        for (&game, older) in &self.copying {
            if copies.len() >= step {
                break;
            }
            if !ended.contains(&game) {
                copies.extend(older.iter().map(|event| (game, event)));
                copied.insert(game);
            }
        }
        games::copy_events(connection, copies).await?;
        games::insert_events(connection, others).await?;
        let inserted = moves.iter().map(|&(game, event)| (game, event.clone())).collect();
        let last_inserted = games::insert_rows(connection, &INSERT, moves).await?;
        Ok(RecentMoveChanges {
            inserted,
            copied,
            ended,
            last_inserted: last_inserted.unwrap_or(self.last_inserted),
            last_deleted: self.delete_copied(connection, 2 * step).await?,
            cleared: self.is_stale,
        })
    }

    /// Deletes some rows of a generation that was copied. Returns the id of the last one.
    async fn delete_copied(
        &self,
        connection: &mut DatabaseConnection,
        step: usize,
    ) -> Result<i64, StorageError> {
        if !self.copying.is_empty() || self.last_deleted >= self.last_copied {
            return Ok(self.last_deleted);
        }
        let last = self.last_copied.min(self.last_deleted.saturating_add_unsigned(step as u64));
        query("DELETE FROM recent_moves WHERE id <= $1").bind(last).execute(connection).await?;
        Ok(last)
    }

    /// Returns the moves of a game that are not known to be in `events`, in order.
    fn moves_of(&self, game: GameId) -> impl Iterator<Item = GameEvent<'_>> {
        let generations = [&self.copying, &self.growing].into_iter();
        let moves = generations.filter_map(move |moves| moves.get(&game)).flatten();
        moves.map(move |event| (game, event))
    }

    /// Applies the changes of a transaction that was committed.
    pub(super) fn apply(&mut self, changes: RecentMoveChanges) {
        if changes.cleared {
            *self = RecentMoves::default();
        }
        self.last_inserted = changes.last_inserted;
        self.last_deleted = changes.last_deleted;
        if self.last_deleted >= self.last_inserted {
            // SQLite counts from 1 again when the table is empty.
            (self.last_inserted, self.last_deleted, self.last_copied) = (0, 0, 0);
        }
        self.growing_count += changes.inserted.len();
        for (game, event) in changes.inserted {
            self.growing.entry(game).or_default().push(event);
        }
        self.copying.retain(|game, _| !changes.copied.contains(game));
        for game in changes.ended {
            self.growing.remove(&game);
            self.copying.remove(&game);
        }
        let is_older_gone = self.copying.is_empty() && self.last_deleted >= self.last_copied;
        if is_older_gone && self.growing_count >= GENERATION_SIZE {
            self.copying = std::mem::take(&mut self.growing);
            self.growing_count = 0;
            self.last_copied = self.last_inserted;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use khet::{Outcome, Setup, Termination};
    use khet_protocol::{Event, EventKind, GameId, GameStart};

    use super::super::sql::{DatabaseKind, query};
    use super::super::testing::TestDatabase;
    use super::super::{GameEnd, Store};

    fn started() -> GameStart {
        let json = r#"{"silver": "aaaaaaaaaaaa", "red": "bbbbbbbbbbbb", "start": "classic",
                       "time": "none"}"#;
        serde_json::from_str(json).unwrap()
    }

    fn mv(number: u32) -> Event {
        let kind = EventKind::Move { mv: "h2+".parse().unwrap(), key: number, left: None };
        Event { number, at: u64::from(number), kind }
    }

    /// The end of a game, without a change of ratings.
    fn end(number: u32) -> (Event, Box<GameEnd>) {
        let outcome = Outcome { winner: None, termination: Termination::Agreement };
        let at = u64::from(number);
        let position = Setup::Classic.placement().into();
        let (started, rate) = (started(), None);
        let end = GameEnd { started, outcome, at, moves: number - 1, position, rate };
        (Event { number, at, kind: EventKind::Ended(outcome) }, Box::new(end))
    }

    async fn count(store: &Store, sql: &'static str) -> i64 {
        query(sql).fetch_one(&mut store.reader().await.unwrap()).await.unwrap()
    }

    /// Returns the number of rows of `recent_moves`, a table that PostgreSQL does not have.
    async fn count_recent(store: &Store) -> i64 {
        match store.reader().await.unwrap().kind() {
            DatabaseKind::Sqlite => count(store, "SELECT COUNT(*) FROM recent_moves").await,
            DatabaseKind::Postgres => 0,
        }
    }

    /// Plays games at random, with failures and restarts, and compares the stored events with those
    /// that were acknowledged.
    #[tokio::test]
    async fn every_event_is_found_at_any_time() {
        let database = TestDatabase::new();
        let mut rng = fastrand::Rng::with_seed(16);
        let mut store = database.open().await;
        store.set_heartbeat(1).await.unwrap();
        let mut running: Vec<(GameId, Vec<Event>)> = Vec::new();
        let mut all: HashMap<GameId, Vec<Event>> = HashMap::new();
        let mut most_recent_moves = 0;
        for step in 0..3000 {
            if running.len() < 10 {
                let id = GameId::from_number(rng.u128(..));
                let kind = EventKind::Started(Box::new(started()));
                let first = Event { number: 1, at: 1, kind };
                store.start_game(id, first.clone()).await.unwrap();
                running.push((id, vec![first]));
            }
            let index = rng.usize(..running.len());
            let (id, events) = &mut running[index];
            let next = events.len() as u32 + 1;
            match rng.u32(..1000) {
                0..15 => {
                    let (event, end) = end(next);
                    events.extend(store.append(*id, vec![event], Some(end), None).await.unwrap());
                    let (id, events) = running.swap_remove(index);
                    assert_eq!(store.game(id).await.unwrap().unwrap().events, events);
                    all.insert(id, events);
                }
                // Not a move.
                15..60 => {
                    let kind = EventKind::Credited { time: 1 };
                    let credited = Event { number: next, at: u64::from(next), kind };
                    events.extend(store.append(*id, vec![credited], None, None).await.unwrap());
                }
                // Event 1 exists, so the transaction fails.
                60..63 => {
                    let kind = EventKind::Credited { time: 1 };
                    let again = Event { number: 1, at: 1, kind };
                    assert!(store.append(*id, vec![again], None, None).await.is_err());
                }
                63..65 => {
                    store.close().await;
                    store = database.open().await;
                    assert_eq!(count_recent(&store).await, 0);
                    let unfinished = store.unfinished_games().await.unwrap();
                    assert_eq!(unfinished.len(), running.len());
                    for game in unfinished {
                        let known = running.iter().find(|(id, _)| *id == game.id);
                        assert_eq!(Some(&game.events), known.map(|(_, events)| events));
                    }
                }
                _ => events.extend(store.append(*id, vec![mv(next)], None, None).await.unwrap()),
            }
            if step % 10 == 0 {
                let recent = count_recent(&store).await;
                most_recent_moves = most_recent_moves.max(recent);
                for (id, events) in &running {
                    assert_eq!(store.game(*id).await.unwrap().unwrap().events, *events);
                }
            }
        }
        if store.reader().await.unwrap().kind() == DatabaseKind::Sqlite {
            assert!((100..250).contains(&most_recent_moves), "{most_recent_moves}");
        }
        all.extend(running);
        let total: usize = all.values().map(Vec::len).sum();
        store.close().await;
        let store = database.open().await;
        for (id, events) in &all {
            assert_eq!(store.game(*id).await.unwrap().unwrap().events, *events);
        }
        assert_eq!(count(&store, "SELECT COUNT(*) FROM events").await, total as i64);
        store.close().await;
    }
}
