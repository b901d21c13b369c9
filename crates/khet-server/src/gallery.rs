//! The gallery over HTTP: setups that people share are published, listed, liked, reported, and decided about.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use khet_protocol::{
    ApiError, ErrorCode, GallerySetup, NewReport, NewSetup, PersonId, PersonKind, ReportsResponse,
    SetupId, SetupPage, SetupQuery,
};

use crate::app::App;
use crate::people::{self, Somebody, Visitor, profiles};
use crate::random;
use crate::refusal::Refusal;
use crate::storage::{StoredSetup, WantedSetups};

/// Setups on a page, unless fewer are asked for.
const PAGE: u32 = 50;
/// Reported setups that are shown at once, and reports of each.
const REPORTED: u32 = 50;

/// Setups that people have published: the newest, those most played or liked, or those that games have shown to be balanced.
#[utoipa::path(
    get, path = "/api/setups", operation_id = "setups", tag = "setups",
    params(SetupQuery),
    responses(
        (status = 200, description = "A page of setups", body = SetupPage),
        (status = 404, description = "Nobody is called that", body = ApiError),
        (status = 422, description = "The question makes no sense", body = ApiError),
    ),
)]
pub(crate) async fn list(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    query: Result<Query<SetupQuery>, QueryRejection>,
) -> Result<Json<SetupPage>, Refusal> {
    let Query(SetupQuery { sort, piece_box, author, after, limit }) = query?;
    let author = match author {
        Some(name) => Some(profiles::find(&app, &name).await?),
        None => None,
    };
    let sort = sort.unwrap_or_default();
    let wanted = WantedSetups { sort, piece_box, author, after, hidden_too: false };
    let limit = limit.unwrap_or(PAGE).clamp(1, PAGE);
    // One more than asked for tells whether there is another page.
    let mut found = app.store.list_setups(&wanted, visitor, limit + 1).await?;
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let next = found.last().filter(|_| more).map(|last| last.place);
    Ok(Json(SetupPage { setups: found.into_iter().map(|listed| listed.card).collect(), next }))
}

