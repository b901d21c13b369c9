//! Finished games: search and export as records.

mod record;

use std::net::IpAddr;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Extension, Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use khet::AnySetup;
use khet_protocol::{
    ApiError, ErrorCode, GameCursor, GameId, GamePage, GameQuery, GameSummary, ImportedId,
    ResultFilter,
};

use crate::connections::{Owner, Peer, Permit};
use crate::error_response::ErrorResponse;
use crate::import::ImportedGame;
use crate::people::{self, OptionalPerson, profiles};
use crate::rate_limits;
use crate::server_state::ServerState;
use crate::storage::{GameFilter, StartFilter};

pub(crate) use self::record::rating;

/// Largest number of games per page.
const MAX_PAGE: u32 = 100;
/// Number of searches and exports that one address may run at once.
const SEARCHES_AT_ONCE: usize = 3;
/// Number of games read at once during an export.
const CHUNK_SIZE: u32 = 50;
const RECORD_MEDIA_TYPE: &str = "text/plain; charset=utf-8";

/// Finished games by player, setup, result and date, those that ended last first. Only its players
/// find a private game.
#[utoipa::path(
    get, path = "/api/games", operation_id = "search-games", tag = "games",
    params(GameQuery),
    responses(
        (status = 200, description = "A page of games", body = GamePage),
        (status = 404, description = "No account has this name", body = ApiError),
        (status = 422, description = "The query is invalid", body = ApiError),
        (status = 429, description = "Too many searches", body = ApiError),
    ),
)]
pub(crate) async fn search(
    State(server): State<ServerState>,
    visitor: OptionalPerson,
    peer: Option<Extension<Peer>>,
    query: Result<Query<GameQuery>, QueryRejection>,
) -> Result<Json<GamePage>, ErrorResponse> {
    let Query(query) = query?;
    let _search = begin_search(&server, peer)?;
    let limit = query.limit.unwrap_or(MAX_PAGE).clamp(1, MAX_PAGE);
    let filter = resolve_filter(&server, visitor, query).await?;
    // One more than requested shows whether there is another page.
    let mut games = server.store.find_games(&filter, limit + 1).await?;
    let more = games.len() > limit as usize;
    games.truncate(limit as usize);
    let next = games.last().filter(|_| more).and_then(cursor);
    Ok(Json(GamePage { games, next }))
}

/// Counts a search until the permit is dropped.
fn begin_search(
    server: &ServerState,
    peer: Option<Extension<Peer>>,
) -> Result<Option<Permit>, ApiError> {
    let Some(Extension(Peer(address))) = peer else { return Ok(None) };
    server.rate_limits.searches.take(address, server.time.now())?;
    occupy_search(server, address).map(Some)
}

/// Returns a permit to search, unless the address has too many searches in progress.
fn occupy_search(server: &ServerState, address: IpAddr) -> Result<Permit, ApiError> {
    let owner = Owner::Address(address);
    let permit = server.open_searches.acquire(owner, usize::MAX, SEARCHES_AT_ONCE);
    permit.ok_or_else(|| rate_limits::too_many(1000))
}

/// Returns the cursor of a finished game in the list.
fn cursor(game: &GameSummary) -> Option<GameCursor> {
    Some(GameCursor { ended: game.ended?, id: game.id })
}

/// Resolves the names in a query and checks that its conditions fit together.
async fn resolve_filter(
    server: &ServerState,
    OptionalPerson(visitor): OptionalPerson,
    query: GameQuery,
) -> Result<GameFilter, ErrorResponse> {
    let player = match (&query.player, query.mine) {
        (Some(_), Some(true)) => return Err(invalid("player or mine, not both")),
        (Some(name), _) => Some(profiles::find(server, name).await?),
        (None, Some(true)) => Some(visitor.ok_or_else(people::signed_out)?),
        (None, _) => None,
    };
    let opponent = match &query.opponent {
        Some(name) => Some(profiles::find(server, name).await?),
        None => None,
    };
    let about_player = query.color.is_some()
        || opponent.is_some()
        || matches!(query.result, Some(ResultFilter::Won | ResultFilter::Lost));
    if player.is_none() && about_player {
        return Err(invalid("color, opponent, won and lost need a player"));
    }
    let start = match query.setup.as_deref() {
        None => None,
        Some("position") => Some(StartFilter::Custom),
        Some(name) => {
            let setup: AnySetup =
                name.parse().map_err(|_| invalid("there is no setup of that name"))?;
            Some(StartFilter::Setup(setup.to_string()))
        }
    };
    let GameQuery { color, result, rated, since, before, after, .. } = query;
    let id = None;
    Ok(GameFilter {
        visitor,
        id,
        player,
        opponent,
        color,
        start,
        result,
        rated,
        since,
        before,
        after,
    })
}

