//! The schema, as migrations that are part of the program. A released migration is never edited.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::StorageError;
use super::sql::{ConnectionMut, DatabaseConnection, DatabaseKind};

/// Version, name and SQL of a migration.
type MigrationStep = (i64, &'static str, &'static str);

const SQLITE: [MigrationStep; 10] = [
    (1, "games", include_str!("migrations/0001_games.sql")),
    (2, "people", include_str!("migrations/0002_people.sql")),
    (3, "explorer", include_str!("migrations/0003_explorer.sql")),
    (4, "gallery", include_str!("migrations/0004_gallery.sql")),
    (5, "private games", include_str!("migrations/0005_private_games.sql")),
    (6, "declined challenges", include_str!("migrations/0006_declined_challenges.sql")),
    (7, "moderation", include_str!("migrations/0007_moderation.sql")),
    (8, "searches", include_str!("migrations/0008_searches.sql")),
    (9, "recent moves", include_str!("migrations/0009_recent_moves.sql")),
    (10, "puzzles", include_str!("migrations/0010_puzzles.sql")),
];

/// PostgreSQL's steps. Nodes of the version before may be running while a step is applied and after
/// it, so it must leave their statements valid: columns are added with a default, and dropped one
/// version after the last one that used them.
const POSTGRES: [MigrationStep; 3] = [
    (1, "schema of version 0.2", include_str!("migrations/postgres/0001_schema.sql")),
    (2, "cluster", include_str!("migrations/postgres/0002_cluster.sql")),
    (3, "puzzles", include_str!("migrations/postgres/0003_puzzles.sql")),
];

/// Returns all migrations, in order.
pub(super) fn migrator(kind: DatabaseKind) -> Migrator {
    match kind {
        DatabaseKind::Sqlite => from_steps(&SQLITE),
        DatabaseKind::Postgres => {
            let mut migrator = from_steps(&POSTGRES);
            // A node of the version before may restart while others are updated.
            migrator.set_ignore_missing(true);
            migrator
        }
    }
}

/// Returns SQLite's first `count` migrations.
#[cfg(test)]
pub(super) fn first(count: usize) -> Migrator {
    from_steps(&SQLITE[..count])
}

fn from_steps(steps: &[MigrationStep]) -> Migrator {
    let migrations = steps.iter().map(|&(version, name, sql)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// Applies new migrations. On PostgreSQL an advisory lock lets one process after the other do so.
pub(super) async fn run(connection: &mut DatabaseConnection) -> Result<(), StorageError> {
    let migrator = migrator(connection.kind());
    match connection.as_mut() {
        ConnectionMut::Sqlite(connection) => migrator.run(connection).await?,
        ConnectionMut::Postgres(connection) => migrator.run(connection).await?,
    }
    Ok(())
}
