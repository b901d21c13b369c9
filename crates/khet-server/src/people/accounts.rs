//! Accounts by name and password: signing up, in and out, another password, and leaving for good.

use std::net::IpAddr;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use khet_protocol::{
    Action, ApiError, Credentials, ErrorCode, Me, PasswordChange, PasswordConfirmation, PersonId,
    PersonKind, PublicProfile,
};

use super::identity::{Cookie, Gift, Session, Token};
use super::{Somebody, face, me, names, passwords};
use crate::app::App;
use crate::connections::Peer;
use crate::random;
use crate::refusal::Refusal;
use crate::storage::{Ending, Password, SignUp};

/// The request's address, where there is one.
type From = Option<Extension<Peer>>;

fn address(from: From) -> Option<IpAddr> {
    from.map(|Extension(Peer(address))| address)
}

/// Who I am.
#[utoipa::path(
    get, path = "/api/me", operation_id = "me", tag = "people",
    responses(
        (status = 200, description = "The person behind the cookie or token", body = Me),
        (status = 401, description = "Nobody is signed in", body = ApiError),
    ),
)]
pub(crate) async fn look(
    State(app): State<App>,
    Somebody(person): Somebody,
) -> Result<Json<Me>, Refusal> {
    Ok(Json(me(&app, person).await?))
}

/// Make an account. A guest keeps the games that were played so far.
#[utoipa::path(
    post, path = "/api/sign-up", operation_id = "sign-up", tag = "people",
    request_body(content = Credentials, example = json!({"name": "Clara", "password": "correct horse battery"})),
    responses(
        (status = 201, description = "The account, with a cookie", body = Me),
        (status = 409, description = "The name, or one that looks like it, is taken", body = ApiError),
        (status = 422, description = "The name or the password can't be had", body = ApiError),
        (status = 429, description = "Too many accounts from this address", body = ApiError),
    ),
)]
pub(crate) async fn sign_up(
    State(app): State<App>,
    Extension(gift): Extension<Gift>,
    from: From,
    Cookie(session): Cookie,
    body: Result<Json<Credentials>, JsonRejection>,
) -> Result<(StatusCode, Json<Me>), Refusal> {
    let Json(Credentials { name, password }) = body?;
    names::check(&name)?;
    passwords::check(&name, &password)?;
    let look = names::look(&name);
    let taken = || {
        Refusal::new(ErrorCode::Taken, format!("{name}, or a name that looks like it, is taken"))
    };
    if !app.store.is_name_free(&name, &look).await? {
        return Err(taken());
    }
    let now = app.time.now();
    if let Some(address) = address(from) {
        app.sign_ups.take(address, now)?;
    }
    let password = app.passwords.hash(password).await?;
    let guest = match &session {
        Some(session) => {
            let face = face(&app.store, session.person, None).await?;
            (face.kind == PersonKind::Guest).then_some(session.person)
        }
        None => None,
    };
    let is_guest = guest.is_some();
    let person = guest.unwrap_or_else(|| PersonId::from_number(random::number()));
    let kind = PersonKind::Account;
    let new =
        SignUp { person, is_guest, name: name.clone(), look, password: Some(password), kind, now };
    if !app.store.sign_up(new).await? {
        return Err(taken());
    }
    enter(&app, &gift, person, session, Password::NotAsked).await?;
    Ok((StatusCode::CREATED, Json(me(&app, person).await?)))
}

/// Begins a session in the place of the request's, whose token nobody can have brought along.
async fn enter(
    app: &App,
    gift: &Gift,
    person: PersonId,
    before: Option<Session>,
    password: Password,
) -> Result<(), Refusal> {
    let token = Token::random();
    let left = before.as_ref().map(|before| before.person);
    let ending = match (&password, before) {
        (Password::New(_), _) => Ending::All,
        (_, Some(before)) => Ending::One(before.token),
        (_, None) => Ending::Nothing,
    };
    let now = app.time.now();
    if !app.store.begin_session(person, token.hash(), ending, password, now).await? {
        return Err(wrong());
    }
    if let Some(left) = left {
        // What is open in this browser comes back as whoever it is now.
        app.departures.tell(left);
    }
    gift.session(app, &token);
    Ok(())
}

/// Sign in.
#[utoipa::path(
    post, path = "/api/sign-in", operation_id = "sign-in", tag = "people",
    request_body(content = Credentials, example = json!({"name": "Anna", "password": "correct horse battery"})),
    responses(
        (status = 200, description = "The account, with a cookie", body = Me),
        (status = 401, description = "Name or password is wrong", body = ApiError),
        (status = 429, description = "Too many attempts", body = ApiError),
    ),
)]
pub(crate) async fn sign_in(
    State(app): State<App>,
    Extension(gift): Extension<Gift>,
    from: From,
    Cookie(session): Cookie,
    body: Result<Json<Credentials>, JsonRejection>,
) -> Result<Json<Me>, Refusal> {
    let Json(Credentials { name, password }) = body?;
    let now = app.time.now();
    if let Some(address) = address(from) {
        app.sign_ins.take(address, now)?;
    }
    app.passwords_tried.take(name.key(), now)?;
    let person = app.store.person_named(&name).await?;
    let kept = match person {
        Some(person) => app.store.password(person).await?,
        None => None,
    };
    let right = app.passwords.is_right(password, kept.clone()).await?;
    let (Some(person), Some(kept), true) = (person, kept, right) else { return Err(wrong()) };
    // It may have been changed while it was looked at.
    enter(&app, &gift, person, session, Password::Right(kept)).await?;
    Ok(Json(me(&app, person).await?))
}