/// Publish a starting position. It must be playable, and each is published once: not by another name, and not with the colours
/// exchanged. This needs an account.
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
        (status = 409, description = "It has been published; by which name", body = ApiError),
        (status = 422, description = "The position can't be played, or has a name", body = ApiError),
        (status = 429, description = "Too many setups", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn publish(
    State(app): State<App>,
    Somebody(person): Somebody,
    body: Result<Json<NewSetup>, JsonRejection>,
) -> Result<(StatusCode, Json<GallerySetup>), Refusal> {
    let Json(new) = body?;
    need_account(&app, person).await?;
    new.position().map_err(|problem| Refusal::new(ErrorCode::Invalid, problem.to_string()))?;
    app.new_setups.take(person, app.time.now())?;
    let NewSetup { name, description, position, rules } = new;
    let id = SetupId::from_number(random::number());
    let created = app.time.now();
    let setup = StoredSetup { id, person, name, description, position, rules, created };
    if let Some((id, name)) = app.store.publish_setup(setup).await? {
        let message = format!("this position has been published: it is {name} ({id})");
        return Err(Refusal::new(ErrorCode::Taken, message));
    }
    Ok((StatusCode::CREATED, Json(find(&app, id, Some(person)).await?)))
}

/// Guests may look: who likes, speaks or reports has a name, so that nobody counts twice.
async fn need_account(app: &App, person: PersonId) -> Result<(), Refusal> {
    let face = people::face(&app.store, person, None).await?;
    if matches!(face.kind, PersonKind::Account | PersonKind::Bot) {
        return Ok(());
    }
    Err(Refusal::new(ErrorCode::Forbidden, "this needs an account"))
}

async fn moderates(app: &App, person: PersonId) -> Result<bool, Refusal> {
    Ok(people::is_moderator(app, &people::face(&app.store, person, None).await?))
}

async fn need_moderator(app: &App, person: PersonId) -> Result<(), Refusal> {
    if moderates(app, person).await? {
        return Ok(());
    }
    Err(Refusal::new(ErrorCode::Forbidden, "this is for moderators"))
}

async fn find(app: &App, id: SetupId, visitor: Option<PersonId>) -> Result<GallerySetup, Refusal> {
    app.store.setup(id, visitor).await?.ok_or_else(no_setup)
}

fn no_setup() -> Refusal {
    Refusal::new(ErrorCode::NotFound, "there is no such setup")
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
pub(crate) async fn look(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    id: Result<Path<SetupId>, PathRejection>,
) -> Result<Json<GallerySetup>, Refusal> {
    let Path(id) = id?;
    Ok(Json(find(&app, id, visitor).await?))
}

/// Take a setup of mine out of the gallery; moderators may take out any. Games from it stay.
#[utoipa::path(
    delete, path = "/api/setups/{id}", operation_id = "delete-setup", tag = "setups",
    params(("id" = SetupId, Path, description = "The setup", example = "q4Wn8sBd")),
    responses(
        (status = 204, description = "It is gone"),
        (status = 403, description = "It is not yours", body = ApiError),
        (status = 404, description = "There is no such setup", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn delete(
    State(app): State<App>,
    Somebody(person): Somebody,
    id: Result<Path<SetupId>, PathRejection>,
) -> Result<StatusCode, Refusal> {
    let Path(id) = id?;
    if !find(&app, id, Some(person)).await?.mine && !moderates(&app, person).await? {
        return Err(Refusal::new(ErrorCode::Forbidden, "this is not your setup"));
    }
    app.store.delete_setup(id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Like a setup. However often it is said, it counts once.
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
    State(app): State<App>,
    id: Result<Path<SetupId>, PathRejection>,
    Somebody(person): Somebody,
) -> Result<Json<GallerySetup>, Refusal> {
    let Path(id) = id?;
    need_account(&app, person).await?;
    set_like(&app, id, person, true).await
}

/// No longer like a setup.
#[utoipa::path(
    delete, path = "/api/setups/{id}/like", operation_id = "unlike-setup", tag = "setups",
    params(("id" = SetupId, Path, description = "The setup", example = "q4Wn8sBd")),
    responses(
        (status = 200, description = "The setup", body = GallerySetup),
        (status = 404, description = "There is no such setup", body = ApiError),
    ),
)]
pub(crate) async fn unlike(
    State(app): State<App>,
    id: Result<Path<SetupId>, PathRejection>,
    Somebody(person): Somebody,
) -> Result<Json<GallerySetup>, Refusal> {
    let Path(id) = id?;
    set_like(&app, id, person, false).await
}

async fn set_like(
    app: &App,
    id: SetupId,
    person: PersonId,
    likes: bool,
) -> Result<Json<GallerySetup>, Refusal> {
    if !app.store.like_setup(id, person, likes).await? {
        return Err(no_setup());
    }
    Ok(Json(find(app, id, Some(person)).await?))
}

/// Report a setup that should not be there. Each account is heard once; with three reports it is kept out of lists until a moderator
/// has decided.
#[utoipa::path(
    post, path = "/api/setups/{id}/report", operation_id = "report-setup", tag = "setups",
    params(("id" = SetupId, Path, description = "The setup", example = "q4Wn8sBd")),
    request_body(content = NewReport, example = json!({"reason": "The name insults someone."})),
    responses(
        (status = 204, description = "It has been heard"),
        (status = 403, description = "This needs an account", body = ApiError),
        (status = 404, description = "There is no such setup", body = ApiError),
        (status = 429, description = "Too many reports", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn report(
    State(app): State<App>,
    id: Result<Path<SetupId>, PathRejection>,
    Somebody(person): Somebody,
    body: Result<Json<NewReport>, JsonRejection>,
) -> Result<StatusCode, Refusal> {
    let Path(id) = id?;
    let Json(NewReport { reason }) = body?;
    need_account(&app, person).await?;
    let now = app.time.now();
    app.reports.take(person, now)?;
    if !app.store.report_setup(id, person, reason, now).await? {
        return Err(no_setup());
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Reported setups, for moderators: those that have waited longest first. To decide, delete a setup or keep it.
#[utoipa::path(
    get, path = "/api/setups/reports", operation_id = "reported-setups", tag = "setups",
    responses(
        (status = 200, description = "What is to be decided", body = ReportsResponse),
        (status = 403, description = "This is for moderators", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn reports(
    State(app): State<App>,
    Somebody(person): Somebody,
) -> Result<Json<ReportsResponse>, Refusal> {
    need_moderator(&app, person).await?;
    let setups = app.store.reported_setups(person, REPORTED, REPORTED).await?;
    Ok(Json(ReportsResponse { setups }))
}

/// Decide, as a moderator, that a setup stays: it is listed again, and what was reported so far counts no more.
#[utoipa::path(
    post, path = "/api/setups/{id}/keep", operation_id = "keep-setup", tag = "setups",
    params(("id" = SetupId, Path, description = "The setup", example = "q4Wn8sBd")),
    responses(
        (status = 204, description = "It stays"),
        (status = 403, description = "This is for moderators", body = ApiError),
        (status = 404, description = "There is no such setup", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn keep(
    State(app): State<App>,
    id: Result<Path<SetupId>, PathRejection>,
    Somebody(person): Somebody,
) -> Result<StatusCode, Refusal> {
    let Path(id) = id?;
    need_moderator(&app, person).await?;
    if !app.store.keep_setup(id).await? {
        return Err(no_setup());
    }
    Ok(StatusCode::NO_CONTENT)
}
