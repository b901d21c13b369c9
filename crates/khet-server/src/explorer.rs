//! The opening explorer: the moves played from a position in all finished games.
//!
//! Counts are stored per position, so a request reads them and searches nothing. A background task
//! adds finished games to the counts, a few at a time.

mod count;
mod visits;

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use khet::{AnyPosition, Color, GamePosition, Move, Setup, tower};
use khet_protocol::{
    ApiError, ByColor, ErrorCode, ExplorerGame, ExplorerMove, ExplorerQuery, ExplorerResponse,
    PublicProfile, RatingBand, ResultCounts, SpeedClass, Start, date,
};
use tokio::sync::Notify;

use crate::error_response::ErrorResponse;
use crate::import::ImportedGame;
use crate::server_state::ServerState;
use crate::storage::{Continuation, FinishedGame, StorageError, Store};

pub(crate) use self::count::count_finished_games;
pub(crate) use self::visits::{GameClass, PlayedGame, Visits, position_key};

/// Number of visits counted per transaction while games are played. It is small because moves wait
/// for the same transaction, and nearly each visit changes a page of its own.
const VISITS_PER_STEP: usize = 150;
/// Shortest pause between two steps.
const MIN_PAUSE: Duration = Duration::from_millis(50);
/// The pause is this many times as long as the last step took, so that a busy disk gets less work.
const PAUSE_FACTOR: u32 = 20;
/// Interval at which one of several nodes looks for finished games.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// Pause after an error.
const ERROR_PAUSE: Duration = Duration::from_secs(10);
/// Number of recent games in a response.
const RECENT_GAMES: usize = 4;

/// Wakes the counting task.
#[derive(Debug, Default)]
pub(crate) struct Explorer(Notify);

impl Explorer {
    /// Notifies the task that a finished game is stored.
    pub(crate) fn game_ended(&self) {
        self.0.notify_one();
    }
}

/// Counts finished games: first those that are already stored, then each as it ends.
pub(crate) async fn run(server: ServerState) {
    loop {
        // With several nodes one of them counts, and is not notified of games at others.
        let poll = async {
            match &server.cluster {
                Some(_) => tokio::time::sleep(POLL_INTERVAL).await,
                None => std::future::pending().await,
            }
        };
        if !server.runs_background_tasks() {
            poll.await;
            continue;
        }
        let began = Instant::now();
        match count_finished_games(&server.store, VISITS_PER_STEP).await {
            Ok(0) => tokio::select! {
                () = server.explorer.0.notified() => {}
                () = poll => {}
            },
            Ok(_) => tokio::time::sleep(MIN_PAUSE.max(began.elapsed() * PAUSE_FACTOR)).await,
            Err(error) => {
                tracing::error!(%error, "could not count finished games");
                tokio::time::sleep(ERROR_PAUSE).await;
            }
        }
    }
}

/// The moves played from a position, with the results of the games: all finished games of this
/// server and all imported ones. The first 60 plies of a game count, and a position that repeats in
/// a game counts once.
#[utoipa::path(
    get, path = "/api/explorer", operation_id = "explorer", tag = "games",
    params(ExplorerQuery),
    responses(
        (status = 200, description = "The moves played from the position", body = ExplorerResponse),
        (status = 422, description = "The position or the query is invalid", body = ApiError),
    ),
)]
pub(crate) async fn explore(
    State(server): State<ServerState>,
    query: Result<Query<ExplorerQuery>, QueryRejection>,
) -> Result<Json<ExplorerResponse>, ErrorResponse> {
    let Query(query) = query?;
    let position = position(&query)?;
    let classes = classes(&query);
    let stored = server.store.continuations(position_key(&position), classes.as_deref()).await?;
    let mut continuations = legal_continuations(&position, stored);
    let results =
        continuations.iter().fold(ResultCounts::default(), |sum, (_, next)| sum.plus(next.results));
    continuations.sort_unstable_by_key(|(_, continuation)| Reverse(continuation.last_game));
    let mut recent = Vec::new();
    for &(mv, continuation) in continuations.iter().take(RECENT_GAMES) {
        recent.extend(recent_game(&server.store, continuation.last_game, mv).await?);
    }
    continuations
        .sort_unstable_by_key(|&(mv, continuation)| (Reverse(continuation.results.games), mv));
    let moves = continuations.iter().map(|&(mv, next)| ExplorerMove { mv, results: next.results });
    Ok(Json(ExplorerResponse {
        position: position.placement(),
        rules: position.rules(),
        results,
        moves: moves.collect(),
        recent,
    }))
}

/// Returns the stored continuations that are legal, with their moves.
fn legal_continuations(
    position: &AnyPosition,
    stored: Vec<Continuation>,
) -> Vec<(Move<tower::Square>, Continuation)> {
    let legal = position.legal_moves();
    let decoded = stored
        .into_iter()
        .filter_map(|continuation| Some((position.move_from_bits(continuation.mv)?, continuation)));
    // Keys of two positions may collide, by accident or by intent; illegal moves show it.
    decoded.filter(|(mv, _)| legal.contains(mv)).collect()
}

/// Returns the finished game of a number, in which `mv` was played.
async fn recent_game(
    store: &Store,
    number: u64,
    mv: Move<tower::Square>,
) -> Result<Option<ExplorerGame>, StorageError> {
    match store.finished(number).await? {
        None => Ok(None),
        Some(FinishedGame::Imported(id)) => {
            let Some(row) = store.imported(id).await? else { return Ok(None) };
            let game = ImportedGame::try_from(row)?;
            let tag = |name: &str| game.tag(name).map(str::to_owned);
            Ok(Some(ExplorerGame {
                mv,
                game: None,
                imported: Some(game.id),
                silver: tag("Silver"),
                red: tag("Red"),
                silver_rating: game.rating(Color::Silver),
                red_rating: game.rating(Color::Red),
                winner: game.winner,
                date: tag("Date"),
            }))
        }
        Some(FinishedGame::Played(id)) => {
            let Some(game) = store.summary(id).await? else { return Ok(None) };
            let name = |player: &PublicProfile| player.name.as_ref().map(ToString::to_string);
            let rating = |player: &PublicProfile| player.rating.map(|rating| rating.value);
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

/// Returns the position that a query asks for; the classic setup by default.
fn position(query: &ExplorerQuery) -> Result<AnyPosition, ErrorResponse> {
    let invalid =
        |error: String| ErrorResponse::new(ErrorCode::Invalid, format!("position: {error}"));
    let placement = match &query.position {
        None => Setup::Classic.placement().into(),
        Some(text) => {
            let start = Start::from_url_text(text);
            start.map_err(|error| invalid(error.to_string()))?.placement()
        }
    };
    AnyPosition::new(&placement, query.rules).map_err(|error| invalid(error.to_string()))
}

/// Returns the numbers of the requested classes, or `None` for all.
fn classes(query: &ExplorerQuery) -> Option<Vec<u8>> {
    if query.ratings.is_none() && query.speeds.is_none() {
        return None;
    }
    let bands = query.ratings.as_ref().map_or(&RatingBand::ALL[..], |list| &list.0);
    let speeds = query.speeds.as_ref().map_or(&SpeedClass::ALL[..], |list| &list.0);
    Some(
        bands
            .iter()
            .flat_map(|&band| speeds.iter().map(move |&speed| GameClass::new(band, speed).number()))
            .collect(),
    )
}
