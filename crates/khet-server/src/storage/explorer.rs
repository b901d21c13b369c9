//! The explorer's counts, and how far they have got.

use std::sync::LazyLock;

use khet::{Color, Move};
use khet_protocol::{ByColor, ExplorerGame, PublicProfile, ResultCounts, date};
use sqlx::{QueryBuilder, Row as _, Sqlite, SqliteConnection};

use super::bulk::Insert;
use super::{StorageError, Store, parse, signed, unsigned};
use crate::explorer::{Class, Row, Visits};

/// What was played from a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continuation {
    pub(crate) mv: Move,
    pub(crate) tally: ResultCounts,
    /// The number of the last game.
    pub(crate) game: u64,
}

/// A finished game by its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finished {
    pub(crate) number: u64,
    pub(crate) game: Source,
}

/// Where a game is kept, with its id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Played(String),
    Imported(String),
}

/// Adds counts to those that are there.
static COUNT: LazyLock<Insert> = LazyLock::new(|| {
    Insert::new(
        "INSERT INTO explorer (position, turn, class, silver, draws, red, game)",
        7,
        " ON CONFLICT (position, turn, class) DO UPDATE SET silver = explorer.silver + excluded.silver, \
         draws = explorer.draws + excluded.draws, red = explorer.red + excluded.red, game = excluded.game",
        10,
    )
});

/// Rows that are made ready at once.
const CHUNK: usize = 1024;

/// Puts a finished game behind all others.
pub(super) async fn add_finished(
    connection: &mut SqliteConnection,
    game: &str,
) -> Result<(), StorageError> {
    sqlx::query(
        "INSERT INTO finished (number, game, imported) \
         SELECT COALESCE(MAX(number), 0) + 1, CAST($1 AS TEXT), 0 FROM finished",
    )
    .bind(game)
    .execute(connection)
    .await?;
    Ok(())
}

impl Store {
    /// What was played from a position, in games of some classes or of all.
    pub(crate) async fn continuations(
        &self,
        position: i64,
        classes: Option<&[Class]>,
    ) -> Result<Vec<Continuation>, StorageError> {
        let rows = question(position, classes).build().fetch_all(self.readers()).await?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            let bits = u16::try_from(row.try_get::<i64, _>("turn")?).unwrap_or(0);
            let Some(mv) = Move::from_bits(bits) else { continue };
            let count = |name: &str| Ok::<_, sqlx::Error>(unsigned(row.try_get(name)?));
            let tally = ResultCounts::new(count("silver")?, count("draws")?, count("red")?);
            found.push(Continuation { mv, tally, game: unsigned(row.try_get("game")?) });
        }
        Ok(found)
    }

    /// The number of the last game that is counted.
    pub(crate) async fn counted(&self) -> Result<u64, StorageError> {
        let row = sqlx::query("SELECT counted FROM explorer_progress WHERE id = 1")
            .fetch_one(self.readers())
            .await?;
        Ok(unsigned(row.try_get("counted")?))
    }

    /// Finished games behind a number, in their order.
    pub(crate) async fn finished_after(
        &self,
        number: u64,
        limit: u32,
    ) -> Result<Vec<Finished>, StorageError> {
        let rows = sqlx::query(FINISHED_AFTER)
            .bind(signed(number))
            .bind(i64::from(limit))
            .fetch_all(self.readers())
            .await?;
        rows.iter().map(finished).collect()
    }

    /// The finished game of a number.
    pub(crate) async fn finished(&self, number: u64) -> Result<Option<Finished>, StorageError> {
        let row = sqlx::query("SELECT number, game, imported FROM finished WHERE number = $1")
            .bind(signed(number))
            .fetch_optional(self.readers())
            .await?;
        row.as_ref().map(finished).transpose()
    }

    /// A game in which a move was played, by its number.
    pub(crate) async fn sample(
        &self,
        number: u64,
        mv: Move,
    ) -> Result<Option<ExplorerGame>, StorageError> {
        match self.finished(number).await?.map(|finished| finished.game) {
            None => Ok(None),
            Some(Source::Imported(id)) => {
                let Some(game) = self.imported(parse(&id)?).await? else { return Ok(None) };
                let text = |name: &str| game.tag(name).map(str::to_owned);
                Ok(Some(ExplorerGame {
                    mv,
                    game: None,
                    imported: Some(game.id),
                    silver: text("Silver"),
                    red: text("Red"),
                    silver_rating: game.rating(Color::Silver),
                    red_rating: game.rating(Color::Red),
                    winner: game.winner,
                    date: text("Date"),
                }))
            }
            Some(Source::Played(id)) => {
                let Some(game) = self.summary(parse(&id)?).await? else { return Ok(None) };
                let name = |face: &PublicProfile| face.name.as_ref().map(ToString::to_string);
                let rating = |face: &PublicProfile| face.rating.map(|rating| rating.value);
                let ByColor { silver, red } = &game.players;
                Ok(Some(ExplorerGame {
                    mv,
                    game: Some(game.id),
                    imported: None,
                    silver: name(silver),
                    red: name(red),
                    silver_rating: rating(silver),
                    red_rating: rating(red),
                    winner: game.outcome.and_then(|outcome| outcome.winner),
                    date: game.ended.map(date),
                }))
            }
        }
    }

    /// Adds the games behind one number up to another. The counts and how far they have got change together or not at all; `false`
    /// if someone else was there first, and nothing has changed.
    pub(crate) async fn count(
        &self,
        from: u64,
        to: u64,
        mut visits: Visits,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let progress =
                    "UPDATE explorer_progress SET counted = $1 WHERE id = 1 AND counted = $2";
                let moved = sqlx::query(progress)
                    .bind(signed(to))
                    .bind(signed(from))
                    .execute(&mut *connection)
                    .await?;
                if moved.rows_affected() == 0 {
                    return Ok(false);
                }
                let mut rows = visits.rows();
                loop {
                    let mut chunk: Vec<Row> = rows.by_ref().take(CHUNK).collect();
                    if chunk.is_empty() {
                        return Ok(true);
                    }
                    while !chunk.is_empty() {
                        let (count, sql) = COUNT.most_of(chunk.len());
                        let mut query = sqlx::query(sql);
                        for row in chunk.drain(..count) {
                            query = query
                                .bind(row.position)
                                .bind(i64::from(row.mv))
                                .bind(row.class.number())
                                .bind(i64::from(row.silver))
                                .bind(i64::from(row.draws))
                                .bind(i64::from(row.red))
                                .bind(i64::from(row.game));
                        }
                        query.execute(&mut *connection).await?;
                    }
                }
            })
        })
        .await
    }

    /// Forgets all counts, so that they can be made anew.
    pub(crate) async fn forget_counts(&self) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query("DELETE FROM explorer").execute(&mut *connection).await?;
                sqlx::query("UPDATE explorer_progress SET counted = 0 WHERE id = 1")
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