fn wrong() -> Refusal {
    Refusal::new(ErrorCode::SignedOut, "the name or the password is wrong")
}

/// Sign out here.
#[utoipa::path(
    post, path = "/api/sign-out", operation_id = "sign-out", tag = "people",
    responses(
        (status = 204, description = "Signed out"),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn sign_out(
    State(app): State<App>,
    Extension(gift): Extension<Gift>,
    Cookie(session): Cookie,
) -> Result<StatusCode, Refusal> {
    if let Some(Session { person, token }) = session {
        app.store.end_sessions(person, Ending::One(token)).await?;
        // Other browsers come back by themselves.
        app.departures.tell(person);
    }
    gift.nothing(&app);
    Ok(StatusCode::NO_CONTENT)
}

/// Sign out in every browser.
#[utoipa::path(
    post, path = "/api/sign-out-everywhere", operation_id = "sign-out-everywhere", tag = "people",
    responses(
        (status = 204, description = "Signed out"),
        (status = 401, description = "Nobody is signed in", body = ApiError),
    ),
)]
pub(crate) async fn sign_out_everywhere(
    State(app): State<App>,
    Extension(gift): Extension<Gift>,
    Session { person, .. }: Session,
) -> Result<StatusCode, Refusal> {
    app.store.end_sessions(person, Ending::All).await?;
    app.departures.tell(person);
    gift.nothing(&app);
    Ok(StatusCode::NO_CONTENT)
}

/// Take another password. All other browsers are signed out.
#[utoipa::path(
    post, path = "/api/me/password", operation_id = "change-password", tag = "people",
    request_body(content = PasswordChange,
        example = json!({"old": "correct horse battery", "new": "wrong donkey accumulator"})),
    responses(
        (status = 204, description = "From now on the new one is right"),
        (status = 403, description = "The old password is wrong", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn change_password(
    State(app): State<App>,
    Extension(gift): Extension<Gift>,
    session: Session,
    body: Result<Json<PasswordChange>, JsonRejection>,
) -> Result<StatusCode, Refusal> {
    let Json(PasswordChange { old, new }) = body?;
    let person = session.person;
    let PublicProfile { name, .. } = face(&app.store, person, None).await?;
    let Some(name) = name else {
        return Err(Refusal::new(ErrorCode::Forbidden, "guests have no password"));
    };
    passwords::check(&name, &new)?;
    confirm(&app, person, old).await?;
    let password = app.passwords.hash(new).await?;
    enter(&app, &gift, person, Some(session), Password::New(password)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes sure that it is really the person who asks.
async fn confirm(app: &App, person: PersonId, password: String) -> Result<(), Refusal> {
    let PublicProfile { name, kind, .. } = face(&app.store, person, None).await?;
    if kind == PersonKind::Guest {
        return Ok(());
    }
    if let Some(name) = name {
        app.passwords_tried.take(name.key(), app.time.now())?;
    }
    let kept = app.store.password(person).await?;
    if !app.passwords.is_right(password, kept).await? {
        return Err(Refusal::new(ErrorCode::Forbidden, "the password is wrong"));
    }
    Ok(())
}

/// Delete the account. Games that are played are resigned; finished ones stay, without a name and without what this person
/// said; so do setups in the gallery. The name is not given to anyone else.
#[utoipa::path(
    delete, path = "/api/me", operation_id = "delete-account", tag = "people",
    request_body(content = PasswordConfirmation, example = json!({"password": "correct horse battery"})),
    responses(
        (status = 204, description = "The account is gone"),
        (status = 403, description = "The password is wrong", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn delete(
    State(app): State<App>,
    Extension(gift): Extension<Gift>,
    Session { person, .. }: Session,
    body: Result<Json<PasswordConfirmation>, JsonRejection>,
) -> Result<StatusCode, Refusal> {
    let Json(PasswordConfirmation { password }) = body?;
    confirm(&app, person, password).await?;
    // Nobody can begin anything in this name from here on.
    app.store.end_sessions(person, Ending::All).await?;
    app.departures.tell(person);
    for (game, brief) in app.games.live() {
        if [brief.started.silver, brief.started.red].contains(&person) {
            let act = if brief.moves < 2 { Action::Abort } else { Action::Resign };
            // It may have ended meanwhile.
            let _ = app.games.act(&app, game, person, 0, act).await;
        }
    }
    for challenge in app.lobby.concerning(person, None) {
        app.lobby.remove(challenge.id);
    }
    // Last of all: whoever is interrupted before that can sign in and do it again.
    app.store.forget_words(person).await?;
    app.store.forget_person(person).await?;
    gift.nothing(&app);
    Ok(StatusCode::NO_CONTENT)
}
