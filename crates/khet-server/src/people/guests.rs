//! Guests, who are identified by a cookie only.

use axum::Json;
use axum::extract::State;
use khet_protocol::{ApiError, PublicProfile};

use super::{PersonOrNewGuest, load_public_profile};
use crate::error_response::ErrorResponse;
use crate::server_state::ServerState;

/// Become a guest unless I already have a session. Returns the person of the session.
#[utoipa::path(
    post, path = "/api/guest", operation_id = "guest", tag = "people",
    responses(
        (status = 200, description = "My profile", body = PublicProfile),
        (status = 429, description = "Too many guests from this address", body = ApiError),
    ),
)]
pub(crate) async fn create(
    State(server): State<ServerState>,
    PersonOrNewGuest(person): PersonOrNewGuest,
) -> Result<Json<PublicProfile>, ErrorResponse> {
    Ok(Json(load_public_profile(&server.store, person, None).await?))
}
