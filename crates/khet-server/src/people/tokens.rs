//! API tokens of bots. An account with a token is a bot, and everybody can see that.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use khet_protocol::{
    ApiError, ErrorCode, IssuedToken, PersonId, PersonKind, PersonName, TokenInfo, TokenRequest,
    is_invisible,
};

use super::identity::{Session, Token, hex};
use super::{load_public_profile, names};
use crate::error_response::{ErrorResponse, storage_error};
use crate::random;
use crate::server_state::ServerState;
use crate::storage::NewAccount;

/// Largest number of tokens per account.
const MAX_TOKENS: usize = 10;
/// Longest label, in characters.
const MAX_LABEL_LENGTH: usize = 50;
/// Label of the tokens of house bots.
const HOUSE_LABEL: &str = "house";

/// Create a token. The account becomes a bot for good. It must not have played rated games.
#[utoipa::path(
    post, path = "/api/me/tokens", operation_id = "make-token", tag = "bots",
    request_body(content = TokenRequest, example = json!({"label": "my engine"})),
    responses(
        (status = 201, description = "The token: it is shown this once", body = IssuedToken),
        (
            status = 403, description = "The account has played rated games, or has too many tokens",
            body = ApiError,
        ),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn create_token(
    State(server): State<ServerState>,
    Session { person, .. }: Session,
    body: Result<Json<TokenRequest>, JsonRejection>,
) -> Result<(StatusCode, Json<IssuedToken>), ErrorResponse> {
    let Json(TokenRequest { label }) = body?;
    let label = label.trim().to_owned();
    if label.is_empty() || label.chars().count() > MAX_LABEL_LENGTH || label.contains(is_invisible)
    {
        let message = format!("a label is one line of 1 to {MAX_LABEL_LENGTH} characters");
        return Err(ErrorResponse::new(ErrorCode::Invalid, message));
    }
    match load_public_profile(&server.store, person, None).await?.kind {
        PersonKind::Bot => {}
        PersonKind::Account if !server.store.has_rating(person).await? => {}
        PersonKind::Account => {
            let message = "this account has played rated games; create another account for the bot";
            return Err(ErrorResponse::new(ErrorCode::Forbidden, message));
        }
        PersonKind::Guest | PersonKind::Deleted => {
            return Err(ErrorResponse::new(ErrorCode::Forbidden, "programs need an account"));
        }
    }
    Ok((StatusCode::CREATED, Json(create(&server, person, label).await?)))
}

/// Creates and stores a token.
async fn create(
    server: &ServerState,
    person: PersonId,
    label: String,
) -> Result<IssuedToken, ApiError> {
    let token = Token::random();
    let info = TokenInfo { id: hex(&random::bytes::<6>()), label, at: server.time.now() };
    let added = server.store.add_token(person, info.clone(), token.hash(), MAX_TOKENS).await;
    if !added.map_err(|error| storage_error(&error))? {
        let message = format!("an account has at most {MAX_TOKENS} tokens; revoke one first");
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    Ok(IssuedToken { info, token: token.secret().to_owned() })
}

/// My tokens, without their secrets.
#[utoipa::path(
    get, path = "/api/me/tokens", operation_id = "tokens", tag = "bots",
    responses(
        (status = 200, description = "All tokens, the oldest first", body = Vec<TokenInfo>),
        (status = 401, description = "Not signed in", body = ApiError),
    ),
)]
pub(crate) async fn list(
    State(server): State<ServerState>,
    Session { person, .. }: Session,
) -> Result<Json<Vec<TokenInfo>>, ErrorResponse> {
    Ok(Json(server.store.tokens(person).await?))
}

/// Revoke a token.
#[utoipa::path(
    delete, path = "/api/me/tokens/{id}", operation_id = "revoke-token", tag = "bots",
    params(("id" = String, Path, description = "The token's id", example = "b5c1d20e9f3a")),
    responses(
        (status = 204, description = "The token was revoked"),
        (status = 404, description = "There is no such token of yours", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn revoke(
    State(server): State<ServerState>,
    id: Result<Path<String>, PathRejection>,
    Session { person, .. }: Session,
) -> Result<StatusCode, ErrorResponse> {
    let Path(id) = id?;
    if !server.store.revoke_token(person, id).await? {
        return Err(ErrorResponse::new(ErrorCode::NotFound, "there is no such token"));
    }
    server.session_revocations.announce(person);
    Ok(StatusCode::NO_CONTENT)
}

/// Returns a new token of a house bot, whose account is created if it is missing.
pub(crate) async fn create_house_bot(
    server: &ServerState,
    name: &PersonName,
) -> Result<String, ApiError> {
    let storage = |error| storage_error(&error);
    let known = server.store.person_named(name).await.map_err(storage)?;
    let person = match known {
        Some(person) => person,
        None => {
            let person = PersonId::from_number(random::number());
            let new = NewAccount {
                person,
                is_guest: false,
                name: name.clone(),
                look: names::appearance_hash(name),
                password: None,
                kind: PersonKind::Bot,
                now: server.time.now(),
            };
            if !server.store.sign_up(new).await.map_err(storage)? {
                return Err(ApiError::new(ErrorCode::Taken, format!("{name} is taken")));
            }
            person
        }
    };
    Ok(create(server, person, HOUSE_LABEL.to_owned()).await?.token)
}
