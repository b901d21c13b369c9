//! Replays every game of a database, without changing the file.

use std::path::Path;

use khet::{AnyPlacement, Color, Outcome, Termination};
use khet_protocol::{Event, EventKind, GameState, PersonId, Start};
use sqlx::ConnectOptions;
use sqlx::types::Text;

use super::columns::{Json, row};
use super::imported::ImportedRow;
use super::location::PostgresUrl;
use super::postgres::PostgresServer;
use super::recent_moves::EVENTS_OF_GAME;
use super::sql::{DatabaseConnection, DatabaseKind, PerDatabase, query};
use super::{DatabaseLocation, StorageError, backup, identity};

/// Number of games that are read at once.
const CHUNK_SIZE: u32 = 500;
/// Largest number of faults that SQLite reports about the file.
const MAX_FILE_FAULTS: usize = 100;

/// A fault of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyFault {
    /// The id of the game; `None` if the fault is of the file.
    pub game: Option<String>,
    /// What is wrong.
    pub fault: String,
}

/// Number of things that were checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VerifySummary {
    /// Games of the server.
    pub games: u64,
    /// Imported games.
    pub imported: u64,
    /// Events of the server's games.
    pub events: u64,
    /// Faults that were found.
    pub faults: u64,
}

/// Receives the faults that the verification of a database finds, and its progress.
pub trait VerifyObserver {
    /// The number of games that will be replayed.
    fn total(&mut self, games: u64);
    /// A game was replayed.
    fn replayed(&mut self);
    /// A fault was found.
    fn fault(&mut self, fault: VerifyFault);
}

row! {
    /// A game, as its columns say.
    struct GameColumns {
        silver: Text<PersonId>,
        red: Text<PersonId>,
        start: Text<Start>,
        ended: Option<u64>,
        winner: Option<Text<Color>>,
        reason: Option<Text<Termination>>,
        turns: Option<u32>,
        position: Option<Text<AnyPlacement>>,
    }
}

row! {
    struct EventColumns {
        number: u32,
        at: u64,
        body: Json<EventKind>,
    }
}

/// Checks the file, replays each game and compares it with its columns. `replay_imported` checks an
/// imported game.
pub(crate) async fn verify(
    database: &DatabaseLocation,
    replay_imported: fn(ImportedRow) -> Result<(), StorageError>,
    observer: &mut dyn VerifyObserver,
) -> Result<VerifySummary, StorageError> {
    let connection = match database {
        DatabaseLocation::File(file) => open_file(file).await?,
        DatabaseLocation::Postgres(url) => open_server(url).await?,
    };
    let (mut connection, verified) = verify_open(connection, replay_imported, observer).await;
    let complete = identity::check_complete(&mut connection).await;
    connection.close().await;
    complete.and(verified)
}

/// Checks an open database.
pub(super) async fn verify_open(
    connection: DatabaseConnection,
    replay_imported: fn(ImportedRow) -> Result<(), StorageError>,
    observer: &mut dyn VerifyObserver,
) -> (DatabaseConnection, Result<VerifySummary, StorageError>) {
    let mut verifier =
        Verifier { connection, replay_imported, observer, summary: VerifySummary::default() };
    let verified = verifier.run().await;
    let Verifier { connection, summary, .. } = verifier;
    (connection, verified.map(|()| summary))
}

/// Opens a file without changing it.
async fn open_file(file: &Path) -> Result<DatabaseConnection, StorageError> {
    identity::check_header(file)?;
    // Without a WAL file nobody uses the database, and SQLite needs to create none.
    let unused = !backup::with_suffix(file, "-wal").exists();
    let options = backup::unchanged(file).read_only(true).immutable(unused);
    Ok(options.connect().await?.into())
}

/// Opens a PostgreSQL database as it is now, whatever servers write at the same time.
async fn open_server(url: &PostgresUrl) -> Result<DatabaseConnection, StorageError> {
    let mut connection = PostgresServer::new(url, None).connect().await?;
    connection.remove_timeout();
    connection.execute_script("SET idle_in_transaction_session_timeout = 0").await?;
    connection.execute_script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    Ok(connection)
}

struct Verifier<'a> {
    connection: DatabaseConnection,
    replay_imported: fn(ImportedRow) -> Result<(), StorageError>,
    observer: &'a mut dyn VerifyObserver,
    summary: VerifySummary,
}

