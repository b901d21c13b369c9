//! People: identification of requests, accounts, profiles.

pub(crate) mod accounts;
pub(crate) mod data;
pub(crate) mod guests;
mod identity;
pub(crate) mod inbox;
mod names;
mod passwords;
pub(crate) mod profiles;
pub(crate) mod stream;
pub(crate) mod tokens;

use khet_protocol::{ErrorCode, Me, PersonId, PersonKind, PublicProfile, Speed};

pub(crate) use self::identity::{
    OptionalPerson, PersonOrNewGuest, RequiredPerson, SESSION_LIFETIME, SessionExpiry, Token,
    send_cookie, signed_out,
};
pub(crate) use self::passwords::Passwords;
use crate::error_response::ErrorResponse;
use crate::server_state::ServerState;
use crate::storage::{StorageError, Store};

/// Loads a person's public profile, with the rating at a speed. An unknown person is returned as
/// deleted.
pub(crate) async fn load_public_profile(
    store: &Store,
    id: PersonId,
    speed: Option<Speed>,
) -> Result<PublicProfile, StorageError> {
    let profile = store.profile(id, speed).await?;
    Ok(profile.unwrap_or(PublicProfile { id, kind: PersonKind::Deleted, name: None, rating: None }))
}

/// Rejects guests where a person may count only once, as with likes, reports and votes.
pub(crate) async fn require_account(
    server: &ServerState,
    person: PersonId,
) -> Result<(), ErrorResponse> {
    let profile = load_public_profile(&server.store, person, None).await?;
    if matches!(profile.kind, PersonKind::Account | PersonKind::Bot) {
        return Ok(());
    }
    Err(ErrorResponse::new(ErrorCode::Forbidden, "this needs an account"))
}

/// Returns a person's own view of their account.
pub(crate) async fn me(server: &ServerState, id: PersonId) -> Result<Me, StorageError> {
    let PublicProfile { kind, name, .. } = load_public_profile(&server.store, id, None).await?;
    let (ratings, moderator) =
        (server.store.ratings(id).await?, server.store.is_moderator(id).await?);
    Ok(Me { id, kind, name, ratings, moderator })
}
