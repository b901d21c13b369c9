//! What there is to watch: games that are played now, and the one to look at first.

use std::cmp::Reverse;
use std::sync::Mutex;

use axum::Json;
use axum::extract::State;
use khet_protocol::{ApiError, ByColor, GameId, GameSummary, LiveGame, Speed, WatchResponse};

use crate::app::App;
use crate::games::Brief;
use crate::people::{self, Somebody};
use crate::refusal::Refusal;
use crate::storage::StorageError;

/// Games that are listed.
const SHOWN: usize = 50;
/// For how long an answer is taken as true, in milliseconds.
const KEPT: u64 = 2000;
/// A game in which nothing has happened for so long is not the one to look at first, in milliseconds.
const ASLEEP: u64 = 5 * 60 * 1000;

/// The last answer, and until when it is good enough: many ask the same.
#[derive(Debug, Default)]
pub(crate) struct Watch(Mutex<Option<(u64, WatchResponse)>>);

/// Games that are played now, and the one to look at first.
#[utoipa::path(
    get, path = "/api/watch", operation_id = "watch", tag = "games",
    responses(
        (status = 200, description = "Games that are played now", body = WatchResponse),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn list(State(app): State<App>) -> Result<Json<WatchResponse>, Refusal> {
    let now = app.time.now();
    let known = lock(&app.watch).clone();
    if let Some((_, answer)) = known.filter(|(until, _)| now < *until) {
        return Ok(Json(answer));
    }
    let answer = answer(&app, now).await?;
    *lock(&app.watch) = Some((now + KEPT, answer.clone()));
    Ok(Json(answer))
}

/// The games that I play now, the one in which something happened last first.
#[utoipa::path(
    get, path = "/api/me/games", operation_id = "my-games", tag = "people",
    responses(
        (status = 200, description = "Games that go on", body = Vec<GameSummary>),
        (status = 401, description = "Nobody is signed in", body = ApiError),
    ),
)]
pub(crate) async fn mine(
    State(app): State<App>,
    Somebody(person): Somebody,
) -> Result<Json<Vec<GameSummary>>, Refusal> {
    let mut live = app.games.live();
    live.retain(|(_, brief)| [brief.started.silver, brief.started.red].contains(&person));
    live.sort_by_key(|(id, brief)| (Reverse(brief.moved_at), *id));
    live.truncate(SHOWN);
    let mut games = Vec::new();
    for (id, brief) in live {
        games.push(shown(&app, id, brief).await?.game);
    }
    Ok(Json(games))
}

fn lock(watch: &Watch) -> std::sync::MutexGuard<'_, Option<(u64, WatchResponse)>> {
    watch.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

async fn answer(app: &App, now: u64) -> Result<WatchResponse, StorageError> {
    let mut live = app.games.live();
    // Something must have happened that can be watched.
    live.retain(|(_, brief)| brief.moves > 0);
    live.sort_by_key(|(id, brief)| {
        let awake = now.saturating_sub(brief.moved_at) < ASLEEP;
        (Reverse((awake, brief.watching, brief.started.options.rated, brief.moved_at)), *id)
    });
    live.truncate(SHOWN);
    let mut games = Vec::new();
    let mut featured: Option<(u32, GameId)> = None;
    for (id, brief) in live {
        let awake = now.saturating_sub(brief.moved_at) < ASLEEP;
        let game = shown(app, id, brief).await?;
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

async fn shown(app: &App, id: GameId, brief: Brief) -> Result<LiveGame, StorageError> {
    let speed = Speed::of(brief.started.options.time);
    let players = ByColor {
        silver: people::face(&app.store, brief.started.silver, speed).await?,
        red: people::face(&app.store, brief.started.red, speed).await?,
    };
    let game = GameSummary {
        id,
        players,
        options: brief.started.options,
        at: brief.started_at,
        ended: None,
        moves: brief.moves,
        position: brief.position,
        outcome: None,
    };
    Ok(LiveGame { game, spectators: brief.watching })
}
