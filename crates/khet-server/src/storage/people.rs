//! People and their sessions.

use khet_protocol::{PersonId, PersonKind, PersonName, PublicProfile, Speed};
use sqlx::types::Text;

use super::columns::{Name, row};
use super::sql::query;
use super::{StorageError, Store, ratings, to_i64};

row! {
    struct ProfileRow {
        kind: Name<PersonKind>,
        name: Option<Text<PersonName>>,
        rating: Option<f64>,
        deviation: Option<f64>,
    }
}

impl Store {
    /// Inserts a guest with a session.
    pub(crate) async fn add_guest(
        &self,
        id: PersonId,
        token_hash: String,
        now: u64,
    ) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                query("INSERT INTO people (id, kind, created) VALUES ($1, $2, $3)")
                    .bind(Text(id))
                    .bind(Name(PersonKind::Guest))
                    .bind(to_i64(now))
                    .execute(&mut *connection)
                    .await?;
                query("INSERT INTO sessions (token, person, created) VALUES ($1, $2, $3)")
                    .bind(token_hash)
                    .bind(Text(id))
                    .bind(to_i64(now))
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Returns the person of a session and when it began, by the hash of its token.
    pub(crate) async fn person_by_session(
        &self,
        token_hash: &str,
    ) -> Result<Option<(PersonId, u64)>, StorageError> {
        let session: Option<(Text<PersonId>, u64)> =
            query("SELECT person, created FROM sessions WHERE token = $1")
                .bind(token_hash)
                .fetch_optional(&mut self.reader().await?)
                .await?;
        Ok(session.map(|(Text(person), began)| (person, began)))
    }

    /// Returns the person of a name.
    pub(crate) async fn person_named(
        &self,
        name: &PersonName,
    ) -> Result<Option<PersonId>, StorageError> {
        let person = query("SELECT id FROM people WHERE name_key = $1")
            .bind(name.key())
            .fetch_optional(&mut self.reader().await?)
            .await?;
        Ok(person.map(|Text(person)| person))
    }

    /// Returns a person's public profile, with the rating at a speed.
    pub(crate) async fn profile(
        &self,
        id: PersonId,
        speed: Option<Speed>,
    ) -> Result<Option<PublicProfile>, StorageError> {
        let row: Option<ProfileRow> = query(
            "SELECT people.kind, people.name, ratings.rating, ratings.deviation FROM people \
             LEFT JOIN ratings ON ratings.person = people.id AND ratings.speed = $2 \
             WHERE people.id = $1",
        )
        .bind(Text(id))
        .bind(speed.map(Speed::name))
        .fetch_optional(&mut self.reader().await?)
        .await?;
        Ok(row.map(|row| PublicProfile {
            id,
            kind: row.kind.0,
            name: row.name.map(|name| name.0),
            rating: row
                .rating
                .zip(row.deviation)
                .map(|(rating, deviation)| ratings::round(rating, deviation)),
        }))
    }

    /// Returns when a person was created.
    pub(crate) async fn person_since(&self, id: PersonId) -> Result<Option<u64>, StorageError> {
        query("SELECT created FROM people WHERE id = $1")
            .bind(Text(id))
            .fetch_optional(&mut self.reader().await?)
            .await
    }
}
