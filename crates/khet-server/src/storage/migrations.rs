//! The schema, in steps that are part of the program. A step that was released is never changed.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

const STEPS: [(&str, &str); 4] = [
    ("games", include_str!("migrations/0001_games.sql")),
    ("people", include_str!("migrations/0002_people.sql")),
    ("explorer", include_str!("migrations/0003_explorer.sql")),
    ("gallery", include_str!("migrations/0004_gallery.sql")),
];

/// All steps, in order.
pub(super) fn migrator() -> Migrator {
    let steps = STEPS.iter().zip(1..).map(|(&(name, sql), version)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(steps.collect())
}
