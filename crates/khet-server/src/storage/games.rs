//! Games and their events.

use std::collections::HashSet;
use std::sync::LazyLock;

use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use khet::{AnyPlacement, Outcome};
use khet_protocol::{Event, EventKind, GameId, GameStart, PersonId};
use sqlx::types::Text;

use super::bulk_insert::BulkInsert;
use super::columns::{Json, ToValue, row};
use super::ratings::{self, RateGame};
use super::recent_moves::EVENTS_OF_GAME;
use super::sql::{DatabaseConnection, DatabaseRow, FromRow, PerDatabase, query};
use super::{StorageError, Store, explorer, gallery, to_i64};

/// The end of a game, with the values of the columns that it fills.
#[derive(Clone, Debug)]
pub(crate) struct GameEnd {
    pub(crate) started: GameStart,
    pub(crate) outcome: Outcome,
    pub(crate) at: u64,
    pub(crate) moves: u32,
    pub(crate) position: AnyPlacement,
    /// Computes the new ratings. `None` if the game does not change them.
    pub(crate) rate: Option<RateGame>,
}

/// A game with all its events.
#[derive(Clone, Debug)]
pub(crate) struct StoredGame {
    pub(crate) id: GameId,
    pub(crate) events: Vec<Event>,
}

row! {
    struct EventRow {
        game: Text<GameId>,
        number: u32,
        at: u64,
        body: Json<EventKind>,
    }
}

impl From<EventRow> for Event {
    fn from(row: EventRow) -> Event {
        Event { number: row.number, at: row.at, kind: row.body.0 }
    }
}

/// An event with its game.
pub(super) type GameEvent<'a> = (GameId, &'a Event);

static INSERT_EVENTS: LazyLock<BulkInsert> =
    LazyLock::new(|| BulkInsert::new("INSERT INTO events (game, number, at, body)", 4, "", 7));
static COPY_EVENTS: LazyLock<BulkInsert> = LazyLock::new(|| {
    // For SQLite, which alone copies events.
    BulkInsert::new("INSERT OR IGNORE INTO events (game, number, at, body)", 4, "", 7)
});

/// Inserts the events of many games with few statements.
pub(super) async fn insert_events(
    connection: &mut DatabaseConnection,
    events: Vec<GameEvent<'_>>,
) -> Result<(), StorageError> {
    insert_rows(connection, &INSERT_EVENTS, events).await.map(drop)
}

/// Inserts those events that are not in the table yet.
pub(super) async fn copy_events(
    connection: &mut DatabaseConnection,
    events: Vec<GameEvent<'_>>,
) -> Result<(), StorageError> {
    insert_rows(connection, &COPY_EVENTS, events).await.map(drop)
}

/// Inserts events with few statements. Returns the id of the last row, if there are any.
pub(super) async fn insert_rows(
    connection: &mut DatabaseConnection,
    insert: &'static BulkInsert,
    events: Vec<GameEvent<'_>>,
) -> Result<Option<i64>, StorageError> {
    let rows = events.into_iter().map(|(game, event)| {
        Ok([
            Text(game).to_value()?,
            event.number.to_value()?,
            to_i64(event.at).to_value()?,
            Json(&event.kind).to_value()?,
        ])
    });
    insert.insert(connection, rows).await
}

/// Records the end of a game: its result, the counts of its setup, and both ratings. Returns the
/// events that this adds.
pub(super) async fn end_game(
    connection: &mut DatabaseConnection,
    game: GameId,
    end: &GameEnd,
    events: &[Event],
) -> Result<Vec<Event>, StorageError> {
    query(
        "UPDATE games SET ended = $1, winner = $2, reason = $3, turns = $4, position = $5 \
         WHERE id = $6",
    )
    .bind(to_i64(end.at))
    .bind(end.outcome.winner.map(Text))
    .bind(Text(end.outcome.termination))
    .bind(end.moves)
    .bind(Text(end.position))
    .bind(Text(game))
    .execute(&mut *connection)
    .await?;
    if end.outcome.is_aborted() {
        return Ok(Vec::new());
    }
    gallery::count_game(connection, end).await?;
    if !end.started.options.private {
        explorer::add_finished(connection, game).await?;
    }
    let Some(rated) = ratings::rate_game(connection, game, end).await? else {
        return Ok(Vec::new());
    };
    let number = events.last().map_or(0, |event| event.number) + 1;
    let kind = EventKind::Rated { silver: rated.silver, red: rated.red };
    Ok(vec![Event { number, at: end.at, kind }])
}

/// Selects the events of all games in progress.
const UNFINISHED_GAMES: PerDatabase = PerDatabase {
    sqlite: "SELECT events.game, events.number, events.at, events.body \
             FROM games INDEXED BY unfinished_games JOIN events ON events.game = games.id \
             WHERE games.ended IS NULL ORDER BY games.id, events.number",
    postgres: "SELECT events.game, events.number, events.at, events.body \
               FROM games JOIN events ON events.game = games.id \
               WHERE games.ended IS NULL ORDER BY games.id, events.number",
};

/// Number of games that a query reads.
const GAMES_PER_QUERY: usize = 500;
const GAMES_BY_ID: &str = "SELECT game, number, at, body FROM events \
     WHERE game = ANY(string_to_array($1, ',')) ORDER BY game, number";

