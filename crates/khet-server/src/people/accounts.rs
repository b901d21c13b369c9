//! Accounts with name and password: sign up, sign in, sign out, change of password, deletion.

use std::net::IpAddr;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use khet_protocol::{
    Action, ApiError, Credentials, ErrorCode, Me, PasswordChange, PasswordConfirmation, PersonId,
    PersonKind, PublicProfile,
};

use super::identity::{OptionalSession, Session, SetCookie, Token};
use super::{RequiredPerson, load_public_profile, me, names, passwords};
use crate::cluster;
use crate::connections::Peer;
use crate::error_response::ErrorResponse;
use crate::random;
use crate::server_state::ServerState;
use crate::storage::{NewAccount, PasswordStep, SessionsToEnd};

/// The address of the request's sender, if it is known.
type PeerAddress = Option<Extension<Peer>>;

/// Returns the IP address of the client, if it is known.
fn address(peer: PeerAddress) -> Option<IpAddr> {
    peer.map(|Extension(Peer(address))| address)
}

/// Returns the signed-in person.
#[utoipa::path(
    get, path = "/api/me", operation_id = "me", tag = "people",
    responses(
        (status = 200, description = "The person of the session or token", body = Me),
        (status = 401, description = "Not signed in", body = ApiError),
    ),
)]
pub(crate) async fn show(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
) -> Result<Json<Me>, ErrorResponse> {
    Ok(Json(me(&server, person).await?))
}

/// Creates an account. A guest keeps the games played so far.
#[utoipa::path(
    post, path = "/api/sign-up", operation_id = "sign-up", tag = "people",
    request_body(
        content = Credentials,
        example = json!({"name": "Clara", "password": "correct horse battery"}),
    ),
    responses(
        (status = 201, description = "The account, with a cookie", body = Me),
        (
            status = 409, description = "The name, or one that looks like it, is taken",
            body = ApiError,
        ),
        (status = 422, description = "The name or the password is not allowed", body = ApiError),
        (status = 429, description = "Too many accounts from this address", body = ApiError),
    ),
)]
pub(crate) async fn sign_up(
    State(server): State<ServerState>,
    Extension(set_cookie): Extension<SetCookie>,
    peer: PeerAddress,
    OptionalSession(session): OptionalSession,
    body: Result<Json<Credentials>, JsonRejection>,
) -> Result<(StatusCode, Json<Me>), ErrorResponse> {
    let Json(Credentials { name, password }) = body?;
    names::check(&name)?;
    passwords::check(&name, &password)?;
    let look = names::appearance_hash(&name);
    let taken = || {
        ErrorResponse::new(
            ErrorCode::Taken,
            format!("{name}, or a name that looks like it, is taken"),
        )
    };
    if !server.store.is_name_free(&name, &look).await? {
        return Err(taken());
    }
    let now = server.time.now();
    if let Some(address) = address(peer) {
        server.rate_limits.sign_ups.take(address, now)?;
    }
    let password = server.passwords.hash(password).await?;
    let guest = match &session {
        Some(session) => {
            let profile = load_public_profile(&server.store, session.person, None).await?;
            (profile.kind == PersonKind::Guest).then_some(session.person)
        }
        None => None,
    };
    let is_guest = guest.is_some();
    let person = guest.unwrap_or_else(|| PersonId::from_number(random::number()));
    let kind = PersonKind::Account;
    let new = NewAccount {
        person,
        is_guest,
        name: name.clone(),
        look,
        password: Some(password),
        kind,
        now,
    };
    if !server.store.sign_up(new).await? {
        return Err(taken());
    }
    begin_session(&server, &set_cookie, person, session, PasswordStep::Ignore).await?;
    Ok((StatusCode::CREATED, Json(me(&server, person).await?)))
}

