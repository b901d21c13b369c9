//! The HTTP API of the gallery: publish, list, like, report and moderate setups.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use khet_protocol::{
    ApiError, DecisionKind, DecisionsResponse, ErrorCode, GallerySetup, NewReport, NewSetup,
    PersonId, ReportsResponse, SetupId, SetupPage, SetupQuery,
};

use crate::error_response::ErrorResponse;
use crate::people::{self, OptionalPerson, RequiredPerson, profiles};
use crate::random;
use crate::server_state::ServerState;
use crate::storage::{SetupFilter, StoredSetup, UndoResult};

/// Largest number of setups per page.
const MAX_PAGE: u32 = 50;
/// Largest number of reported setups in a response, and of reports of each.
const MAX_REPORTED: u32 = 50;
/// Largest number of decisions in a response.
const MAX_DECISIONS: u32 = 50;

/// Published setups, sorted by date, number of games, likes or balance.
#[utoipa::path(
    get, path = "/api/setups", operation_id = "setups", tag = "setups",
    params(SetupQuery),
    responses(
        (status = 200, description = "A page of setups", body = SetupPage),
        (status = 404, description = "No account has this name", body = ApiError),
        (status = 422, description = "The query is invalid", body = ApiError),
    ),
)]
pub(crate) async fn list(
    State(server): State<ServerState>,
    OptionalPerson(visitor): OptionalPerson,
    query: Result<Query<SetupQuery>, QueryRejection>,
) -> Result<Json<SetupPage>, ErrorResponse> {
    let Query(SetupQuery { sort, piece_box, author, after, limit }) = query?;
    let author = match author {
        Some(name) => Some(profiles::find(&server, &name).await?),
        None => None,
    };
    let sort = sort.unwrap_or_default();
    let filter = SetupFilter { sort, piece_box, author, after, with_hidden: false };
    let limit = limit.unwrap_or(MAX_PAGE).clamp(1, MAX_PAGE);
    // One more than requested shows whether there is another page.
    let mut setups = server.store.list_setups(&filter, visitor, limit + 1).await?;
    let more = setups.len() > limit as usize;
    setups.truncate(limit as usize);
    let next = setups.last().filter(|_| more).map(|&(_, cursor)| cursor);
    Ok(Json(SetupPage { setups: setups.into_iter().map(|(card, _)| card).collect(), next }))
}

/// Publish a starting position. It must be legal and new: not published under another name or with
/// the colours exchanged. This needs an account.
#[utoipa::path(
    post, path = "/api/setups", operation_id = "publish-setup", tag = "setups",
    request_body(content = NewSetup, example = json!({
        "name": "Two Rivers",
        "description": "The pharaohs stand far apart, and the middle is open.",
        "position": "4k5/2p37/10/p18P4/p18P4/10/7P12/5K4 s",
        "rules": "standard",
    })),
    responses(
        (status = 201, description = "The setup", body = GallerySetup),
        (status = 403, description = "This needs an account", body = ApiError),
        (
            status = 409,
            description = "The position is published already; the message names the setup",
            body = ApiError,
        ),
        (
            status = 422, description = "The position is illegal, or a setup with a name",
            body = ApiError,
        ),
        (status = 429, description = "Too many setups", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn publish(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
    body: Result<Json<NewSetup>, JsonRejection>,
) -> Result<(StatusCode, Json<GallerySetup>), ErrorResponse> {
    let Json(new) = body?;
    people::require_account(&server, person).await?;
    new.position()
        .map_err(|problem| ErrorResponse::new(ErrorCode::Invalid, problem.to_string()))?;
    server.rate_limits.new_setups.take(person, server.time.now())?;
    let NewSetup { name, description, position, rules } = new;
    let id = SetupId::from_number(random::number());
    let created = server.time.now();
    let setup = StoredSetup { id, person, name, description, position, rules, created };
    if let Some((id, name)) = server.store.publish_setup(setup).await? {
        let message = format!("this position is published already as {name} ({id})");
        return Err(ErrorResponse::new(ErrorCode::Taken, message));
    }
    Ok((StatusCode::CREATED, Json(find(&server, id, Some(person)).await?)))
}

async fn require_moderator(server: &ServerState, person: PersonId) -> Result<(), ErrorResponse> {
    if server.store.is_moderator(person).await? {
        return Ok(());
    }
    Err(ErrorResponse::new(ErrorCode::Forbidden, "only moderators may do this"))
}

/// Loads a setup, or returns the error "not found".
async fn find(
    server: &ServerState,
    id: SetupId,
    visitor: Option<PersonId>,
) -> Result<GallerySetup, ErrorResponse> {
    server.store.setup(id, visitor).await?.ok_or_else(no_setup)
}

fn no_setup() -> ErrorResponse {
    ErrorResponse::new(ErrorCode::NotFound, "there is no such setup")
}

/// A setup.
#[utoipa::path(
    get, path = "/api/setups/{id}", operation_id = "setup", tag = "setups",
    params(("id" = SetupId, Path, description = "The setup", example = "q4Wn8sBd")),
    responses(
        (status = 200, description = "The setup", body = GallerySetup),
        (status = 404, description = "There is no such setup", body = ApiError),
    ),
)]
pub(crate) async fn show(
    State(server): State<ServerState>,
    OptionalPerson(visitor): OptionalPerson,
    id: Result<Path<SetupId>, PathRejection>,
) -> Result<Json<GallerySetup>, ErrorResponse> {
    let Path(id) = id?;
    Ok(Json(find(&server, id, visitor).await?))
}

