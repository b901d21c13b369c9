//! The explorer's counts, and the queue of finished games to count.

use std::sync::LazyLock;

use khet_protocol::{GameId, ImportedId, ResultCounts};
use sqlx::types::Text;

use super::bulk_insert::BulkInsert;
use super::columns::ToValue;
use super::sql::{
    DatabaseConnection, DatabaseKind, DatabaseRow, FromRow, PerDatabase, QueryBuilder, query,
};
use super::{StorageError, Store, to_i64};

/// A move that was played from a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continuation {
    /// The move's bits.
    pub(crate) mv: u16,
    pub(crate) results: ResultCounts,
    /// The number of the last game with this move.
    pub(crate) last_game: u64,
}

/// A finished game, played here or imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FinishedGame {
    Played(GameId),
    Imported(ImportedId),
}

/// Results of the games that played one move from one position, to be added to the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ExplorerCount {
    /// Hash of the position.
    pub(crate) position: i64,
    /// The move's bits.
    pub(crate) mv: u16,
    /// The class of ratings and speed.
    pub(crate) class: u8,
    pub(crate) silver: u32,
    pub(crate) draws: u32,
    pub(crate) red: u32,
    /// The number of the last game.
    pub(crate) last_game: u32,
}

/// Adds counts to the present ones.
static ADD_COUNTS: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        "INSERT INTO explorer (position, turn, class, silver, draws, red, game)",
        7,
        " ON CONFLICT (position, turn, class) DO UPDATE SET \
         silver = explorer.silver + excluded.silver, draws = explorer.draws + excluded.draws, \
         red = explorer.red + excluded.red, game = excluded.game",
        10,
    )
});

/// Largest number of rows per statement.
const CHUNK_SIZE: usize = 1024;

/// A row of `finished`.
struct FinishedRow {
    number: u64,
    game: FinishedGame,
}

impl FromRow for FinishedRow {
    fn from_row(row: &DatabaseRow) -> Result<FinishedRow, StorageError> {
        let game = if row.get("imported")? {
            FinishedGame::Imported(row.get::<Text<_>>("game")?.0)
        } else {
            FinishedGame::Played(row.get::<Text<_>>("game")?.0)
        };
        Ok(FinishedRow { number: row.get("number")?, game })
    }
}

/// Appends a game to the queue of finished games.
pub(super) async fn add_finished(
    connection: &mut DatabaseConnection,
    game: GameId,
) -> Result<(), StorageError> {
    query(
        "INSERT INTO finished (number, game, imported) \
         SELECT COALESCE(MAX(number), 0) + 1, CAST($1 AS TEXT), 0 FROM finished",
    )
    .bind(Text(game))
    .execute(connection)
    .await?;
    Ok(())
}

impl Store {
    /// Returns the moves played from a position, in games of some classes or of all.
    pub(crate) async fn continuations(
        &self,
        position: i64,
        classes: Option<&[u8]>,
    ) -> Result<Vec<Continuation>, StorageError> {
        let mut connection = self.page_reader().await?;
        let rows: Vec<(u16, u64, u64, u64, u64)> =
            continuations_query(connection.kind(), position, classes)
                .build()
                .fetch_all(&mut connection)
                .await?;
        let continuation = |(mv, silver, draws, red, last_game)| Continuation {
            mv,
            results: ResultCounts::new(silver, draws, red),
            last_game,
        };
        Ok(rows.into_iter().map(continuation).collect())
    }

    /// Returns the number of the last counted game.
    pub(crate) async fn explorer_progress(&self) -> Result<u64, StorageError> {
        query("SELECT counted FROM explorer_progress WHERE id = 1")
            .fetch_one(&mut self.reader().await?)
            .await
    }

    /// Returns finished games after a number, with their numbers, in order.
    pub(crate) async fn finished_after(
        &self,
        number: u64,
        limit: u32,
    ) -> Result<Vec<(u64, FinishedGame)>, StorageError> {
        let mut connection = self.page_reader().await?;
        let rows: Vec<FinishedRow> = query(FINISHED_AFTER)
            .bind(to_i64(number))
            .bind(limit)
            .fetch_all(&mut connection)
            .await?;
        Ok(rows.into_iter().map(|row| (row.number, row.game)).collect())
    }

    /// Returns the finished game of a number.
    pub(crate) async fn finished(&self, number: u64) -> Result<Option<FinishedGame>, StorageError> {
        let mut connection = self.page_reader().await?;
        let row: Option<FinishedRow> =
            query("SELECT number, game, imported FROM finished WHERE number = $1")
                .bind(to_i64(number))
                .fetch_optional(&mut connection)
                .await?;
        Ok(row.map(|row| row.game))
    }