impl Store {
    /// Inserts a new game with its first event.
    pub(crate) async fn start_game(&self, id: GameId, first: Event) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move { insert_game(connection, id, &first).await })
        })
        .await
    }

    /// Returns a game with all its events, for its task.
    pub(crate) async fn game(&self, id: GameId) -> Result<Option<StoredGame>, StorageError> {
        load_game(&mut self.reader().await?, id).await
    }

    /// Returns a game with all its events, for a page or a file with many games.
    pub(crate) async fn archived_game(
        &self,
        id: GameId,
    ) -> Result<Option<StoredGame>, StorageError> {
        load_game(&mut self.page_reader().await?, id).await
    }

    /// Returns all games in progress. Called before the first of their moves is written, while all
    /// moves are in `events`. Games with an unreadable event are logged and skipped, so that they do
    /// not keep the server from starting; their rows stay as they are.
    pub(crate) async fn unfinished_games(&self) -> Result<Vec<StoredGame>, StorageError> {
        let mut connection = self.reader().await?;
        let rows = query(UNFINISHED_GAMES).stream(&mut connection)?;
        read_games(rows).await
    }

    /// Returns the ids of all games in progress.
    pub(crate) async fn unfinished_game_ids(&self) -> Result<Vec<GameId>, StorageError> {
        let ids: Vec<Text<GameId>> = query("SELECT id FROM games WHERE ended IS NULL")
            .fetch_all(&mut self.reader().await?)
            .await?;
        Ok(ids.into_iter().map(|Text(id)| id).collect())
    }

    /// Returns the ids of a person's games in progress.
    pub(crate) async fn unfinished_games_of(
        &self,
        person: PersonId,
    ) -> Result<Vec<GameId>, StorageError> {
        let ids: Vec<Text<GameId>> =
            query("SELECT id FROM games WHERE ended IS NULL AND (silver = $1 OR red = $1)")
                .bind(Text(person))
                .fetch_all(&mut self.reader().await?)
                .await?;
        Ok(ids.into_iter().map(|Text(id)| id).collect())
    }

    /// Returns games of a PostgreSQL database with all their events. Those that can't be read are
    /// logged and left out.
    pub(crate) async fn games(&self, ids: &[GameId]) -> Result<Vec<StoredGame>, StorageError> {
        let mut connection = self.reader().await?;
        let mut games = Vec::with_capacity(ids.len());
        for chunk in ids.chunks(GAMES_PER_QUERY) {
            let ids: Vec<&str> = chunk.iter().map(GameId::as_str).collect();
            let rows = query(GAMES_BY_ID).bind(ids.join(",")).stream(&mut connection)?;
            games.extend(read_games(rows).await?);
        }
        Ok(games)
    }

    /// Returns the time of the last heartbeat.
    pub(crate) async fn last_heartbeat(&self) -> Result<Option<u64>, StorageError> {
        query("SELECT alive FROM server WHERE id = 1")
            .fetch_optional(&mut self.reader().await?)
            .await
    }

    /// Stores that the server is running.
    pub(crate) async fn set_heartbeat(&self, now: u64) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                query(
                    "INSERT INTO server (id, alive) VALUES (1, $1) \
                     ON CONFLICT (id) DO UPDATE SET alive = excluded.alive",
                )
                .bind(to_i64(now))
                .execute(connection)
                .await?;
                Ok(())
            })
        })
        .await
    }
}

/// Reads games from rows that are sorted by game. Those that can't be read are logged and left out.
async fn read_games(
    mut rows: BoxStream<'_, Result<DatabaseRow, StorageError>>,
) -> Result<Vec<StoredGame>, StorageError> {
    let mut games: Vec<StoredGame> = Vec::new();
    let mut unreadable = HashSet::new();
    while let Some(row) = rows.try_next().await? {
        let event = match EventRow::from_row(&row) {
            Ok(event) => event,
            Err(error) => {
                let game: String = row.get("game").unwrap_or_default();
                tracing::error!(game, %error, "a game can't be read and is left out");
                unreadable.insert(game);
                continue;
            }
        };
        let Text(id) = event.game;
        match games.last_mut() {
            Some(game) if game.id == id => game.events.push(event.into()),
            _ => games.push(StoredGame { id, events: vec![event.into()] }),
        }
    }
    games.retain(|game| !unreadable.contains(game.id.as_str()));
    metrics::counter!("khet_games_unreadable_total").increment(unreadable.len() as u64);
    Ok(games)
}

/// Reads the events of a game.
async fn load_game(
    connection: &mut DatabaseConnection,
    id: GameId,
) -> Result<Option<StoredGame>, StorageError> {
    let rows: Vec<EventRow> = query(EVENTS_OF_GAME).bind(Text(id)).fetch_all(connection).await?;
    if rows.is_empty() {
        return Ok(None);
    }
    Ok(Some(StoredGame { id, events: rows.into_iter().map(Event::from).collect() }))
}

/// Inserts a game and its first event.
pub(super) async fn insert_game(
    connection: &mut DatabaseConnection,
    id: GameId,
    first: &Event,
) -> Result<(), StorageError> {
    let EventKind::Started(started) = &first.kind else {
        return Err(StorageError::Corrupt(format!("game {id}: the first event is no start")));
    };
    let options = &started.options;
    query(
        "INSERT INTO games (id, silver, red, start, rules, time, rated, private, started) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(Text(id))
    .bind(Text(started.silver))
    .bind(Text(started.red))
    .bind(Text(options.start.clone()))
    .bind(Text(options.rules))
    .bind(Text(options.time))
    .bind(options.rated)
    .bind(options.private)
    .bind(to_i64(first.at))
    .execute(&mut *connection)
    .await?;
    query("INSERT INTO events (game, number, at, body) VALUES ($1, $2, $3, $4)")
        .bind(Text(id))
        .bind(first.number)
        .bind(to_i64(first.at))
        .bind(Json(&first.kind))
        .execute(connection)
        .await?;
    Ok(())
}