/// Begins a session that replaces the request's, so that a planted cookie (session fixation) is
/// useless.
async fn begin_session(
    server: &ServerState,
    set_cookie: &SetCookie,
    person: PersonId,
    previous: Option<Session>,
    password: PasswordStep,
) -> Result<(), ErrorResponse> {
    let token = Token::random();
    let previous_person = previous.as_ref().map(|previous| previous.person);
    let ending = match (&password, previous) {
        (PasswordStep::Replace(_), _) => SessionsToEnd::All,
        (_, Some(previous)) => SessionsToEnd::One(previous.token),
        (_, None) => SessionsToEnd::None,
    };
    let now = server.time.now();
    if !server.store.begin_session(person, token.hash(), ending, password, now).await? {
        return Err(wrong_password());
    }
    if let Some(previous_person) = previous_person {
        // Open connections of this browser must reconnect with the new session.
        server.session_revocations.announce(previous_person);
    }
    set_cookie.session(server, &token);
    Ok(())
}

/// Signs in.
#[utoipa::path(
    post, path = "/api/sign-in", operation_id = "sign-in", tag = "people",
    request_body(
        content = Credentials,
        example = json!({"name": "Anna", "password": "correct horse battery"}),
    ),
    responses(
        (status = 200, description = "The account, with a cookie", body = Me),
        (status = 401, description = "Name or password is wrong", body = ApiError),
        (status = 429, description = "Too many attempts", body = ApiError),
    ),
)]
pub(crate) async fn sign_in(
    State(server): State<ServerState>,
    Extension(set_cookie): Extension<SetCookie>,
    peer: PeerAddress,
    OptionalSession(session): OptionalSession,
    body: Result<Json<Credentials>, JsonRejection>,
) -> Result<Json<Me>, ErrorResponse> {
    let Json(Credentials { name, password }) = body?;
    let now = server.time.now();
    let address = address(peer);
    if let Some(address) = address {
        server.rate_limits.sign_ins.take(address, now)?;
    }
    server.rate_limits.password_attempts.take((name.key(), address), now)?;
    let person = server.store.person_named(&name).await?;
    let stored = match person {
        Some(person) => server.store.password_hash(person).await?,
        None => None,
    };
    let right = server.passwords.is_right(password, stored.clone()).await?;
    let (Some(person), Some(stored), true) = (person, stored, right) else {
        return Err(wrong_password());
    };
    // Fails if the password was changed after its hash was read above.
    begin_session(&server, &set_cookie, person, session, PasswordStep::Expect(stored)).await?;
    Ok(Json(me(&server, person).await?))
}

fn wrong_password() -> ErrorResponse {
    ErrorResponse::new(ErrorCode::SignedOut, "the name or the password is wrong")
}

/// Signs out in this browser.
#[utoipa::path(
    post, path = "/api/sign-out", operation_id = "sign-out", tag = "people",
    responses(
        (status = 204, description = "Signed out"),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn sign_out(
    State(server): State<ServerState>,
    Extension(set_cookie): Extension<SetCookie>,
    OptionalSession(session): OptionalSession,
) -> Result<StatusCode, ErrorResponse> {
    if let Some(Session { person, token }) = session {
        server.store.end_sessions(person, SessionsToEnd::One(token)).await?;
        // Connections of other browsers reconnect with their own sessions.
        server.session_revocations.announce(person);
    }
    set_cookie.clear(&server);
    Ok(StatusCode::NO_CONTENT)
}

/// Signs out in every browser.
#[utoipa::path(
    post, path = "/api/sign-out-everywhere", operation_id = "sign-out-everywhere", tag = "people",
    responses(
        (status = 204, description = "Signed out"),
        (status = 401, description = "Not signed in", body = ApiError),
    ),
)]
pub(crate) async fn sign_out_everywhere(
    State(server): State<ServerState>,
    Extension(set_cookie): Extension<SetCookie>,
    Session { person, .. }: Session,
) -> Result<StatusCode, ErrorResponse> {
    server.store.end_sessions(person, SessionsToEnd::All).await?;
    server.session_revocations.announce(person);
    set_cookie.clear(&server);
    Ok(StatusCode::NO_CONTENT)
}

