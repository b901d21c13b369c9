//! Adds finished games to the explorer's counts, in the order in which they finished.

use khet_protocol::{Event, GameState, RatingBand, Speed};

use super::visits::MAX_PLIES;
use super::{GameClass, PlayedGame, Visits};
use crate::archive::rating;
use crate::import::ImportedGame;
use crate::storage::{FinishedGame, StorageError, Store};

/// Largest number of games read at once.
const PAGE_SIZE: usize = 16;

/// Counts finished games that are not counted yet, until they have `max_visits` visits. Returns the
/// number of games.
pub(crate) async fn count_finished_games(
    store: &Store,
    max_visits: usize,
) -> Result<usize, StorageError> {
    let from = store.explorer_progress().await?;
    let (mut to, mut games) = (from, 0);
    let mut visits = Visits::default();
    while visits.len() < max_visits {
        let missing_games = (max_visits - visits.len()).div_ceil(MAX_PLIES);
        let page = store.finished_after(to, missing_games.min(PAGE_SIZE) as u32).await?;
        let Some(&(last, _)) = page.last() else { break };
        to = last;
        games += page.len();
        for (number, game) in page {
            if let Some(played) = read_game(store, game).await? {
                visits.add(number, &played);
            }
        }
    }
    if games > 0 {
        store.add_explorer_counts(from, to, visits.into_counts()).await?;
    }
    Ok(games)
}

/// Reads a game. A corrupt game is logged and skipped, so that it does not block the others.
async fn read_game(store: &Store, game: FinishedGame) -> Result<Option<PlayedGame>, StorageError> {
    let played = match game {
        FinishedGame::Played(id) => store
            .archived_game(id)
            .await
            .map(|game| game.and_then(|game| from_events(&game.events))),
        FinishedGame::Imported(id) => match store.imported(id).await {
            Ok(Some(row)) => ImportedGame::try_from(row).map(|game| Some(game.played())),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        },
    };
    match played {
        Ok(None) => {
            tracing::error!(?game, "a finished game can't be counted");
            Ok(None)
        }
        Err(StorageError::Corrupt(error)) => {
            tracing::error!(?game, error, "a finished game can't be counted");
            Ok(None)
        }
        other => other,
    }
}

/// Returns the data of a finished game, if its events are valid.
fn from_events(events: &[Event]) -> Option<PlayedGame> {
    let state = GameState::fold(events).ok()?;
    let [silver, red] = khet::Color::ALL.map(|color| rating(events, color));
    Some(PlayedGame {
        start: state.game().start(),
        moves: state.game().moves().collect(),
        class: GameClass::new(RatingBand::of(silver, red), Speed::of(state.options().time).into()),
        winner: state.outcome()?.winner,
    })
}

#[cfg(test)]
mod tests {
    use super::super::position_key;
    use super::count_finished_games;
    use crate::storage::testing::{self, TestDatabase};
    use khet::Setup;
    use sqlx::Connection;

    /// Databases of this age are files.
    #[tokio::test]
    async fn games_older_than_the_explorer_are_counted() {
        let database = TestDatabase::new_file();
        let mut old = testing::create_old(database.location.file().unwrap(), 2).await;
        for (id, ended, reason) in [
            ("aaaaaaaa", Some(20), Some("resignation")),
            ("bbbbbbbb", Some(10), Some("resignation")),
            ("cccccccc", Some(30), Some("aborted")),
            ("dddddddd", None, None),
        ] {
            sqlx::query(
                "INSERT INTO games (id, silver, red, start, rules, time, rated, started, ended, \
                 reason) VALUES ($1, 'aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'classic', 'standard', \
                 'none', 0, 1, $2, $3)",
            )
            .bind(id)
            .bind(ended)
            .bind(reason)
            .execute(&mut old)
            .await
            .unwrap();
            for (number, body) in [
                r#"{"started": {"silver": "aaaaaaaaaaaa", "red": "bbbbbbbbbbbb",
                    "start": "classic", "time": "none"}}"#,
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
        let server = "INSERT INTO server (id, alive) VALUES (1, 1)";
        sqlx::query(server).execute(&mut old).await.unwrap();
        old.close().await.unwrap();
        let store = database.open().await;
        assert_eq!(count_finished_games(&store, 100).await.unwrap(), 2);
        let continuations = store
            .continuations(position_key(&Setup::Classic.position().into()), None)
            .await
            .unwrap();
        assert_eq!(continuations.len(), 1);
        let continuation = continuations[0];
        assert_eq!((continuation.results.games, continuation.results.silver), (2, 2));
        assert_eq!(continuation.last_game, 2);
        assert_eq!(count_finished_games(&store, 100).await.unwrap(), 0);
        store.close().await;
    }
}
