//! Public data of people: profiles, rating histories, leaderboards.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use khet_protocol::{
    ApiError, ErrorCode, FullProfile, Leaderboard, PersonId, PersonName, PublicProfile,
    RatingHistory, Speed,
};

use super::load_public_profile;
use crate::error_response::ErrorResponse;
use crate::server_state::ServerState;
use crate::storage::GameTotals;

/// Largest number of points in a rating history.
const MAX_POINTS: u32 = 1000;
/// Largest number of entries in a leaderboard.
const MAX_LEADERS: u32 = 100;
/// A leaderboard lists people who have played within this time, in milliseconds: 90 days.
const ACTIVE_PERIOD: u64 = 90 * 24 * 60 * 60 * 1000;

/// Returns the person of a name.
pub(crate) async fn find(
    server: &ServerState,
    name: &PersonName,
) -> Result<PersonId, ErrorResponse> {
    let person = server.store.person_named(name).await?;
    person.ok_or_else(|| {
        ErrorResponse::new(ErrorCode::NotFound, format!("no account has the name {name}"))
    })
}

/// A person's profile.
#[utoipa::path(
    get, path = "/api/people/{name}", operation_id = "profile", tag = "people",
    params(("name" = PersonName, Path, description = "The name", example = "Anna")),
    responses(
        (status = 200, description = "The profile", body = FullProfile),
        (status = 404, description = "No account has this name", body = ApiError),
    ),
)]
pub(crate) async fn profile(
    State(server): State<ServerState>,
    name: Result<Path<PersonName>, PathRejection>,
) -> Result<Json<FullProfile>, ErrorResponse> {
    let Path(name_in_path) = name?;
    let id = find(&server, &name_in_path).await?;
    let PublicProfile { kind, name, .. } = load_public_profile(&server.store, id, None).await?;
    let GameTotals { won, drawn, lost } = server.store.game_totals(id).await?;
    Ok(Json(FullProfile {
        id,
        kind,
        name: name.unwrap_or(name_in_path),
        since: server.store.person_since(id).await?.unwrap_or_default(),
        ratings: server.store.ratings(id).await?,
        won,
        drawn,
        lost,
    }))
}

/// A person's rating histories: the newest thousand games at each speed.
#[utoipa::path(
    get, path = "/api/people/{name}/ratings", operation_id = "rating-history", tag = "people",
    params(("name" = PersonName, Path, description = "The name", example = "Anna")),
    responses(
        (
            status = 200, description = "A history for each speed that was played",
            body = Vec<RatingHistory>,
        ),
        (status = 404, description = "No account has this name", body = ApiError),
    ),
)]
pub(crate) async fn ratings(
    State(server): State<ServerState>,
    name: Result<Path<PersonName>, PathRejection>,
) -> Result<Json<Vec<RatingHistory>>, ErrorResponse> {
    let Path(name) = name?;
    let id = find(&server, &name).await?;
    Ok(Json(server.store.rating_histories(id, MAX_POINTS).await?))
}

/// The leaderboard of a speed: the hundred highest established ratings of people who have played in
/// the last 90 days.
#[utoipa::path(
    get, path = "/api/leaderboard/{speed}", operation_id = "leaderboard", tag = "people",
    params((
        "speed" = Speed, Path,
        description = "bullet, blitz, rapid or correspondence", example = "blitz",
    )),
    responses(
        (status = 200, description = "The strongest first", body = Leaderboard),
        (status = 404, description = "There is no such speed", body = ApiError),
    ),
)]
pub(crate) async fn leaderboard(
    State(server): State<ServerState>,
    speed: Result<Path<Speed>, PathRejection>,
) -> Result<Json<Leaderboard>, ErrorResponse> {
    let Path(speed) = speed?;
    let since = server.time.now().saturating_sub(ACTIVE_PERIOD);
    let leaders = server.store.leaders(speed, since, MAX_LEADERS).await?;
    Ok(Json(Leaderboard { speed, leaders }))
}
