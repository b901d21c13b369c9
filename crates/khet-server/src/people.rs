//! People: who is asking, and how others see them.

pub(crate) mod guests;
mod identity;

use khet_protocol::{Face, Kind, PersonId, Speed};

pub(crate) use self::identity::{Person, Visitor, give_cookie};
use crate::storage::{StorageError, Store};

/// A person as others see them, with the rating at a speed.
pub(crate) async fn face(
    store: &Store,
    id: PersonId,
    _speed: Option<Speed>,
) -> Result<Face, StorageError> {
    let face = store.face(id).await?;
    Ok(face.unwrap_or(Face { id, kind: Kind::Gone, name: None, rating: None }))
}
