//! Takes finished games, in the order in which they were written down, into the explorer's counts.

use khet_protocol::{Event, GameState, RatingBand, Speed};

use super::{Class, Played, Visits};
use crate::archive::rating;
use crate::storage::{Source, StorageError, Store};

/// Games that are looked up at once.
const PAGE: u32 = 16;

/// Counts games that are not counted yet, until they have so many visits. Returns how many games it were.
pub(crate) async fn count_some(store: &Store, most: usize) -> Result<usize, StorageError> {
    let from = store.counted().await?;
    let (mut to, mut games) = (from, 0);
    let mut visits = Visits::default();
    while visits.len() < most {
        let page = store.finished_after(to, PAGE).await?;
        let Some(last) = page.last() else { break };
        to = last.number;
        games += page.len();
        for finished in &page {
            if let Some(played) = played(store, &finished.game).await? {
                visits.add(finished.number, &played);
            }
        }
    }
    if games > 0 {
        store.count(from, to, visits).await?;
    }
    Ok(games)
}

/// A game as it was played. What can't be read must not hold up the others.
async fn played(store: &Store, source: &Source) -> Result<Option<Played>, StorageError> {
    let played = match source {
        Source::Played(id) => {
            let id = id.parse().map_err(|_| StorageError::Corrupt(format!("game {id}")))?;
            store.game(id).await.map(|game| game.and_then(|game| of_events(&game.events)))
        }
        Source::Imported(id) => {
            let id = id.parse().map_err(|_| StorageError::Corrupt(format!("game {id}")))?;
            store.imported(id).await.map(|game| game.map(|game| game.played()))
        }
    };
    match played {
        Ok(None) => {
            tracing::error!(?source, "a finished game that can't be counted");
            Ok(None)
        }
        Err(StorageError::Corrupt(why)) => {
            tracing::error!(?source, why, "a finished game that can't be counted");
            Ok(None)
        }
        other => other,
    }
}

fn of_events(events: &[Event]) -> Option<Played> {
    let state = GameState::fold(events).ok()?;
    let [silver, red] = khet::Color::ALL.map(|color| rating(events, color));
    Some(Played {
        start: *state.game().start(),
        moves: state.game().moves().to_vec(),
        class: Class::new(RatingBand::of(silver, red), Speed::of(state.options().time).into()),
        winner: state.outcome()?.winner,
    })
}
