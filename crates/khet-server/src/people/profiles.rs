//! What everybody may know about people: profiles, how ratings went, who is the strongest.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use khet_protocol::{
    ApiError, ErrorCode, FullProfile, Leaderboard, PersonId, PersonName, PublicProfile,
    RatingHistory, Speed,
};

use super::face;
use crate::app::App;
use crate::refusal::Refusal;
use crate::storage::Score;

/// Points of a rating graph at most.
const POINTS: u32 = 1000;
/// Lines of a leaderboard at most.
const LEADERS: u32 = 100;
/// Who has not played for so long leaves the leaderboard, in milliseconds: 90 days.
const RECENT: u64 = 90 * 24 * 60 * 60 * 1000;

/// Who has a name.
pub(crate) async fn find(app: &App, name: &PersonName) -> Result<PersonId, Refusal> {
    let person = app.store.person_named(name).await?;
    person.ok_or_else(|| Refusal::new(ErrorCode::NotFound, format!("nobody is called {name}")))
}

/// A person's profile.
#[utoipa::path(
    get, path = "/api/people/{name}", operation_id = "profile", tag = "people",
    params(("name" = PersonName, Path, description = "The name", example = "Anna")),
    responses(
        (status = 200, description = "The profile", body = FullProfile),
        (status = 404, description = "Nobody is called that", body = ApiError),
    ),
)]
pub(crate) async fn profile(
    State(app): State<App>,
    name: Result<Path<PersonName>, PathRejection>,
) -> Result<Json<FullProfile>, Refusal> {
    let Path(asked) = name?;
    let id = find(&app, &asked).await?;
    let PublicProfile { kind, name, .. } = face(&app.store, id, None).await?;
    let Score { won, drawn, lost } = app.store.score(id).await?;
    Ok(Json(FullProfile {
        id,
        kind,
        name: name.unwrap_or(asked),
        since: app.store.person_since(id).await?.unwrap_or_default(),
        ratings: app.store.ratings(id).await?,
        won,
        drawn,
        lost,
    }))
}

/// How a person's ratings went: the newest thousand games at each speed.
#[utoipa::path(
    get, path = "/api/people/{name}/ratings", operation_id = "rating-history", tag = "people",
    params(("name" = PersonName, Path, description = "The name", example = "Anna")),
    responses(
        (status = 200, description = "A history for each speed that was played", body = Vec<RatingHistory>),
        (status = 404, description = "Nobody is called that", body = ApiError),
    ),
)]
pub(crate) async fn ratings(
    State(app): State<App>,
    name: Result<Path<PersonName>, PathRejection>,
) -> Result<Json<Vec<RatingHistory>>, Refusal> {
    let Path(name) = name?;
    let id = find(&app, &name).await?;
    Ok(Json(app.store.rating_histories(id, POINTS).await?))
}

/// The strongest hundred at a speed whose rating is certain enough, and who have played in the last 90 days.
#[utoipa::path(
    get, path = "/api/leaderboard/{speed}", operation_id = "leaderboard", tag = "people",
    params(("speed" = Speed, Path, description = "bullet, blitz, rapid or correspondence", example = "blitz")),
    responses(
        (status = 200, description = "The strongest first", body = Leaderboard),
        (status = 404, description = "There is no such speed", body = ApiError),
    ),
)]
pub(crate) async fn leaderboard(
    State(app): State<App>,
    speed: Result<Path<Speed>, PathRejection>,
) -> Result<Json<Leaderboard>, Refusal> {
    let Path(speed) = speed?;
    let since = app.time.now().saturating_sub(RECENT);
    let leaders = app.store.leaders(speed, since, LEADERS).await?;
    Ok(Json(Leaderboard { speed, leaders }))
}
