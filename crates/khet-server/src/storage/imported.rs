//! Games that were played elsewhere.

use std::collections::HashSet;
use std::sync::LazyLock;

use khet::{Color, Move, Position, Rules};
use khet_protocol::{ImportedId, Start};
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection};

use super::bulk::Insert;
use super::{StorageError, Store, parse, signed, unsigned};
use crate::imported::ImportedGame;

static INSERT: LazyLock<Insert> = LazyLock::new(|| {
    Insert::new("INSERT INTO imported (id, start, rules, winner, tags, turns)", 6, "", 8)
});
static FINISHED: LazyLock<Insert> =
    LazyLock::new(|| Insert::new("INSERT INTO finished (number, game, imported)", 3, "", 8));

/// Games that are asked for at once.
const CHUNK: usize = 256;

impl Store {
    /// Keeps those games that are not there yet, and gives them numbers. Whether they were played here is asked too.
    pub(crate) async fn add_imported(
        &self,
        games: Vec<ImportedGame>,
    ) -> Result<Vec<(u64, ImportedGame)>, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let mut known = HashSet::new();
                for some in games.chunks(CHUNK) {
                    let mut ids: Vec<String> =
                        some.iter().map(|game| game.id.to_string()).collect();
                    known.extend(present(connection, "imported", &ids).await?);
                    ids.clear();
                    ids.extend(some.iter().filter_map(|game| Some(game.game_id()?.to_string())));
                    known.extend(present(connection, "games", &ids).await?);
                }
                let mut games = games;
                games.retain(|game| {
                    let own = game.game_id().is_some_and(|id| known.contains(id.as_str()));
                    // The second of two that are alike is known from the first.
                    !own && known.insert(game.id.to_string())
                });
                let row = sqlx::query("SELECT COALESCE(MAX(number), 0) AS last FROM finished")
                    .fetch_one(&mut *connection)
                    .await?;
                let first = unsigned(row.try_get("last")?) + 1;
                let games: Vec<_> = (first..).zip(games).collect();
                insert(connection, &games).await?;
                Ok(games)
            })
        })
        .await
    }

    /// A game that was played elsewhere.
    pub(crate) async fn imported(
        &self,
        id: ImportedId,
    ) -> Result<Option<ImportedGame>, StorageError> {
        let row =
            sqlx::query("SELECT start, rules, winner, tags, turns FROM imported WHERE id = $1")
                .bind(id.to_string())
                .fetch_optional(self.readers())
                .await?;
        let Some(row) = row else { return Ok(None) };
        let start: Start = parse(row.try_get("start")?)?;
        let rules: Rules = parse(row.try_get("rules")?)?;
        let corrupt = |why: String| StorageError::Corrupt(format!("the imported game {id}: {why}"));
        let start =
            Position::new(&start.placement(), rules).map_err(|error| corrupt(error.to_string()))?;
        let winner: Option<&str> = row.try_get("winner")?;
        let winner: Option<Color> = winner.map(parse).transpose()?;
        let moves = unpack(&start, row.try_get("turns")?)
            .ok_or_else(|| corrupt("turns that can't be played".to_owned()))?;
        Ok(Some(ImportedGame { id, start, winner, tags: row.try_get("tags")?, moves }))
    }
}

/// Which of some ids a table has.
async fn present(
    connection: &mut SqliteConnection,
    table: &str,
    ids: &[String],
) -> Result<Vec<String>, StorageError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Sqlite>::new("SELECT id FROM ");
    query.push(table).push(" WHERE id IN (");
    let mut list = query.separated(", ");
    for id in ids {
        list.push_bind(id);
    }
    query.push(")");
    let rows = query.build().fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>()?)
}

async fn insert(
    connection: &mut SqliteConnection,
    mut games: &[(u64, ImportedGame)],
) -> Result<(), StorageError> {
    while !games.is_empty() {
        let (count, sql) = INSERT.most_of(games.len());
        let (some, rest) = games.split_at(count);
        let mut query = sqlx::query(sql);
        for (_, game) in some {
            query = query
                .bind(game.id.to_string())
                .bind(Start::from(game.start.placement()).to_string())
                .bind(game.start.rules().name())
                .bind(game.winner.map(|winner| winner.to_string()))
                .bind(&game.tags)
                .bind(pack(&game.moves));
        }
        query.execute(&mut *connection).await?;
        let (_, sql) = FINISHED.most_of(count);
        let mut query = sqlx::query(sql);
        for (number, game) in some {
            query = query.bind(signed(*number)).bind(game.id.to_string()).bind(1);
        }
        query.execute(&mut *connection).await?;
        games = rest;
    }
    Ok(())
}

fn pack(moves: &[Move]) -> Vec<u8> {
    moves.iter().flat_map(|mv| mv.to_bits().to_be_bytes()).collect()
}

/// The moves, if they are legal one after the other.
fn unpack(start: &Position, bytes: &[u8]) -> Option<Vec<Move>> {
    let mut position = *start;
    let (pairs, []) = bytes.as_chunks::<2>() else { return None };
    let next = |&pair: &[u8; 2]| {
        let mv = position.check(Move::from_bits(u16::from_be_bytes(pair))?).ok()?;
        position.play_unchecked(mv);
        Some(mv)
    };
    pairs.iter().map(next).collect()
}
