//! Guests: people known by a cookie alone.

use axum::Json;
use axum::extract::State;
use khet_protocol::Face;

use super::{Person, face};
use crate::app::App;
use crate::refusal::Refusal;

/// `POST /api/guest`: whoever is nobody yet becomes a guest; anybody is told who they are.
pub(crate) async fn enter(
    State(app): State<App>,
    Person(person): Person,
) -> Result<Json<Face>, Refusal> {
    Ok(Json(face(&app.store, person, None).await?))
}