/// Delete my setup; moderators may delete any. Games from it stay.
#[utoipa::path(
    delete, path = "/api/setups/{id}", operation_id = "delete-setup", tag = "setups",
    params(("id" = SetupId, Path, description = "The setup", example = "q4Wn8sBd")),
    responses(
        (status = 204, description = "The setup was deleted"),
        (status = 403, description = "Not yours", body = ApiError),
        (status = 404, description = "There is no such setup", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn delete(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
    id: Result<Path<SetupId>, PathRejection>,
) -> Result<StatusCode, ErrorResponse> {
    let Path(id) = id?;
    if find(&server, id, Some(person)).await?.mine {
        server.store.delete_setup(id).await?;
        return Ok(StatusCode::NO_CONTENT);
    }
    if !server.store.is_moderator(person).await? {
        return Err(ErrorResponse::new(ErrorCode::Forbidden, "this is not your setup"));
    }
    decide(&server, id, person, DecisionKind::Removed).await
}

/// Like a setup. Repeating it has no effect.
#[utoipa::path(
    put, path = "/api/setups/{id}/like", operation_id = "like-setup", tag = "setups",
    params(("id" = SetupId, Path, description = "The setup", example = "q4Wn8sBd")),
    responses(
        (status = 200, description = "The setup", body = GallerySetup),
        (status = 403, description = "This needs an account", body = ApiError),
        (status = 404, description = "There is no such setup", body = ApiError),
    ),
)]
pub(crate) async fn like(
    State(server): State<ServerState>,
    id: Result<Path<SetupId>, PathRejection>,
    RequiredPerson(person): RequiredPerson,
) -> Result<Json<GallerySetup>, ErrorResponse> {
    let Path(id) = id?;
    people::require_account(&server, person).await?;
    set_like(&server, id, person, true).await
}

/// Remove my like.
#[utoipa::path(
    delete, path = "/api/setups/{id}/like", operation_id = "unlike-setup", tag = "setups",
    params(("id" = SetupId, Path, description = "The setup", example = "q4Wn8sBd")),
    responses(
        (status = 200, description = "The setup", body = GallerySetup),
        (status = 404, description = "There is no such setup", body = ApiError),
    ),
)]
pub(crate) async fn unlike(
    State(server): State<ServerState>,
    id: Result<Path<SetupId>, PathRejection>,
    RequiredPerson(person): RequiredPerson,
) -> Result<Json<GallerySetup>, ErrorResponse> {
    let Path(id) = id?;
    set_like(&server, id, person, false).await
}

/// Adds or removes a like.
async fn set_like(
    server: &ServerState,
    id: SetupId,
    person: PersonId,
    likes: bool,
) -> Result<Json<GallerySetup>, ErrorResponse> {
    if !server.store.like_setup(id, person, likes).await? {
        return Err(no_setup());
    }
    Ok(Json(find(server, id, Some(person)).await?))
}

