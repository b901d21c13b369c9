//! Tokens by which programs play: an account that has one is a program's, and everybody sees that.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use khet_protocol::{
    ApiError, ErrorCode, IssuedToken, PersonId, PersonKind, PersonName, TokenInfo, TokenRequest,
};

use super::identity::{Session, Token, hex};
use super::{face, names};
use crate::app::App;
use crate::random;
use crate::refusal::{Refusal, from_storage};
use crate::storage::SignUp;

/// How many tokens an account may have.
const MOST: usize = 10;
/// The longest label, in characters.
const LABEL: usize = 50;
/// The label of the tokens of the house.
const HOUSE: &str = "house";

/// Make a token. The account becomes a bot's, and stays one. It must not have played rated games yet.
#[utoipa::path(
    post, path = "/api/me/tokens", operation_id = "make-token", tag = "bots",
    request_body(content = TokenRequest, example = json!({"label": "my engine"})),
    responses(
        (status = 201, description = "The token: it is shown this once", body = IssuedToken),
        (status = 403, description = "This is a person's account, or there are enough tokens", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn make(
    State(app): State<App>,
    Session { person, .. }: Session,
    body: Result<Json<TokenRequest>, JsonRejection>,
) -> Result<(StatusCode, Json<IssuedToken>), Refusal> {
    let Json(TokenRequest { label }) = body?;
    let label = label.trim().to_owned();
    if label.is_empty() || label.chars().count() > LABEL || label.chars().any(char::is_control) {
        let what = format!("a label is one line of 1 to {LABEL} characters");
        return Err(Refusal::new(ErrorCode::Invalid, what));
    }
    match face(&app.store, person, None).await?.kind {
        PersonKind::Bot => {}
        PersonKind::Account if !app.store.has_rating(person).await? => {}
        PersonKind::Account => {
            let why = "who has played rated games as a person stays one; make another account";
            return Err(Refusal::new(ErrorCode::Forbidden, why));
        }
        PersonKind::Guest | PersonKind::Gone => {
            return Err(Refusal::new(ErrorCode::Forbidden, "programs need an account"));
        }
    }
    if app.store.tokens(person).await?.len() >= MOST {
        let why = format!("{MOST} tokens are enough; revoke one first");
        return Err(Refusal::new(ErrorCode::Forbidden, why));
    }
    Ok((StatusCode::CREATED, Json(give(&app, person, label).await?)))
}

async fn give(app: &App, person: PersonId, label: String) -> Result<IssuedToken, ApiError> {
    let token = Token::random();
    let info = TokenInfo { id: hex(&random::bytes::<6>()), label, at: app.time.now() };
    let added = app.store.add_token(person, info.clone(), token.hash()).await;
    added.map_err(|error| from_storage(&error))?;
    Ok(IssuedToken { info, token: token.secret().to_owned() })
}

/// My tokens, without their secrets.
#[utoipa::path(
    get, path = "/api/me/tokens", operation_id = "tokens", tag = "bots",
    responses(
        (status = 200, description = "All tokens, the oldest first", body = Vec<TokenInfo>),
        (status = 401, description = "Nobody is signed in", body = ApiError),
    ),
)]
pub(crate) async fn list(
    State(app): State<App>,
    Session { person, .. }: Session,
) -> Result<Json<Vec<TokenInfo>>, Refusal> {
    Ok(Json(app.store.tokens(person).await?))
}

/// Revoke a token: from now on it opens nothing.
#[utoipa::path(
    delete, path = "/api/me/tokens/{id}", operation_id = "revoke-token", tag = "bots",
    params(("id" = String, Path, description = "The token's id", example = "b5c1d20e9f3a")),
    responses(
        (status = 204, description = "It is gone"),
        (status = 404, description = "There is no such token of yours", body = ApiError),
        (status = "default", description = "Why not", body = ApiError),
    ),
)]
pub(crate) async fn revoke(
    State(app): State<App>,
    id: Result<Path<String>, PathRejection>,
    Session { person, .. }: Session,
) -> Result<StatusCode, Refusal> {
    let Path(id) = id?;
    if !app.store.revoke_token(person, id).await? {
        return Err(Refusal::new(ErrorCode::NotFound, "there is no such token"));
    }
    app.departures.tell(person);
    Ok(StatusCode::NO_CONTENT)
}

/// A token for a program of the house, whose account is made if it is not there.
pub(crate) async fn house(app: &App, name: &PersonName) -> Result<String, ApiError> {
    let storage = |error| from_storage(&error);
    let known = app.store.person_named(name).await.map_err(storage)?;
    let person = match known {
        Some(person) => person,
        None => {
            let person = PersonId::from_number(random::number());
            let new = SignUp {
                person,
                is_guest: false,
                name: name.clone(),
                look: names::look(name),
                password: None,
                kind: PersonKind::Bot,
                now: app.time.now(),
            };
            if !app.store.sign_up(new).await.map_err(storage)? {
                return Err(ApiError::new(ErrorCode::Taken, format!("{name} is taken")));
            }
            person
        }
    };
    Ok(give(app, person, HOUSE.to_owned()).await?.token)
}
