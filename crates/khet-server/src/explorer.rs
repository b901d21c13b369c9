//! The explorer: what was played from a position in all finished games.
//!
//! Counts are kept by position, ready to be read; nothing is searched when someone asks. Finished games get into them behind
//! the games that are played, a few at a time.

mod count;
mod visits;

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use khet::{Position, Setup};
use khet_protocol::{
    ApiError, ErrorCode, ExplorerMove, ExplorerQuery, ExplorerResponse, RatingBand, ResultCounts,
    SpeedClass, Start,
};
use tokio::sync::Notify;

use crate::app::App;
use crate::refusal::Refusal;

pub(crate) use self::count::count_some;
pub(crate) use self::visits::{Class, Played, Row, Visits, key};

/// Visits that are counted at once while games are played. Moves wait for the same disk, so it is few.
const FEW: usize = 600;
/// How long to wait between two such, at least.
const PAUSE: Duration = Duration::from_millis(50);
/// So many times as long as the last took: the busier the disk, the less is asked of it. What is not counted stays for a quieter hour.
const SHARE: u32 = 20;
/// How long to wait if it fails.
const PATIENCE: Duration = Duration::from_secs(10);
/// Games that are named.
const RECENT: usize = 4;

/// Tells the counting that there is something to count.
#[derive(Debug, Default)]
pub(crate) struct Explorer(Notify);

impl Explorer {
    /// A game has ended, and that is on disk.
    pub(crate) fn one_ended(&self) {
        self.0.notify_one();
    }
}

/// Counts games as they end, and those that are there already.
pub(crate) async fn follow(app: App) {
    loop {
        let began = Instant::now();
        match count_some(&app.store, FEW).await {
            Ok(0) => app.explorer.0.notified().await,
            Ok(_) => tokio::time::sleep(PAUSE.max(began.elapsed() * SHARE)).await,
            Err(error) => {
                tracing::error!(%error, "finished games are not counted");
                tokio::time::sleep(PATIENCE).await;
            }
        }
    }
}

/// What was played from a position: each move with the results of the games, in all finished games of this server and those that were
/// imported. The first 60 moves of a game count, and a position that comes back in a game counts once.
#[utoipa::path(
    get, path = "/api/explorer", operation_id = "explorer", tag = "games",
    params(ExplorerQuery),
    responses(
        (status = 200, description = "What is known of the position", body = ExplorerResponse),
        (status = 422, description = "There is no such position, or the question makes no sense", body = ApiError),
    ),
)]
pub(crate) async fn explore(
    State(app): State<App>,
    query: Result<Query<ExplorerQuery>, QueryRejection>,
) -> Result<Json<ExplorerResponse>, Refusal> {
    let Query(query) = query?;
    let position = position(&query)?;
    let classes = classes(&query);
    let mut found = app.store.continuations(key(&position), classes.as_deref()).await?;
    // Hashes may meet, if only by someone's hard work: what can't be played here was not.
    let legal = position.legal_moves();
    found.retain(|found| legal.contains(&found.mv));
    let tally = found.iter().fold(ResultCounts::default(), |sum, found| sum.plus(found.tally));
    found.sort_unstable_by_key(|found| std::cmp::Reverse(found.game));
    let mut recent = Vec::new();
    for latest in found.iter().take(RECENT) {
        let game = app.store.sample(latest.game, latest.mv).await?;
        recent.extend(game);
    }
    found.sort_unstable_by_key(|found| (std::cmp::Reverse(found.tally.games), found.mv));
    let moves = found.iter().map(|found| ExplorerMove { mv: found.mv, results: found.tally });
    Ok(Json(ExplorerResponse {
        position: position.placement(),
        rules: position.rules(),
        results: tally,
        moves: moves.collect(),
        recent,
    }))
}

fn position(query: &ExplorerQuery) -> Result<Position, Refusal> {
    let senseless = |why: String| Refusal::new(ErrorCode::Invalid, format!("position: {why}"));
    let placement = match &query.position {
        None => Setup::Classic.placement(),
        Some(text) => {
            let start: Result<Start, _> = text.replace('_', " ").parse();
            start.map_err(|error| senseless(error.to_string()))?.placement()
        }
    };
    Position::new(&placement, query.rules).map_err(|error| senseless(error.to_string()))
}

/// The classes that are asked for, if not all are.
fn classes(query: &ExplorerQuery) -> Option<Vec<Class>> {
    if query.ratings.is_none() && query.speeds.is_none() {
        return None;
    }
    let bands = query.ratings.as_ref().map_or(&RatingBand::ALL[..], |list| &list.0);
    let paces = query.speeds.as_ref().map_or(&SpeedClass::ALL[..], |list| &list.0);
    Some(
        bands
            .iter()
            .flat_map(|&band| paces.iter().map(move |&pace| Class::new(band, pace)))
            .collect(),
    )
}
