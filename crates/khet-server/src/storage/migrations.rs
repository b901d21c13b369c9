//! The schema, as migrations that are part of the program. A released migration is never edited.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Names and SQL of the migrations; the first has version 1.
const MIGRATIONS: [(&str, &str); 6] = [
    ("games", include_str!("migrations/0001_games.sql")),
    ("people", include_str!("migrations/0002_people.sql")),
    ("explorer", include_str!("migrations/0003_explorer.sql")),
    ("gallery", include_str!("migrations/0004_gallery.sql")),
    ("private games", include_str!("migrations/0005_private_games.sql")),
    ("searches", include_str!("migrations/0008_searches.sql")),
];

/// Returns all migrations, in order.
pub(super) fn migrator() -> Migrator {
    first(MIGRATIONS.len())
}

/// Returns the first `count` migrations.
pub(super) fn first(count: usize) -> Migrator {
    let migrations = MIGRATIONS.iter().zip(1..).map(|(&(name, sql), version)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.take(count).collect())
}