fn invalid(message: &str) -> ErrorResponse {
    ErrorResponse::new(ErrorCode::Invalid, message)
}

/// A game's record, finished or not.
#[utoipa::path(
    get, path = "/api/games/{id}/kgn", operation_id = "record", tag = "games",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz")),
    responses(
        (status = 200, description = "The record", body = String, content_type = "text/plain"),
        (status = 404, description = "There is no such game", body = ApiError),
    ),
)]
pub(crate) async fn record(
    State(server): State<ServerState>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Response, ErrorResponse> {
    let Path(id) = id?;
    let snapshot = server.games.snapshot(&server, id).await?;
    let text = record::text(site(&server), id, &snapshot.players, &snapshot.events)?;
    Ok(file(&format!("khet-{id}.kgn"), Body::from(text)))
}

/// The record of an imported game, without comments and variations.
#[utoipa::path(
    get, path = "/api/imported/{id}", operation_id = "imported", tag = "games",
    params(("id" = ImportedId, Path, description = "The game", example = "m4Xq0ZbT81cW")),
    responses(
        (status = 200, description = "The record", body = String, content_type = "text/plain"),
        (status = 404, description = "No such game", body = ApiError),
    ),
)]
pub(crate) async fn imported(
    State(server): State<ServerState>,
    id: Result<Path<ImportedId>, PathRejection>,
) -> Result<Response, ErrorResponse> {
    let Path(id) = id?;
    let Some(row) = server.store.imported(id).await? else {
        return Err(ErrorResponse::new(ErrorCode::NotFound, "there is no such game"));
    };
    let record = ImportedGame::try_from(row)?.record();
    Ok(file(&format!("khet-{id}.kgn"), Body::from(record.to_string())))
}

/// Returns the value of the tag `Site`.
fn site(server: &ServerState) -> &str {
    server.config.origin.as_deref().unwrap_or("Khet")
}

/// Responds with a record file to download.
pub(crate) fn file(name: &str, body: Body) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(CONTENT_TYPE, RECORD_MEDIA_TYPE.to_owned()), (CONTENT_DISPOSITION, disposition)], body)
        .into_response()
}

/// The records of all matching finished games as one file, those that ended last first. `limit`
/// bounds their number. Only its players find a private game.
#[utoipa::path(
    get, path = "/api/export", operation_id = "export", tag = "games",
    params(GameQuery),
    responses(
        (
            status = 200, description = "The records, one after the other",
            body = String, content_type = "text/plain",
        ),
        (status = 404, description = "No account has this name", body = ApiError),
        (status = 422, description = "The query is invalid", body = ApiError),
        (status = 429, description = "Too many exports", body = ApiError),
    ),
)]
pub(crate) async fn export(
    State(server): State<ServerState>,
    visitor: OptionalPerson,
    peer: Option<Extension<Peer>>,
    query: Result<Query<GameQuery>, QueryRejection>,
) -> Result<Response, ErrorResponse> {
    let Query(query) = query?;
    let left = query.limit.unwrap_or(u32::MAX);
    let filter = resolve_filter(&server, visitor, query).await?;
    let permit = match peer {
        Some(Extension(Peer(address))) => {
            server.rate_limits.exports.take(address, server.time.now())?;
            Some(occupy_search(&server, address)?)
        }
        None => None,
    };
    // Reads in chunks, as fast as the client receives them, and holds no connection in between.
    let state = (server, Some(filter), left, permit);
    let chunks = stream::unfold(state, |(server, filter, left, permit)| async move {
        let mut filter = filter.filter(|_| left > 0)?;
        let record_chunk = record_chunk(&server, &filter, left.min(CHUNK_SIZE)).await;
        let next = match &record_chunk {
            Ok((_, Some(last))) => {
                filter.after = Some(*last);
                Some(filter)
            }
            _ => None,
        };
        let text = match record_chunk {
            Ok((text, _)) => Ok(Bytes::from(text)),
            // An error aborts the connection, so that the client does not take a part for the
            // whole.
            Err(error) => Err(std::io::Error::other(error.0.message)),
        };
        Some((text, (server, next, left.saturating_sub(CHUNK_SIZE), permit)))
    });
    Ok(file("khet-games.kgn", Body::from_stream(chunks)))
}

/// Returns some records, and the position after them if there may be more.
async fn record_chunk(
    server: &ServerState,
    filter: &GameFilter,
    count: u32,
) -> Result<(String, Option<GameCursor>), ErrorResponse> {
    let games = server.store.find_games(filter, count).await?;
    let mut text = String::new();
    for game in &games {
        let Some(stored) = server.store.archived_game(game.id).await? else { continue };
        text.push_str(&record::text(site(server), game.id, &game.players, &stored.events)?);
        text.push('\n');
    }
    let full = games.len() == count as usize;
    Ok((text, games.last().filter(|_| full).and_then(cursor)))
}
