//! Imported games.

use std::collections::HashSet;
use std::sync::LazyLock;

use khet::{Color, Rules};
use khet_protocol::{GameId, ImportedId, Start};
use sqlx::types::Text;

use super::bulk_insert::BulkInsert;
use super::columns::{ToValue, row};
use super::sql::{DatabaseConnection, QueryBuilder, query};
use super::{StorageError, Store, to_i64};

static INSERT_GAMES: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new("INSERT INTO imported (id, start, rules, winner, tags, turns)", 6, "", 8)
});
static INSERT_FINISHED: LazyLock<BulkInsert> =
    LazyLock::new(|| BulkInsert::new("INSERT INTO finished (number, game, imported)", 3, "", 8));

/// Largest number of ids per query.
const CHUNK_SIZE: usize = 256;

row! {
    /// An imported game.
    #[derive(Clone, Debug)]
    pub(crate) struct ImportedRow {
        pub(crate) id: Text<ImportedId>,
        pub(crate) start: Text<Start>,
        pub(crate) rules: Text<Rules>,
        pub(crate) winner: Option<Text<Color>>,
        /// The record's tags, one per line: the name, a space, the value.
        pub(crate) tags: String,
        /// Two bytes per move.
        pub(crate) turns: Vec<u8>,
    }
}

impl Store {
    /// Inserts the games that are new and appends them to the queue of finished games. Each game
    /// comes with the id that its record names, because it may be a game of this server.
    ///
    /// Returns the number of each game in the queue; `None` if it is already stored.
    pub(crate) async fn add_imported(
        &self,
        games: Vec<(ImportedRow, Option<GameId>)>,
    ) -> Result<Vec<Option<u64>>, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let mut stored = HashSet::new();
                for chunk in games.chunks(CHUNK_SIZE) {
                    let ids: Vec<String> =
                        chunk.iter().map(|(game, _)| game.id.to_string()).collect();
                    stored.extend(existing_ids(connection, "imported", &ids).await?);
                    let ids: Vec<String> =
                        chunk.iter().filter_map(|(_, id)| Some(id.as_ref()?.to_string())).collect();
                    stored.extend(existing_ids(connection, "games", &ids).await?);
                }
                let last: u64 = query("SELECT COALESCE(MAX(number), 0) FROM finished")
                    .fetch_one(&mut *connection)
                    .await?;
                let mut next = last + 1;
                let mut numbers = Vec::with_capacity(games.len());
                let mut new = Vec::new();
                for (game, played_id) in games {
                    let played_here = played_id.is_some_and(|id| stored.contains(id.as_str()));
                    // Inserting the id makes the second of two equal games a known one.
                    if !played_here && stored.insert(game.id.to_string()) {
                        numbers.push(Some(next));
                        new.push((next, game));
                        next += 1;
                    } else {
                        numbers.push(None);
                    }
                }
                insert(connection, new).await?;
                Ok(numbers)
            })
        })
        .await
    }

    /// Returns an imported game.
    pub(crate) async fn imported(
        &self,
        id: ImportedId,
    ) -> Result<Option<ImportedRow>, StorageError> {
        let mut connection = self.page_reader().await?;
        query("SELECT id, start, rules, winner, tags, turns FROM imported WHERE id = $1")
            .bind(Text(id))
            .fetch_optional(&mut connection)
            .await
    }
}

/// Returns those of the ids that are in a table.
async fn existing_ids(
    connection: &mut DatabaseConnection,
    table: &str,
    ids: &[String],
) -> Result<Vec<String>, StorageError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::new(connection.kind(), "SELECT id FROM ");
    query.push(table).push(" WHERE id IN (").push_list(ids).push(")");
    query.build().fetch_all(connection).await
}

/// Inserts games in large statements.
async fn insert(
    connection: &mut DatabaseConnection,
    games: Vec<(u64, ImportedRow)>,
) -> Result<(), StorageError> {
    let finished: Vec<(u64, ImportedId)> =
        games.iter().map(|(number, game)| (*number, game.id.0)).collect();
    let rows = games.into_iter().map(|(_, game)| {
        Ok([
            game.id.to_value()?,
            game.start.to_value()?,
            game.rules.to_value()?,
            game.winner.to_value()?,
            game.tags.to_value()?,
            game.turns.to_value()?,
        ])
    });
    INSERT_GAMES.insert(connection, rows).await?;
    let rows = finished.into_iter().map(|(number, game)| {
        Ok([to_i64(number).to_value()?, Text(game).to_value()?, true.to_value()?])
    });
    INSERT_FINISHED.insert(connection, rows).await?;
    Ok(())
}
