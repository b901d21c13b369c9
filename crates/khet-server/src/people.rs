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

use khet_protocol::{Me, PersonId, PersonKind, PublicProfile, Speed};

pub(crate) use self::identity::{
    OptionalPerson, PersonOrNewGuest, RequiredPerson, SESSION_LIFETIME, SessionExpiry, Token,
    send_cookie, signed_out,
};
pub(crate) use self::passwords::Passwords;
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

/// Returns a person's own view of their account.
pub(crate) async fn me(server: &ServerState, id: PersonId) -> Result<Me, StorageError> {
    let PublicProfile { kind, name, .. } = load_public_profile(&server.store, id, None).await?;
    let (ratings, moderator) =
        (server.store.ratings(id).await?, server.store.is_moderator(id).await?);
    Ok(Me { id, kind, name, ratings, moderator })
}
