//! People: who is asking, and how others see them.

pub(crate) mod accounts;
pub(crate) mod data;
pub(crate) mod guests;
mod identity;
mod names;
mod passwords;
pub(crate) mod profiles;
pub(crate) mod stream;
pub(crate) mod tokens;

use khet_protocol::{Me, PersonId, PersonKind, PublicProfile, Speed};

pub(crate) use self::identity::{Person, Somebody, Visitor, give_cookie, signed_out};
pub(crate) use self::passwords::Passwords;
use crate::server_state::ServerState;
use crate::storage::{StorageError, Store};

/// A person as others see them, with the rating at a speed.
pub(crate) async fn face(
    store: &Store,
    id: PersonId,
    speed: Option<Speed>,
) -> Result<PublicProfile, StorageError> {
    let face = store.profile(id, speed).await?;
    Ok(face.unwrap_or(PublicProfile { id, kind: PersonKind::Gone, name: None, rating: None }))
}

/// A person as they see themselves.
pub(crate) async fn me(app: &ServerState, id: PersonId) -> Result<Me, StorageError> {
    let face = face(&app.store, id, None).await?;
    let moderator = is_moderator(app, &face);
    let PublicProfile { kind, name, .. } = face;
    Ok(Me { id, kind, name, ratings: app.store.ratings(id).await?, moderator })
}

/// Whether this person decides about reported setups: the server's operator says who.
pub(crate) fn is_moderator(app: &ServerState, person: &PublicProfile) -> bool {
    let name = person.name.as_ref().filter(|_| person.kind == PersonKind::Account);
    name.is_some_and(|name| app.config.moderators.iter().any(|named| named.key() == name.key()))
}
