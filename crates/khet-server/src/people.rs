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

use khet_protocol::{Face, Kind, Me, PersonId, Speed};

pub(crate) use self::identity::{Person, Somebody, Visitor, give_cookie, signed_out};
pub(crate) use self::passwords::Passwords;
use crate::storage::{StorageError, Store};

/// A person as others see them, with the rating at a speed.
pub(crate) async fn face(
    store: &Store,
    id: PersonId,
    speed: Option<Speed>,
) -> Result<Face, StorageError> {
    let face = store.face(id, speed).await?;
    Ok(face.unwrap_or(Face { id, kind: Kind::Gone, name: None, rating: None }))
}

/// A person as they see themselves.
pub(crate) async fn me(store: &Store, id: PersonId) -> Result<Me, StorageError> {
    let Face { kind, name, .. } = face(store, id, None).await?;
    Ok(Me { id, kind, name, ratings: store.ratings(id).await? })
}
