//! The HTTP API of seeks. They are made over the WebSocket, because they end with the connection.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, State};
use khet_protocol::{ApiError, PairedResponse, SeekId};

use crate::connections::Peer;
use crate::error_response::ErrorResponse;
use crate::people::PersonOrNewGuest;
use crate::server_state::ServerState;

/// Play a person who waits in the lobby; returns the game. A request without a session creates a
/// guest. Bots can't accept seeks: they post challenges, which people accept.
#[utoipa::path(
    post, path = "/api/seeks/{id}/accept", operation_id = "accept-seek", tag = "challenges",
    params(("id" = SeekId, Path, description = "The seek", example = "Wd5rT0xYp2")),
    responses(
        (status = 200, description = "The game", body = PairedResponse),
        (
            status = 403, description = "The seek is your own, or the game is rated and you are a guest",
            body = ApiError,
        ),
        (status = 404, description = "The person no longer waits", body = ApiError),
        (status = 409, description = "Another player was quicker", body = ApiError),
        (status = 429, description = "Too many games", body = ApiError),
    ),
)]
pub(crate) async fn accept(
    State(server): State<ServerState>,
    id: Result<Path<SeekId>, PathRejection>,
    peer: Option<Extension<Peer>>,
    PersonOrNewGuest(person): PersonOrNewGuest,
) -> Result<Json<PairedResponse>, ErrorResponse> {
    let Path(id) = id?;
    let address = peer.map(|Extension(Peer(address))| address);
    server.rate_limits.take_new_game(person, address, server.time.now())?;
    let game = server.lobby.accept_seek(&server, id, person).await?;
    Ok(Json(PairedResponse { game }))
}