/// Changes the password. Signs out all other browsers.
#[utoipa::path(
    post, path = "/api/me/password", operation_id = "change-password", tag = "people",
    request_body(content = PasswordChange,
        example = json!({"old": "correct horse battery", "new": "wrong donkey accumulator"})),
    responses(
        (status = 204, description = "The password was changed"),
        (status = 403, description = "The old password is wrong", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn change_password(
    State(server): State<ServerState>,
    Extension(set_cookie): Extension<SetCookie>,
    peer: PeerAddress,
    session: Session,
    body: Result<Json<PasswordChange>, JsonRejection>,
) -> Result<StatusCode, ErrorResponse> {
    let Json(PasswordChange { old, new }) = body?;
    let person = session.person;
    let PublicProfile { name, .. } = load_public_profile(&server.store, person, None).await?;
    let Some(name) = name else {
        return Err(ErrorResponse::new(ErrorCode::Forbidden, "guests have no password"));
    };
    passwords::check(&name, &new)?;
    confirm(&server, address(peer), person, old).await?;
    let password = server.passwords.hash(new).await?;
    begin_session(&server, &set_cookie, person, Some(session), PasswordStep::Replace(password))
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Verifies the password of a signed-in person.
async fn confirm(
    server: &ServerState,
    address: Option<IpAddr>,
    person: PersonId,
    password: String,
) -> Result<(), ErrorResponse> {
    let PublicProfile { name, kind, .. } = load_public_profile(&server.store, person, None).await?;
    if kind == PersonKind::Guest {
        return Ok(());
    }
    if let Some(name) = name {
        server.rate_limits.password_attempts.take((name.key(), address), server.time.now())?;
    }
    let stored = server.store.password_hash(person).await?;
    if !server.passwords.is_right(password, stored).await? {
        return Err(ErrorResponse::new(ErrorCode::Forbidden, "the password is wrong"));
    }
    Ok(())
}

/// Deletes the account. Games in progress are resigned. Finished games and published setups stay,
/// without the person's name and texts. Attempts at puzzles and votes are deleted. No other person can take the name.
#[utoipa::path(
    delete, path = "/api/me", operation_id = "delete-account", tag = "people",
    request_body(
        content = PasswordConfirmation,
        example = json!({"password": "correct horse battery"}),
    ),
    responses(
        (status = 204, description = "The account is gone"),
        (status = 403, description = "The password is wrong", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn delete(
    State(server): State<ServerState>,
    Extension(set_cookie): Extension<SetCookie>,
    peer: PeerAddress,
    Session { person, .. }: Session,
    body: Result<Json<PasswordConfirmation>, JsonRejection>,
) -> Result<StatusCode, ErrorResponse> {
    let Json(PasswordConfirmation { password }) = body?;
    confirm(&server, address(peer), person, password).await?;
    // From here on nothing can be started with this account.
    server.store.end_sessions(person, SessionsToEnd::All).await?;
    server.session_revocations.announce(person);
    for (game, info) in server.games.live_of(&server, person).await? {
        let act = if info.moves < 2 { Action::Abort } else { Action::Resign };
        // The game may have ended in the meantime.
        let _ = server.games.act(&server, game, person, (0, act), server.time.now()).await;
    }
    for challenge in server.lobby.challenges_of(person, None) {
        server.lobby.remove(challenge.id);
        cluster::announce_removed_challenge(&server, challenge.id);
    }
    // Deleted last: if an earlier step fails, the person can sign in and try again.
    server.store.delete_chat(person).await?;
    server.store.delete_person(person).await?;
    server.games.hide_chat(&server, person).await?;
    set_cookie.clear(&server);
    Ok(StatusCode::NO_CONTENT)
}
