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
    first(STEPS.len())
}

/// The first so many steps.
fn first(count: usize) -> Migrator {
    let steps = STEPS.iter().zip(1..).map(|(&(name, sql), version)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(steps.take(count).collect())
}

#[cfg(test)]
mod tests {
    use khet::Setup;
    use sqlx::{ConnectOptions, Connection};

    use super::first;
    use crate::explorer::{count_some, key};
    use crate::storage::{Store, options};

    #[tokio::test]
    async fn games_from_before_the_explorer_are_counted() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("khet.sqlite");
        let mut old = options(&file).create_if_missing(true).connect().await.unwrap();
        first(2).run(&mut old).await.unwrap();
        for (id, ended, reason) in [
            ("aaaaaaaa", Some(20), Some("resignation")),
            ("bbbbbbbb", Some(10), Some("resignation")),
            ("cccccccc", Some(30), Some("aborted")),
            ("dddddddd", None, None),
        ] {
            sqlx::query(
                "INSERT INTO games (id, silver, red, start, rules, time, rated, started, ended, reason) \
                 VALUES ($1, 'aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'classic', 'standard', 'none', 0, 1, $2, $3)",
            )
            .bind(id)
            .bind(ended)
            .bind(reason)
            .execute(&mut old)
            .await
            .unwrap();
            for (number, body) in [
                r#"{"started": {"silver": "aaaaaaaaaaaa", "red": "bbbbbbbbbbbb", "start": "classic", "time": "none"}}"#,
                r#"{"turn": {"turn": "h2+", "key": 7}}"#,
                r#"{"ended": {"winner": "silver", "reason": "resignation"}}"#,
            ]
            .into_iter()
            .enumerate()
            {
                sqlx::query("INSERT INTO events (game, number, at, body) VALUES ($1, $2, 1, $3)")
                    .bind(id)
                    .bind(number as i64 + 1)
                    .bind(body)
                    .execute(&mut old)
                    .await
                    .unwrap();
            }
        }
        old.close().await.unwrap();
        let store = Store::open(&file).await.unwrap();
        assert_eq!(count_some(&store, 1).await.unwrap(), 2);
        let found = store.continuations(key(&Setup::Classic.position()), None).await.unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].tally.games, found[0].tally.silver, found[0].game), (2, 2, 2));
        assert_eq!(count_some(&store, 1).await.unwrap(), 0);
        store.close().await;
    }
}