impl Verifier<'_> {
    async fn run(&mut self) -> Result<(), StorageError> {
        self.check_file().await?;
        identity::check_ours(&mut self.connection).await?;
        self.add_missing_table().await?;
        let sql = "SELECT (SELECT COUNT(*) FROM games) + (SELECT COUNT(*) FROM imported)";
        let total: i64 = query(sql).fetch_one(&mut self.connection).await?;
        self.observer.total(total.unsigned_abs());
        self.replay_games().await?;
        self.replay_all_imported().await?;
        let sql = PerDatabase {
            sqlite: "SELECT game FROM events WHERE game NOT IN (SELECT id FROM games) \
                     UNION SELECT game FROM recent_moves WHERE game NOT IN (SELECT id FROM games)",
            postgres: "SELECT DISTINCT game FROM events WHERE NOT EXISTS \
                       (SELECT 1 FROM games WHERE games.id = events.game) ORDER BY game",
        };
        let orphans: Vec<String> = query(sql).fetch_all(&mut self.connection).await?;
        for game in orphans {
            self.report(Some(game), "the game has events but no row".to_owned());
        }
        Ok(())
    }

    /// Creates an empty table of recent moves in memory, if the database is of a version that had
    /// none.
    async fn add_missing_table(&mut self) -> Result<(), StorageError> {
        if self.connection.kind() == DatabaseKind::Postgres {
            return Ok(());
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'recent_moves')";
        if !query(sql).fetch_one(&mut self.connection).await? {
            let sql =
                "CREATE TEMP TABLE recent_moves (game TEXT, number INTEGER, at BIGINT, body TEXT)";
            query(sql).execute(&mut self.connection).await?;
        }
        Ok(())
    }

    fn report(&mut self, game: Option<String>, fault: String) {
        self.summary.faults += 1;
        self.observer.fault(VerifyFault { game, fault });
    }

    /// Lets SQLite check the pages and indexes of the file. PostgreSQL checks its pages itself.
    async fn check_file(&mut self) -> Result<(), StorageError> {
        if self.connection.kind() == DatabaseKind::Postgres {
            return Ok(());
        }
        let faults: Vec<String> =
            query("PRAGMA integrity_check").fetch_all(&mut self.connection).await?;
        for fault in faults.into_iter().filter(|fault| fault != "ok").take(MAX_FILE_FAULTS) {
            self.report(None, fault);
        }
        Ok(())
    }

    async fn replay_games(&mut self) -> Result<(), StorageError> {
        let mut last = String::new();
        loop {
            let ids =
                self.next_ids("SELECT id FROM games WHERE id > $1 ORDER BY id LIMIT $2", &last);
            let ids = ids.await?;
            let Some(end) = ids.last() else { return Ok(()) };
            last.clone_from(end);
            for id in ids {
                self.summary.games += 1;
                if let Err(fault) = self.replay(&id).await {
                    self.report(Some(id), fault.to_string());
                }
                self.observer.replayed();
            }
        }
    }

    async fn replay_all_imported(&mut self) -> Result<(), StorageError> {
        let mut last = String::new();
        loop {
            let sql = "SELECT id FROM imported WHERE id > $1 ORDER BY id LIMIT $2";
            let ids = self.next_ids(sql, &last).await?;
            let Some(end) = ids.last() else { return Ok(()) };
            last.clone_from(end);
            for id in ids {
                self.summary.imported += 1;
                let sql =
                    "SELECT id, start, rules, winner, tags, turns FROM imported WHERE id = $1";
                let row = query(sql).bind(&id).fetch_one(&mut self.connection).await;
                let replayed = row.and_then(self.replay_imported);
                if let Err(fault) = replayed {
                    self.report(Some(id), fault.to_string());
                }
                self.observer.replayed();
            }
        }
    }

    /// Returns the next ids of a table after one of them.
    async fn next_ids(
        &mut self,
        sql: &'static str,
        last: &str,
    ) -> Result<Vec<String>, StorageError> {
        let ids = query(sql).bind(last).bind(CHUNK_SIZE);
        ids.fetch_all(&mut self.connection).await
    }

    /// Replays a game.
    async fn replay(&mut self, id: &str) -> Result<(), StorageError> {
        let columns: GameColumns = query(
            "SELECT silver, red, start, ended, winner, reason, turns, position FROM games \
             WHERE id = $1",
        )
        .bind(id)
        .fetch_one(&mut self.connection)
        .await?;
        let rows: Vec<EventColumns> =
            query(EVENTS_OF_GAME).bind(id).fetch_all(&mut self.connection).await?;
        self.summary.events += rows.len() as u64;
        let event = |row: EventColumns| Event { number: row.number, at: row.at, kind: row.body.0 };
        let events: Vec<Event> = rows.into_iter().map(event).collect();
        let state =
            GameState::fold(&events).map_err(|error| StorageError::Corrupt(error.to_string()))?;
        compare(&columns, &state).map_err(|fault| StorageError::Corrupt(fault.to_owned()))
    }
}

/// Compares the columns of a game with its events.
fn compare(columns: &GameColumns, state: &GameState) -> Result<(), &'static str> {
    let (start, game) = (state.start(), state.game());
    if (columns.silver.0, columns.red.0) != (start.silver, start.red) {
        return Err("its players are not those of its events");
    }
    if columns.start.0 != start.options.start {
        return Err("its start is not that of its events");
    }
    let outcome = columns.reason.as_ref().map(|reason| Outcome {
        winner: columns.winner.as_ref().map(|winner| winner.0),
        termination: reason.0,
    });
    if outcome != state.outcome() || columns.ended.is_some() != outcome.is_some() {
        return Err("its result is not that of its events");
    }
    if outcome.is_some() && columns.turns != Some(game.ply() as u32) {
        return Err("its number of moves is not that of its events");
    }
    let position = game.position().placement();
    if columns.position.as_ref().is_some_and(|column| column.0 != position) {
        return Err("its position is not that of its events");
    }
    Ok(())
}
