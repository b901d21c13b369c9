//! The HTTP API of live games: show, stream, act.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Extension, Path, Query, State};
use axum::response::Response;
use khet_protocol::{
    ActionAck, ActionRequest, ApiError, EventKind, GameId, GameJoined, ServerMessage,
};
use serde::Deserialize;
use tokio::sync::mpsc;

use super::outgoing::visible_to;
use super::{GameSnapshot, Outbox, Subscriber};
use crate::connections::{ArrivalTime, Peer};
use crate::error_response::ErrorResponse;
use crate::ndjson::{self, StreamReader};
use crate::people::{OptionalPerson, RequiredPerson, SessionExpiry};
use crate::server_state::ServerState;

/// Number of lines that may wait for a slow client.
const OUTBOX_CAPACITY: usize = 64;

/// A game with all its events. Only its players see chat messages.
#[utoipa::path(
    get, path = "/api/games/{id}", operation_id = "game", tag = "games",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz")),
    responses(
        (status = 200, description = "The game", body = GameJoined),
        (status = 404, description = "There is no such game", body = ApiError),
    ),
)]
pub(crate) async fn show(
    State(server): State<ServerState>,
    OptionalPerson(visitor): OptionalPerson,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Json<GameJoined>, ErrorResponse> {
    let Path(id) = id?;
    let GameSnapshot { players, events, presence } = server.games.snapshot(&server, id).await?;
    let you = events.first().and_then(|first| match &first.kind {
        EventKind::Started(started) if visitor == Some(started.silver) => Some(khet::Color::Silver),
        EventKind::Started(started) if visitor == Some(started.red) => Some(khet::Color::Red),
        _ => None,
    });
    let events = events.iter().map(|event| visible_to(event, you)).collect();
    let now = server.time.now();
    Ok(Json(GameJoined { game: id, you, players, after: 0, events, presence, now }))
}

/// Start of a stream.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct StreamQuery {
    /// The number of the last event that the client has; 0 for none.
    seen: u32,
}

/// A game as a stream, one line of JSON per message: first `game-joined`, then events and presence.
/// A player counts as present. An empty line comes every 15 seconds.
#[utoipa::path(
    get, path = "/api/games/{id}/stream", operation_id = "game-stream", tag = "bots",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz"), StreamQuery),
    responses(
        (
            status = 200, description = "A stream of lines",
            body = ServerMessage, content_type = "application/x-ndjson",
        ),
        (status = 404, description = "There is no such game", body = ApiError),
        (status = 429, description = "Too many streams", body = ApiError),
    ),
)]
pub(crate) async fn stream(
    State(server): State<ServerState>,
    OptionalPerson(person): OptionalPerson,
    session_expiry: Option<Extension<SessionExpiry>>,
    peer: Option<Extension<Peer>>,
    id: Result<Path<GameId>, PathRejection>,
    query: Result<Query<StreamQuery>, QueryRejection>,
) -> Result<Response, ErrorResponse> {
    let (Path(game), Query(StreamQuery { seen })) = (id?, query?);
    let permit = ndjson::open(&server, peer, person)?;
    let (outbox, inbox) = mpsc::channel(OUTBOX_CAPACITY);
    let id = server.games.next_subscriber_id();
    let round_trip = Arc::new(AtomicU32::new(0));
    let outbox = Outbox::Local(outbox);
    let subscriber = Subscriber { id, person: None, color: None, outbox, round_trip };
    server.games.join(&server, game, person, seen, subscriber).await?;
    let guard = UnsubscribeGuard { server: server.clone(), game, id };
    let write = |message: axum::extract::ws::Utf8Bytes| Some(message.as_str().to_owned());
    let reader = StreamReader { person, session_expiry };
    Ok(ndjson::response(&server, reader, Vec::new(), inbox, write, (guard, permit)))
}

/// Unsubscribes from the game when the stream ends.
struct UnsubscribeGuard {
    server: ServerState,
    game: GameId,
    id: u64,
}

impl Drop for UnsubscribeGuard {
    fn drop(&mut self) {
        let (server, game, id) = (self.server.clone(), self.game, self.id);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { server.games.leave(&server, game, id).await });
        }
    }
}

/// Perform an action in my game: make a move, offer a draw, resign …
#[utoipa::path(
    post, path = "/api/games/{id}/action", operation_id = "act", tag = "bots",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz")),
    request_body(
        content = ActionRequest,
        example = json!({"key": 1, "action": {"move": {"ply": 0, "move": "h2+"}}}),
    ),
    responses(
        (status = 200, description = "The action is performed and stored", body = ActionAck),
        (status = 403, description = "Not your game", body = ApiError),
        (status = 409, description = "Not your turn, or the position has changed", body = ApiError),
        (status = 422, description = "Illegal", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn act(
    State(server): State<ServerState>,
    arrival: Option<Extension<ArrivalTime>>,
    peer: Option<Extension<Peer>>,
    RequiredPerson(person): RequiredPerson,
    id: Result<Path<GameId>, PathRejection>,
    body: Result<Json<ActionRequest>, JsonRejection>,
) -> Result<Json<ActionAck>, ErrorResponse> {
    let (Path(game), Json(ActionRequest { key, action })) = (id?, body?);
    let now = server.time.now();
    let address = peer.map(|Extension(Peer(address))| address);
    server.rate_limits.take_action(person, address, &action, now)?;
    let arrived = arrival.map_or(now, |Extension(ArrivalTime(arrived))| arrived);
    Ok(Json(server.games.act(&server, game, person, (key, action), arrived).await?))
}
