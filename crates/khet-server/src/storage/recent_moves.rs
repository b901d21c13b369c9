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
use sqlx::SqliteConnection;

use super::StorageError;
use super::bulk_insert::BulkInsert;
use super::games::{self, GameEvent};
use super::writer::Append;

/// Number of moves that are copied as one generation. The more there are, the more moves of one
/// game share a page.
const GENERATION_SIZE: usize = 65_536;
/// Number of moves that every transaction may copy or delete, even if it inserts none.
const MIN_STEP: usize = 64;

/// Reads all events of a game. SQLite evaluates `EXISTS` first, so it scans the recent moves only
/// if the game is in progress. `UNION` drops moves that are in both tables.
pub(super) const EVENTS_OF_GAME: &str = "SELECT game, number, at, body FROM events WHERE game = $1 \
     UNION SELECT game, number, at, body FROM recent_moves \
     WHERE game = $1 AND EXISTS (SELECT 1 FROM games WHERE id = $1 AND ended IS NULL) \
     ORDER BY number";

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
pub(super) async fn clear(connection: &mut SqliteConnection) -> Result<(), StorageError> {
    for statement in [
        "INSERT OR IGNORE INTO events (game, number, at, body) \
         SELECT game, number, at, body FROM recent_moves ORDER BY game, number",
        "DELETE FROM recent_moves",
    ] {
        sqlx::query(statement).execute(&mut *connection).await?;
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
        connection: &mut SqliteConnection,
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
        connection: &mut SqliteConnection,
        step: usize,
    ) -> Result<i64, StorageError> {
        if !self.copying.is_empty() || self.last_deleted >= self.last_copied {
            return Ok(self.last_deleted);
        }
        let last = self.last_copied.min(self.last_deleted.saturating_add_unsigned(step as u64));
        sqlx::query("DELETE FROM recent_moves WHERE id <= $1").bind(last).execute(connection).await?;
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
