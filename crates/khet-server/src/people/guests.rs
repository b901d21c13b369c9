//! Guests: people known by a cookie alone.

use axum::Json;
use axum::extract::State;
use khet_protocol::{ApiError, PublicProfile};

use super::{Person, face};
use crate::refusal::Refusal;
use crate::server_state::ServerState;

/// Become a guest, if I am nobody yet; with a cookie. Anybody is told who they are.
#[utoipa::path(
    post, path = "/api/guest", operation_id = "guest", tag = "people",
    responses(
        (status = 200, description = "Who I am", body = PublicProfile),
        (status = 429, description = "Too many guests from this address", body = ApiError),
    ),
)]
pub(crate) async fn enter(
    State(app): State<ServerState>,
    Person(person): Person,
) -> Result<Json<PublicProfile>, Refusal> {
    Ok(Json(face(&app.store, person, None).await?))
}
