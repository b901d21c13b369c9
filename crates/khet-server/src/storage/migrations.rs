//! The schema, as migrations that are part of the program. A released migration is never edited.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Versions, names and SQL of the migrations.
const MIGRATIONS: [(i64, &str, &str); 9] = [
    (1, "games", include_str!("migrations/0001_games.sql")),
    (2, "people", include_str!("migrations/0002_people.sql")),
    (3, "explorer", include_str!("migrations/0003_explorer.sql")),
    (4, "gallery", include_str!("migrations/0004_gallery.sql")),
    (5, "private games", include_str!("migrations/0005_private_games.sql")),
    (6, "declined challenges", include_str!("migrations/0006_declined_challenges.sql")),
    (7, "moderation", include_str!("migrations/0007_moderation.sql")),
    (8, "searches", include_str!("migrations/0008_searches.sql")),
    (9, "recent moves", include_str!("migrations/0009_recent_moves.sql")),
];

/// Returns all migrations, in order.
pub(super) fn migrator() -> Migrator {
    first(MIGRATIONS.len())
}

/// Returns the first `count` migrations.
pub(super) fn first(count: usize) -> Migrator {
    let migrations = MIGRATIONS.iter().map(|&(version, name, sql)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.take(count).collect())
}
