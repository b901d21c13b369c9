//! The WebSocket at `/api/live`: one task per connection, which has one person and one subscription
//! at a time.
//!
//! Messages are small, rate-limited and parsed once. Connections that send too much or are silent
//! too long are closed, without effect on others.
//!
//! | module | content |
//! |---|---|
//! | `connection` | the task of a connection: frames, pings, limits, closing |
//! | `subscription` | the game, lobby or challenge that a connection is subscribed to |

mod connection;
mod subscription;

use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use khet_protocol::{ApiError, ErrorCode, MAX_CLIENT_MESSAGE_SIZE};

use self::connection::Connection;
use crate::connections::{Peer, Permit, VisitPermit};
use crate::error_response::ErrorResponse;
use crate::people::{OptionalPerson, SessionExpiry};
use crate::server_state::ServerState;

/// Size of the read buffer of an idle socket. Small, because there are thousands of sockets; it
/// holds a move, and grows for longer messages.
const READ_BUFFER_SIZE: usize = 512;
/// Number of bytes to write that are collected before they are sent.
const WRITE_BUFFER_SIZE: usize = 2048;
/// Largest message to a client, in bytes: a game with thousands of moves.
const MAX_MESSAGE_SIZE: usize = 8 * 1024 * 1024;

/// A WebSocket for playing and watching games. The client sends `ClientMessage` and receives
/// `ServerMessage`, each as JSON text; the first message chooses the subject.
#[utoipa::path(
    get, path = "/api/live", operation_id = "live", tag = "live",
    responses(
        (status = 101, description = "The WebSocket is open"),
        (status = 400, description = "This is not a WebSocket"),
        (status = 403, description = "The request comes from another site", body = ApiError),
    ),
)]
pub(crate) async fn open(
    State(server): State<ServerState>,
    OptionalPerson(person): OptionalPerson,
    expiry: Option<Extension<SessionExpiry>>,
    connection_permit: Option<Extension<Arc<Permit>>>,
    peer: Option<Extension<Peer>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    if server.is_stopping() {
        let error = ApiError::new(ErrorCode::Unavailable, "the server is stopping").retry_after(2);
        return ErrorResponse(error).into_response();
    }
    let expiry = expiry.map(|Extension(SessionExpiry(expiry))| expiry);
    let peer = peer.map(|Extension(peer)| peer);
    let socket_permit = match VisitPermit::acquire(&server, peer, person) {
        Ok(permit) => permit,
        Err(error) => return ErrorResponse(error).into_response(),
    };
    upgrade
        .max_message_size(MAX_CLIENT_MESSAGE_SIZE)
        .max_frame_size(MAX_CLIENT_MESSAGE_SIZE)
        .read_buffer_size(READ_BUFFER_SIZE)
        .write_buffer_size(WRITE_BUFFER_SIZE)
        .max_write_buffer_size(MAX_MESSAGE_SIZE)
        // Boxed, because the future would be stored a second time within that of the upgrade.
        .on_upgrade(move |socket| {
            Box::pin(async move {
                let Some(open) = server.sockets.upgrade() else { return };
                metrics::gauge!("khet_sockets").increment(1);
                Connection::new(&server, person, expiry, peer, socket).run().await;
                metrics::gauge!("khet_sockets").decrement(1);
                drop((open, connection_permit, socket_permit));
            })
        })
}