fn finished(row: &sqlx::sqlite::SqliteRow) -> Result<Finished, StorageError> {
    let id: String = row.try_get("game")?;
    let imported = row.try_get::<i64, _>("imported")? != 0;
    Ok(Finished {
        number: unsigned(row.try_get("number")?),
        game: if imported { Source::Imported(id) } else { Source::Played(id) },
    })
}

/// The question for what was played from a position.
fn question(position: i64, classes: Option<&[Class]>) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::<Sqlite>::new(
        "SELECT turn, CAST(SUM(silver) AS BIGINT) AS silver, CAST(SUM(draws) AS BIGINT) AS draws, \
         CAST(SUM(red) AS BIGINT) AS red, MAX(game) AS game FROM explorer WHERE position = ",
    );
    query.push_bind(position);
    if let Some(classes) = classes {
        query.push(" AND class IN (");
        let mut list = query.separated(", ");
        for class in classes {
            list.push_bind(class.number());
        }
        query.push(")");
    }
    query.push(" GROUP BY turn");
    query
}

#[cfg(test)]
mod tests {
    use khet::{Color, Setup};
    use khet_protocol::{RatingBand, SpeedClass};

    use super::{Class, FINISHED_AFTER, Visits, question};
    use crate::explorer::{Played, key};
    use crate::storage::{Store, plan};

    #[tokio::test]
    async fn every_question_is_answered_from_an_index() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("khet.sqlite")).await.unwrap();
        let classes: Vec<Class> =
            RatingBand::ALL.into_iter().map(|band| Class::new(band, SpeedClass::NoClock)).collect();
        for (sql, table) in [
            (question(1, None).into_string(), "explorer"),
            (question(1, Some(&classes)).into_string(), "explorer"),
            (FINISHED_AFTER.to_owned(), "finished"),
        ] {
            let plan = plan(&store, &sql).await;
            assert_eq!(plan.len(), 1, "one range, and nothing sorted: {plan:#?}");
            assert!(plan[0].starts_with(&format!("SEARCH {table} USING")), "{plan:#?}");
        }
        store.close().await;
    }

    #[tokio::test]
    async fn counts_and_progress_change_together_or_not_at_all() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("khet.sqlite")).await.unwrap();
        let start = Setup::Classic.position();
        let visits = || {
            let class = Class::new(RatingBand::Unrated, SpeedClass::NoClock);
            let moves = vec!["h2+".parse().unwrap()];
            let mut visits = Visits::default();
            visits.add(1, &Played { start, moves, class, winner: Some(Color::Silver) });
            visits
        };
        let games = async || {
            let found = store.continuations(key(&start), None).await.unwrap();
            found.iter().map(|found| found.tally.games).sum::<u64>()
        };
        assert!(store.count(0, 1, visits()).await.unwrap());
        // Whoever comes again with the same games, as after a crash, changes nothing.
        assert!(!store.count(0, 1, visits()).await.unwrap());
        assert_eq!((games().await, store.counted().await.unwrap()), (1, 1));
        // What fails in the middle has not begun.
        let broken = store.write(|connection| {
            Box::pin(async move {
                let sql = "CREATE TRIGGER full BEFORE UPDATE ON explorer BEGIN SELECT RAISE(ABORT, 'full'); END";
                sqlx::query(sql).execute(connection).await?;
                Ok(())
            })
        });
        broken.await.unwrap();
        assert!(store.count(1, 2, visits()).await.is_err());
        assert_eq!((games().await, store.counted().await.unwrap()), (1, 1));
        store.forget_counts().await.unwrap();
        assert_eq!((games().await, store.counted().await.unwrap()), (0, 0));
        assert!(store.count(0, 1, visits()).await.unwrap());
        assert_eq!(games().await, 1);
        store.close().await;
    }
}
