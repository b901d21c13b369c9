//! People and their sessions.

use khet_protocol::{PersonId, PersonKind, PersonName, PublicProfile, Speed};
use skillratings::glicko2::Glicko2Rating;
use sqlx::Row;

use super::{StorageError, Store, from_json, parse, ratings, signed, to_json, unsigned};

impl Store {
    /// Adds a guest with a session.
    pub(crate) async fn add_guest(
        &self,
        id: PersonId,
        token_hash: String,
        now: u64,
    ) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query("INSERT INTO people (id, kind, created) VALUES ($1, $2, $3)")
                    .bind(id.to_string())
                    .bind(kind_text(PersonKind::Guest)?)
                    .bind(signed(now))
                    .execute(&mut *connection)
                    .await?;
                sqlx::query("INSERT INTO sessions (token, person, created) VALUES ($1, $2, $3)")
                    .bind(token_hash)
                    .bind(id.to_string())
                    .bind(signed(now))
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Whose session it is, by the token's hash.
    pub(crate) async fn session(&self, token_hash: &str) -> Result<Option<PersonId>, StorageError> {
        let row = sqlx::query("SELECT person FROM sessions WHERE token = $1")
            .bind(token_hash)
            .fetch_optional(self.readers())
            .await?;
        row.map(|row| parse(row.try_get("person")?)).transpose()
    }

    /// Who has a name.
    pub(crate) async fn person_named(
        &self,
        name: &PersonName,
    ) -> Result<Option<PersonId>, StorageError> {
        let row = sqlx::query("SELECT id FROM people WHERE name_key = $1")
            .bind(name.key())
            .fetch_optional(self.readers())
            .await?;
        row.map(|row| parse(row.try_get("id")?)).transpose()
    }

    /// A person as others see them, with the rating at a speed.
    pub(crate) async fn face(
        &self,
        id: PersonId,
        speed: Option<Speed>,
    ) -> Result<Option<PublicProfile>, StorageError> {
        let row = sqlx::query(
            "SELECT people.kind, people.name, ratings.rating, ratings.deviation FROM people \
             LEFT JOIN ratings ON ratings.person = people.id AND ratings.speed = $2 \
             WHERE people.id = $1",
        )
        .bind(id.to_string())
        .bind(speed.map(Speed::name))
        .fetch_optional(self.readers())
        .await?;
        let Some(row) = row else { return Ok(None) };
        let name: Option<&str> = row.try_get("name")?;
        let rating: Option<f64> = row.try_get("rating")?;
        let deviation: Option<f64> = row.try_get("deviation")?;
        let rating = rating.zip(deviation).map(|(rating, deviation)| {
            ratings::whole(Glicko2Rating { rating, deviation, ..Glicko2Rating::new() })
        });
        let name = name.map(parse).transpose()?;
        Ok(Some(PublicProfile { id, kind: kind(row.try_get("kind")?)?, name, rating }))
    }

    /// When a person came.
    pub(crate) async fn person_since(&self, id: PersonId) -> Result<Option<u64>, StorageError> {
        let row = sqlx::query("SELECT created FROM people WHERE id = $1")
            .bind(id.to_string())
            .fetch_optional(self.readers())
            .await?;
        row.map(|row| Ok(unsigned(row.try_get("created")?))).transpose()
    }
}

/// A kind of person as it is kept.
pub(super) fn kind_text(kind: PersonKind) -> Result<String, StorageError> {
    Ok(to_json(&kind)?.trim_matches('"').to_owned())
}

/// The same, back again.
pub(super) fn kind(text: &str) -> Result<PersonKind, StorageError> {
    from_json(&format!("\"{text}\""))
}