    /// Adds the counts of the games after number `from` up to number `to`. The counts and the
    /// progress change in one transaction. `false` if the progress is no longer `from`; then
    /// nothing changes.
    pub(crate) async fn add_explorer_counts<C>(
        &self,
        from: u64,
        to: u64,
        mut counts: C,
    ) -> Result<bool, StorageError>
    where
        C: Iterator<Item = ExplorerCount> + Send + 'static,
    {
        self.write(move |connection| {
            Box::pin(async move {
                let progress =
                    "UPDATE explorer_progress SET counted = $1 WHERE id = 1 AND counted = $2";
                let updated = query(progress)
                    .bind(to_i64(to))
                    .bind(to_i64(from))
                    .execute(&mut *connection)
                    .await?;
                if updated == 0 {
                    return Ok(false);
                }
                loop {
                    let chunk: Vec<ExplorerCount> = counts.by_ref().take(CHUNK_SIZE).collect();
                    if chunk.is_empty() {
                        return Ok(true);
                    }
                    let rows = chunk.into_iter().map(|row| {
                        Ok([
                            row.position.to_value()?,
                            row.mv.to_value()?,
                            row.class.to_value()?,
                            row.silver.to_value()?,
                            row.draws.to_value()?,
                            row.red.to_value()?,
                            row.last_game.to_value()?,
                        ])
                    });
                    ADD_COUNTS.insert(connection, rows).await?;
                }
            })
        })
        .await
    }

    /// Deletes all counts, so that every finished game is counted again.
    pub(crate) async fn reset_explorer(&self) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                query(PerDatabase {
                    sqlite: "DELETE FROM explorer",
                    postgres: "TRUNCATE explorer",
                })
                .execute(connection)
                .await?;
                query("UPDATE explorer_progress SET counted = 0 WHERE id = 1")
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .await
    }
}

const FINISHED_AFTER: &str =
    "SELECT number, game, imported FROM finished WHERE number > $1 ORDER BY number LIMIT $2";

/// Builds the query for the moves played from a position.
fn continuations_query(kind: DatabaseKind, position: i64, classes: Option<&[u8]>) -> QueryBuilder {
    let mut query = QueryBuilder::new(
        kind,
        "SELECT turn, CAST(SUM(silver) AS BIGINT) AS silver, CAST(SUM(draws) AS BIGINT) AS draws, \
         CAST(SUM(red) AS BIGINT) AS red, MAX(game) AS game FROM explorer WHERE position = ",
    );
    query.push_bind(position);
    if let Some(classes) = classes {
        query.push(" AND class IN (").push_list(classes.iter().copied()).push(")");
    }
    query.push(" GROUP BY turn");
    query
}

#[cfg(test)]
mod tests {
    use khet::Move;

    use super::{DatabaseKind, ExplorerCount, FINISHED_AFTER, continuations_query, query};
    use crate::storage::testing::{TestDatabase, query_plan};

    #[tokio::test]
    async fn queries_use_an_index() {
        let (_database, store) = TestDatabase::open_new_file().await;
        for (sql, table) in [
            (continuations_query(DatabaseKind::Sqlite, 1, None).build(), "explorer"),
            (continuations_query(DatabaseKind::Sqlite, 1, Some(&[0, 1, 2])).build(), "explorer"),
            (query(FINISHED_AFTER), "finished"),
        ] {
            let plan = query_plan(&store, sql).await;
            assert_eq!(plan.len(), 1, "one range and no sorting: {plan:#?}");
            assert!(plan[0].starts_with(&format!("SEARCH {table} USING")), "{plan:#?}");
        }
        store.close().await;
    }

    #[tokio::test]
    async fn counts_and_progress_change_together_or_not_at_all() {
        let (_database, store) = TestDatabase::open_new().await;
        let mv: Move = "h2+".parse().unwrap();
        let counts = || {
            let (silver, draws, red) = (1, 0, 0);
            [ExplorerCount {
                position: 7,
                mv: mv.to_bits(),
                class: 0,
                silver,
                draws,
                red,
                last_game: 1,
            }]
            .into_iter()
        };
        let games = async || {
            let continuations = store.continuations(7, None).await.unwrap();
            continuations.iter().map(|continuation| continuation.results.games).sum::<u64>()
        };
        assert!(store.add_explorer_counts(0, 1, counts()).await.unwrap());
        // Counting the games again, as after a crash, changes nothing.
        assert!(!store.add_explorer_counts(0, 1, counts()).await.unwrap());
        assert_eq!((games().await, store.explorer_progress().await.unwrap()), (1, 1));
        // A failure in the middle rolls everything back.
        let broken = store.write(|connection| {
            Box::pin(async move {
                connection
                    .execute_script(match connection.kind() {
                        DatabaseKind::Sqlite => {
                            "CREATE TRIGGER full_disk BEFORE UPDATE ON explorer \
                             BEGIN SELECT RAISE(ABORT, 'full'); END"
                        }
                        DatabaseKind::Postgres => {
                            "CREATE FUNCTION refuse() RETURNS TRIGGER AS \
                             $$ BEGIN RAISE 'full'; END $$ LANGUAGE plpgsql; \
                             CREATE TRIGGER full_disk BEFORE UPDATE ON explorer \
                             FOR EACH ROW EXECUTE FUNCTION refuse()"
                        }
                    })
                    .await
            })
        });
        broken.await.unwrap();
        assert!(store.add_explorer_counts(1, 2, counts()).await.is_err());
        assert_eq!((games().await, store.explorer_progress().await.unwrap()), (1, 1));
        store.reset_explorer().await.unwrap();
        assert_eq!((games().await, store.explorer_progress().await.unwrap()), (0, 0));
        assert!(store.add_explorer_counts(0, 1, counts()).await.unwrap());
        assert_eq!(games().await, 1);
        store.close().await;
    }
}