/// Report a setup. Each account can do so once. The reports of a few accounts that have played for
/// a while hide the setup from lists until a moderator decides.
#[utoipa::path(
    post, path = "/api/setups/{id}/report", operation_id = "report-setup", tag = "setups",
    params(("id" = SetupId, Path, description = "The setup", example = "q4Wn8sBd")),
    request_body(content = NewReport, example = json!({"reason": "The name insults someone."})),
    responses(
        (status = 204, description = "The report is stored"),
        (status = 403, description = "This needs an account", body = ApiError),
        (status = 404, description = "There is no such setup", body = ApiError),
        (status = 429, description = "Too many reports", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn report(
    State(server): State<ServerState>,
    id: Result<Path<SetupId>, PathRejection>,
    RequiredPerson(person): RequiredPerson,
    body: Result<Json<NewReport>, JsonRejection>,
) -> Result<StatusCode, ErrorResponse> {
    let Path(id) = id?;
    let Json(NewReport { reason }) = body?;
    people::require_account(&server, person).await?;
    let now = server.time.now();
    server.rate_limits.setup_reports.take(person, now)?;
    if !server.store.report_setup(id, person, reason, now).await? {
        return Err(no_setup());
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Reported setups, for moderators, those reported first first. A moderator deletes a setup or
/// dismisses the reports.
#[utoipa::path(
    get, path = "/api/setups/reports", operation_id = "reported-setups", tag = "setups",
    responses(
        (status = 200, description = "The reported setups", body = ReportsResponse),
        (status = 403, description = "Only for moderators", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn reports(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
) -> Result<Json<ReportsResponse>, ErrorResponse> {
    require_moderator(&server, person).await?;
    let setups = server.store.reported_setups(person, MAX_REPORTED, MAX_REPORTED).await?;
    Ok(Json(ReportsResponse { setups }))
}

/// Dismiss the reports of a setup, as a moderator. The setup is listed again.
#[utoipa::path(
    post, path = "/api/setups/{id}/keep", operation_id = "keep-setup", tag = "setups",
    params(("id" = SetupId, Path, description = "The setup", example = "q4Wn8sBd")),
    responses(
        (status = 204, description = "The setup stays published"),
        (status = 403, description = "Only for moderators", body = ApiError),
        (status = 404, description = "There is no such setup", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn dismiss_reports(
    State(server): State<ServerState>,
    id: Result<Path<SetupId>, PathRejection>,
    RequiredPerson(person): RequiredPerson,
) -> Result<StatusCode, ErrorResponse> {
    let Path(id) = id?;
    require_moderator(&server, person).await?;
    decide(&server, id, person, DecisionKind::Kept).await
}

/// Stores and logs a moderator's decision.
async fn decide(
    server: &ServerState,
    id: SetupId,
    moderator: PersonId,
    kind: DecisionKind,
) -> Result<StatusCode, ErrorResponse> {
    if !server.store.decide(id, moderator, kind, server.time.now()).await? {
        return Err(no_setup());
    }
    tracing::info!(%id, %moderator, ?kind, "decided about a setup");
    Ok(StatusCode::NO_CONTENT)
}

/// The latest decisions of all moderators, for moderators.
#[utoipa::path(
    get, path = "/api/setups/decisions", operation_id = "setup-decisions", tag = "setups",
    responses(
        (status = 200, description = "The decisions, the latest first", body = DecisionsResponse),
        (status = 403, description = "Only for moderators", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn decisions(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
) -> Result<Json<DecisionsResponse>, ErrorResponse> {
    require_moderator(&server, person).await?;
    let decisions = server.store.decisions(None, MAX_DECISIONS).await?;
    Ok(Json(DecisionsResponse { decisions }))
}

/// Undo a decision, as a moderator. The setup is as it was before, and its reports are open again.
#[utoipa::path(
    post, path = "/api/setups/decisions/{number}/undo", operation_id = "undo-setup-decision",
    tag = "setups",
    params(("number" = u32, Path, description = "The decision", example = 1)),
    responses(
        (status = 204, description = "The decision is undone"),
        (status = 403, description = "Only for moderators", body = ApiError),
        (status = 404, description = "There is no such decision", body = ApiError),
        (
            status = 409,
            description = "There is a later decision, or the position was published again",
            body = ApiError,
        ),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn undo_decision(
    State(server): State<ServerState>,
    number: Result<Path<u32>, PathRejection>,
    RequiredPerson(person): RequiredPerson,
) -> Result<StatusCode, ErrorResponse> {
    let Path(number) = number?;
    require_moderator(&server, person).await?;
    match server.store.undo_decision(number, person, server.time.now()).await? {
        UndoResult::Undone => {
            tracing::info!(number, moderator = %person, "undid a decision about a setup");
            Ok(StatusCode::NO_CONTENT)
        }
        UndoResult::NotFound => {
            Err(ErrorResponse::new(ErrorCode::NotFound, "there is no such decision"))
        }
        UndoResult::Superseded => {
            let message = "there is a later decision, or the position was published again";
            Err(ErrorResponse::new(ErrorCode::Taken, message))
        }
    }
}
