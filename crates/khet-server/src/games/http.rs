//! Games over HTTP: looked at, listened to, played.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use khet_protocol::{
    ActionAck, ActionRequest, ApiError, EventKind, GameId, GameJoined, ServerMessage,
};
use serde::Deserialize;
use tokio::sync::mpsc;

use super::actor::seen_by;
use super::{Look, Member, Message};
use crate::app::App;
use crate::lines;
use crate::people::{Somebody, Visitor};
use crate::refusal::Refusal;

/// How many lines may wait for a client.
const OUTBOX: usize = 64;

/// A game with all its events. What the players said to each other is for them alone.
#[utoipa::path(
    get, path = "/api/games/{id}", operation_id = "game", tag = "games",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz")),
    responses(
        (status = 200, description = "The game", body = GameJoined),
        (status = 404, description = "There is no such game", body = ApiError),
    ),
)]
pub(crate) async fn look(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Json<GameJoined>, Refusal> {
    let Path(id) = id?;
    let Look { players, events, presence } = app.games.look(&app, id).await?;
    let you = events.first().and_then(|first| match &first.kind {
        EventKind::Started(started) if visitor == Some(started.silver) => Some(khet::Color::Silver),
        EventKind::Started(started) if visitor == Some(started.red) => Some(khet::Color::Red),
        _ => None,
    });
    let events = events.iter().map(|event| seen_by(event, you)).collect();
    let now = app.time.now();
    Ok(Json(GameJoined { game: id, you, players, after: 0, events, presence, now }))
}

/// From where a game is listened to.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct From {
    /// The number of the last event that the client has; 0 for none.
    seen: u32,
}

/// A game as it is played, a line of JSON for each message: first `game-joined`, then events and who is there. Who plays it counts as
/// present. An empty line comes every 15 seconds.
#[utoipa::path(
    get, path = "/api/games/{id}/stream", operation_id = "game-stream", tag = "bots",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz"), From),
    responses(
        (status = 200, description = "Lines that go on", body = ServerMessage, content_type = "application/x-ndjson"),
        (status = 404, description = "There is no such game", body = ApiError),
    ),
)]
pub(crate) async fn listen(
    State(app): State<App>,
    Visitor(person): Visitor,
    id: Result<Path<GameId>, PathRejection>,
    from: Result<Query<From>, QueryRejection>,
) -> Result<Response, Refusal> {
    let (Path(game), Query(From { seen })) = (id?, from?);
    let (outbox, inbox) = mpsc::channel(OUTBOX);
    let id = app.games.member_id();
    let round_trip = Arc::new(AtomicU32::new(0));
    let member = Member { id, color: None, outbox, round_trip };
    app.games.send(&app, game, Message::Join { person, seen, member }).await?;
    let guard = Leave { app: app.clone(), game, id };
    let write = |message: axum::extract::ws::Utf8Bytes| Some(message.as_str().to_owned());
    Ok(lines::answer(&app, person, Vec::new(), inbox, write, guard))
}

/// Tells the game, when it is dropped, that someone no longer listens.
struct Leave {
    app: App,
    game: GameId,
    id: u64,
}

impl Drop for Leave {
    fn drop(&mut self) {
        let (app, game, id) = (self.app.clone(), self.game, self.id);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _ = app.games.send(&app, game, Message::Leave { id }).await;
            });
        }
    }
}

/// Do something in a game that I play: make a move, offer a draw, resign …
#[utoipa::path(
    post, path = "/api/games/{id}/act", operation_id = "act", tag = "bots",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz")),
    request_body(content = ActionRequest, example = json!({"key": 1, "action": {"move": {"ply": 0, "move": "h2+"}}})),
    responses(
        (status = 200, description = "It is done, and on disk", body = ActionAck),
        (status = 403, description = "Not your game", body = ApiError),
        (status = 409, description = "Not your turn, or the game has gone on", body = ApiError),
        (status = 422, description = "The rules forbid it", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn act(
    State(app): State<App>,
    Somebody(person): Somebody,
    id: Result<Path<GameId>, PathRejection>,
    body: Result<Json<ActionRequest>, JsonRejection>,
) -> Result<Json<ActionAck>, Refusal> {
    let (Path(game), Json(ActionRequest { key, action: act })) = (id?, body?);
    Ok(Json(app.games.act(&app, game, person, key, act).await?))
}
