//! Finished games: searched, and taken home as records.

mod record;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Extension, Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use khet::Setup;
use khet_protocol::{
    ApiError, ErrorCode, GameCursor, GameId, GamePage, GameQuery, GameSummary, ResultFilter,
};

use crate::app::App;
use crate::connections::Peer;
use crate::people::{self, Visitor, profiles};
use crate::refusal::Refusal;
use crate::storage::{Wanted, WantedStart};

pub(crate) use self::record::rating;

/// Games on a page, unless fewer are asked for.
const PAGE: u32 = 100;
/// Games that are read at once while all are sent.
const CHUNK: u32 = 50;
/// How records are sent.
const RECORDS: &str = "text/plain; charset=utf-8";

/// Finished games by player, setup, result and date, those that ended last first.
#[utoipa::path(
    get, path = "/api/games", operation_id = "search-games", tag = "games",
    params(GameQuery),
    responses(
        (status = 200, description = "A page of games", body = GamePage),
        (status = 404, description = "Nobody is called that", body = ApiError),
        (status = 422, description = "The question makes no sense", body = ApiError),
    ),
)]
pub(crate) async fn search(
    State(app): State<App>,
    visitor: Visitor,
    query: Result<Query<GameQuery>, QueryRejection>,
) -> Result<Json<GamePage>, Refusal> {
    let Query(query) = query?;
    let limit = query.limit.unwrap_or(PAGE).clamp(1, PAGE);
    let wanted = understand(&app, visitor, query).await?;
    // One more than asked for tells whether there is another page.
    let mut games = app.store.find_games(&wanted, limit + 1).await?;
    let more = games.len() > limit as usize;
    games.truncate(limit as usize);
    let next = games.last().filter(|_| more).and_then(place);
    Ok(Json(GamePage { games, next }))
}

fn place(game: &GameSummary) -> Option<GameCursor> {
    Some(GameCursor { ended: game.ended?, id: game.id })
}

/// What is looked for, once names are known and wishes make sense together.
async fn understand(
    app: &App,
    Visitor(visitor): Visitor,
    query: GameQuery,
) -> Result<Wanted, Refusal> {
    let player = match (&query.player, query.mine) {
        (Some(_), Some(true)) => return Err(senseless("player or mine, not both")),
        (Some(name), _) => Some(profiles::find(app, name).await?),
        (None, Some(true)) => Some(visitor.ok_or_else(people::signed_out)?),
        (None, _) => None,
    };
    let opponent = match &query.opponent {
        Some(name) => Some(profiles::find(app, name).await?),
        None => None,
    };
    let about_player = query.color.is_some()
        || opponent.is_some()
        || matches!(query.result, Some(ResultFilter::Won | ResultFilter::Lost));
    if player.is_none() && about_player {
        return Err(senseless("color, opponent, won and lost need a player"));
    }
    let start = match query.setup.as_deref() {
        None => None,
        Some("position") => Some(WantedStart::Position),
        Some(name) => {
            let setup: Setup =
                name.parse().map_err(|_| senseless("there is no setup of that name"))?;
            Some(WantedStart::Setup(setup.to_string()))
        }
    };
    let GameQuery { color, result, rated, since, before, after, .. } = query;
    Ok(Wanted { id: None, player, opponent, color, start, result, rated, since, before, after })
}

fn senseless(why: &str) -> Refusal {
    Refusal::new(ErrorCode::Invalid, why)
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
pub(crate) async fn one(
    State(app): State<App>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Response, Refusal> {
    let Path(id) = id?;
    let look = app.games.look(&app, id).await?;
    let text = record::text(site(&app), id, &look.players, &look.events)?;
    Ok(file(&format!("khet-{id}.kgn"), Body::from(text)))
}

fn site(app: &App) -> &str {
    app.config.origin.as_deref().unwrap_or("Khet")
}

pub(crate) fn file(name: &str, body: Body) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(CONTENT_TYPE, RECORDS.to_owned()), (CONTENT_DISPOSITION, disposition)], body).into_response()
}

/// The records of all finished games that are looked for, as one file, those that ended last first. With `limit` at most so many.
#[utoipa::path(
    get, path = "/api/export", operation_id = "export", tag = "games",
    params(GameQuery),
    responses(
        (status = 200, description = "The records, one after the other", body = String, content_type = "text/plain"),
        (status = 404, description = "Nobody is called that", body = ApiError),
        (status = 422, description = "The question makes no sense", body = ApiError),
        (status = 429, description = "Too many exports", body = ApiError),
    ),
)]
pub(crate) async fn export(
    State(app): State<App>,
    visitor: Visitor,
    peer: Option<Extension<Peer>>,
    query: Result<Query<GameQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let Query(query) = query?;
    let left = query.limit.unwrap_or(u32::MAX);
    let wanted = understand(&app, visitor, query).await?;
    if let Some(Extension(Peer(address))) = peer {
        app.exports.take(address, app.time.now())?;
    }
    // Read in pieces, as fast as the client takes them; between two pieces nothing is held.
    let state = (app, Some(wanted), left);
    let pieces = stream::unfold(state, |(app, wanted, left)| async move {
        let mut wanted = wanted.filter(|_| left > 0)?;
        let piece = piece(&app, &wanted, left.min(CHUNK)).await;
        let next = match &piece {
            Ok((_, Some(last))) => {
                wanted.after = Some(*last);
                Some(wanted)
            }
            _ => None,
        };
        let text = match piece {
            Ok((text, _)) => Ok(Bytes::from(text)),
            // The client must not take half for all: the connection breaks.
            Err(refusal) => Err(std::io::Error::other(refusal.0.message)),
        };
        Some((text, (app, next, left.saturating_sub(CHUNK))))
    });
    Ok(file("khet-games.kgn", Body::from_stream(pieces)))
}

/// Some records, and where to go on if there may be more.
async fn piece(
    app: &App,
    wanted: &Wanted,
    count: u32,
) -> Result<(String, Option<GameCursor>), Refusal> {
    let games = app.store.find_games(wanted, count).await?;
    let mut text = String::new();
    for game in &games {
        let Some(stored) = app.store.game(game.id).await? else { continue };
        text.push_str(&record::text(site(app), game.id, &game.players, &stored.events)?);
        text.push('\n');
    }
    let full = games.len() == count as usize;
    Ok((text, games.last().filter(|_| full).and_then(place)))
}
