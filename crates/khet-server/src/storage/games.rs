//! Games and their events.

use std::sync::LazyLock;

use futures_util::TryStreamExt;
use khet::{Outcome, Placement};
use khet_protocol::{Event, EventKind, GameId, GameStart};
use sqlx::{Row, SqliteConnection};

use super::bulk::Insert;
use super::writer::Append;
use super::{StorageError, Store, explorer, from_json, gallery, parse, signed, to_json, unsigned};
use crate::ratings;

/// What a game's end adds to its row.
#[derive(Clone, Debug)]
pub(crate) struct Finish {
    pub(crate) started: GameStart,
    pub(crate) outcome: Outcome,
    pub(crate) at: u64,
    pub(crate) moves: u32,
    pub(crate) position: Placement,
}

/// A game as it is kept: its id and all its events.
#[derive(Clone, Debug)]
pub(crate) struct StoredGame {
    pub(crate) id: GameId,
    pub(crate) events: Vec<Event>,
}

static INSERT: LazyLock<Insert> =
    LazyLock::new(|| Insert::new("INSERT INTO events (game, number, at, body)", 4, "", 7));

/// Inserts the events of many games with as few statements as there can be.
pub(super) async fn insert_events(
    connection: &mut SqliteConnection,
    appends: &[Append],
) -> Result<(), StorageError> {
    let mut events: Vec<(GameId, &Event)> =
        appends.iter().flat_map(|append| append.all().map(|event| (append.game, event))).collect();
    while !events.is_empty() {
        let (count, sql) = INSERT.most_of(events.len());
        let mut query = sqlx::query(sql);
        for (game, event) in events.drain(..count) {
            query = query
                .bind(game.to_string())
                .bind(i64::from(event.number))
                .bind(signed(event.at))
                .bind(to_json(&event.kind)?);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Marks a game as ended, counts it for its setup, and changes ratings by it. Returns the events that this adds.
pub(super) async fn finish(
    connection: &mut SqliteConnection,
    game: GameId,
    finish: &Finish,
    events: &[Event],
) -> Result<Vec<Event>, StorageError> {
    sqlx::query(
        "UPDATE games SET ended = $1, winner = $2, reason = $3, turns = $4, position = $5 WHERE id = $6",
    )
    .bind(signed(finish.at))
    .bind(finish.outcome.winner.map(|winner| winner.to_string()))
    .bind(finish.outcome.termination.name())
    .bind(i64::from(finish.moves))
    .bind(finish.position.to_string())
    .bind(game.to_string())
    .execute(&mut *connection)
    .await?;
    if finish.outcome.is_aborted() {
        return Ok(Vec::new());
    }
    gallery::count_game(connection, finish).await?;
    explorer::add_finished(connection, game.as_str()).await?;
    if !finish.started.options.rated {
        return Ok(Vec::new());
    }
    let change = ratings::settle(connection, game, finish).await?;
    let last = events.last().map_or(0, |event| event.number);
    Ok(change
        .into_iter()
        .map(|(silver, red)| Event {
            number: last + 1,
            at: finish.at,
            kind: EventKind::Rated { silver, red },
        })
        .collect())
}

impl Store {
    /// Begins a game: its row and its first event.
    pub(crate) async fn start_game(&self, id: GameId, first: Event) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move { insert_game(connection, id, &first).await })
        })
        .await
    }

    /// Adds events to a game, and with its last ones marks it as ended. Returns all that were added, among them
    /// the change of ratings.
    pub(crate) async fn append(
        &self,
        game: GameId,
        events: Vec<Event>,
        finish: Option<Box<Finish>>,
    ) -> Result<Vec<Event>, StorageError> {
        self.writer.append(game, events, finish).await
    }

    /// A game with all its events, if there is such a game.
    pub(crate) async fn game(&self, id: GameId) -> Result<Option<StoredGame>, StorageError> {
        let rows =
            sqlx::query("SELECT number, at, body FROM events WHERE game = $1 ORDER BY number")
                .bind(id.to_string())
                .fetch_all(self.readers())
                .await?;
        if rows.is_empty() {
            return Ok(None);
        }
        let events = rows
            .iter()
            .map(|row| event(row.try_get("number")?, row.try_get("at")?, row.try_get("body")?));
        Ok(Some(StoredGame { id, events: events.collect::<Result<_, StorageError>>()? }))
    }

    /// All games that are not over.
    pub(crate) async fn unfinished_games(&self) -> Result<Vec<StoredGame>, StorageError> {
        let mut rows = sqlx::query(
            "SELECT games.id, events.number, events.at, events.body FROM games \
             JOIN events ON events.game = games.id WHERE games.ended IS NULL \
             ORDER BY games.id, events.number",
        )
        .fetch(self.readers());
        let mut games: Vec<StoredGame> = Vec::new();
        while let Some(row) = rows.try_next().await? {
            let id: GameId = parse(row.try_get("id")?)?;
            let event = event(row.try_get("number")?, row.try_get("at")?, row.try_get("body")?)?;
            match games.last_mut() {
                Some(game) if game.id == id => game.events.push(event),
                _ => games.push(StoredGame { id, events: vec![event] }),
            }
        }
        Ok(games)
    }

    /// When the server was last seen alive.
    pub(crate) async fn last_alive(&self) -> Result<Option<u64>, StorageError> {
        let row = sqlx::query("SELECT alive FROM server WHERE id = 1")
            .fetch_optional(self.readers())
            .await?;
        row.map(|row| Ok(unsigned(row.try_get("alive")?))).transpose()
    }

    /// Notes that the server is alive.
    pub(crate) async fn alive(&self, now: u64) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query(
                    "INSERT INTO server (id, alive) VALUES (1, $1) \
                     ON CONFLICT (id) DO UPDATE SET alive = excluded.alive",
                )
                .bind(signed(now))
                .execute(connection)
                .await?;
                Ok(())
            })
        })
        .await
    }
}

/// Inserts a game's row and its first event.
pub(super) async fn insert_game(
    connection: &mut SqliteConnection,
    id: GameId,
    first: &Event,
) -> Result<(), StorageError> {
    let EventKind::Started(started) = &first.kind else {
        return Err(StorageError::Corrupt("a game that does not begin".to_owned()));
    };
    let options = &started.options;
    sqlx::query(
        "INSERT INTO games (id, silver, red, start, rules, time, rated, started) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(id.to_string())
    .bind(started.silver.to_string())
    .bind(started.red.to_string())
    .bind(options.start.to_string())
    .bind(options.rules.to_string())
    .bind(options.time.to_string())
    .bind(i64::from(options.rated))
    .bind(signed(first.at))
    .execute(&mut *connection)
    .await?;
    sqlx::query("INSERT INTO events (game, number, at, body) VALUES ($1, $2, $3, $4)")
        .bind(id.to_string())
        .bind(i64::from(first.number))
        .bind(signed(first.at))
        .bind(to_json(&first.kind)?)
        .execute(connection)
        .await?;
    Ok(())
}

fn event(number: i64, at: i64, body: &str) -> Result<Event, StorageError> {
    let number =
        u32::try_from(number).map_err(|_| StorageError::Corrupt(format!("event {number}")))?;
    Ok(Event { number, at: unsigned(at), kind: from_json(body)? })
}
