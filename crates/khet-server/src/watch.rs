//! Games to watch: those in progress, and the featured one.

use std::cmp::Reverse;
use std::sync::Mutex;

use axum::Json;
use axum::extract::State;
use khet_protocol::{ApiError, ByColor, GameId, GameSummary, LiveGame, Speed, WatchResponse};

use crate::error_response::ErrorResponse;
use crate::games::LiveGameInfo;
use crate::people::{self, RequiredPerson};
use crate::server_state::ServerState;
use crate::storage::StorageError;

/// Largest number of games in the list.
const MAX_LISTED: usize = 50;
/// Time for which the list is cached, in milliseconds.
const CACHE_TIME: u64 = 2000;
/// A game without a move for this time is not featured, in milliseconds.
const IDLE_TIME: u64 = 5 * 60 * 1000;

/// The cached list and its expiry. Many spectators request the same list.
#[derive(Debug, Default)]
pub(crate) struct Watch(Mutex<Option<(u64, WatchResponse)>>);

/// The games in progress, and the featured one. Private games are left out.
#[utoipa::path(
    get, path = "/api/watch", operation_id = "watch", tag = "games",
    responses(
        (status = 200, description = "Games in progress", body = WatchResponse),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn list(
    State(server): State<ServerState>,
) -> Result<Json<WatchResponse>, ErrorResponse> {
    let now = server.time.now();
    let known = lock(&server.watch).clone();
    if let Some((_, answer)) = known.filter(|(until, _)| now < *until) {
        return Ok(Json(answer));
    }
    let answer = load_watch_response(&server, now).await?;
    *lock(&server.watch) = Some((now + CACHE_TIME, answer.clone()));
    Ok(Json(answer))
}

/// My games in progress, the one with the latest event first.
#[utoipa::path(
    get, path = "/api/me/games", operation_id = "my-games", tag = "people",
    responses(
        (status = 200, description = "My games in progress", body = Vec<GameSummary>),
        (status = 401, description = "Not signed in", body = ApiError),
    ),
)]
pub(crate) async fn mine(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
) -> Result<Json<Vec<GameSummary>>, ErrorResponse> {
    let mut live = server.games.live_of(&server, person).await?;
    live.sort_by_key(|(id, info)| (Reverse(info.moved_at), *id));
    live.truncate(MAX_LISTED);
    let mut games = Vec::new();
    for (id, info) in live {
        games.push(to_live_game(&server, id, info).await?.game);
    }
    Ok(Json(games))
}

fn lock(watch: &Watch) -> std::sync::MutexGuard<'_, Option<(u64, WatchResponse)>> {
    watch.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Lists the live games, and chooses the featured one.
async fn load_watch_response(
    server: &ServerState,
    now: u64,
) -> Result<WatchResponse, StorageError> {
    let mut live = server.games.live();
    if let Some(cluster) = &server.cluster {
        live.extend(cluster.games_of_other_nodes());
    }
    let live = interesting_games(live, now);
    let mut games = Vec::new();
    let mut featured: Option<(u32, GameId)> = None;
    for (id, info) in live {
        let awake = now.saturating_sub(info.moved_at) < IDLE_TIME;
        let game = to_live_game(server, id, info).await?;
        let rating =
            |color| game.game.players.get(color).rating.map_or(1000, |rating| rating.value);
        let strength = khet::Color::ALL.into_iter().map(|color| u32::from(rating(color))).sum();
        if awake && featured.is_none_or(|(best, _)| strength > best) {
            featured = Some((strength, id));
        }
        games.push(game);
    }
    Ok(WatchResponse { featured: featured.map(|(_, id)| id), games })
}

/// Returns the games that are most worth watching, the best one first.
pub(crate) fn interesting_games(
    mut live: Vec<(GameId, LiveGameInfo)>,
    now: u64,
) -> Vec<(GameId, LiveGameInfo)> {
    // Games without a move are not interesting to watch.
    live.retain(|(_, info)| info.moves > 0 && !info.started.options.private);
    live.sort_by_key(|(id, info)| {
        let awake = now.saturating_sub(info.moved_at) < IDLE_TIME;
        (Reverse((awake, info.spectators, info.started.options.rated, info.moved_at)), *id)
    });
    live.truncate(MAX_LISTED);
    live
}

/// Adds the players' profiles to a live game.
async fn to_live_game(
    server: &ServerState,
    id: GameId,
    info: LiveGameInfo,
) -> Result<LiveGame, StorageError> {
    let speed = Speed::of(info.started.options.time);
    let players = ByColor {
        silver: people::load_public_profile(&server.store, info.started.silver, speed).await?,
        red: people::load_public_profile(&server.store, info.started.red, speed).await?,
    };
    let game = GameSummary {
        id,
        players,
        options: info.started.options,
        at: info.started_at,
        ended: None,
        moves: info.moves,
        position: info.position,
        outcome: None,
    };
    Ok(LiveGame { game, spectators: info.spectators })
}
