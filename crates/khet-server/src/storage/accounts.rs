//! Accounts: names, passwords, sessions, tokens of programs, and how someone leaves.

use khet_protocol::{PersonId, PersonKind, PersonName, TokenInfo};
use sqlx::{Row, SqliteConnection};

use super::people::kind_text;
use super::{StorageError, Store, gallery, parse, signed, unsigned};

/// Games that are changed in one go.
const GAMES_AT_ONCE: usize = 100;

/// Someone who wants a name.
pub(crate) struct SignUp {
    /// Who it will be. A guest keeps the id, and with it the games.
    pub(crate) person: PersonId,
    /// Whether that is a guest until now.
    pub(crate) is_guest: bool,
    pub(crate) name: PersonName,
    /// The hash of what the name looks like.
    pub(crate) look: String,
    /// The password's hash; nothing for programs of the house.
    pub(crate) password: Option<String>,
    pub(crate) kind: PersonKind,
    pub(crate) now: u64,
}

/// What a new session has to do with the person's password. Of passwords only hashes are known here.
pub(crate) enum Password {
    /// Nothing.
    NotAsked,
    /// It was this one, and must still be.
    Right(String),
    /// It is this one from now on.
    New(String),
}

/// The sessions of a person that end when another one begins.
pub(crate) enum Ending {
    /// None.
    Nothing,
    /// That one.
    One(String),
    /// All.
    All,
}

impl Store {
    /// Gives someone a name, and moves a guest into more. `false` if the name, or one that looks like it, is taken.
    pub(crate) async fn sign_up(&self, new: SignUp) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let taken =
                    sqlx::query("SELECT 1 FROM people WHERE name_key = $1 OR look = $2 LIMIT 1")
                        .bind(new.name.key())
                        .bind(&new.look)
                        .fetch_optional(&mut *connection)
                        .await?;
                if taken.is_some() {
                    return Ok(false);
                }
                if new.is_guest {
                    let guest = sqlx::query(
                    "UPDATE people SET kind = $1, name = $2, name_key = $3, look = $4, password = $5 \
                     WHERE id = $6 AND kind = 'guest'",
                )
                .bind(kind_text(new.kind)?)
                .bind(new.name.as_str())
                .bind(new.name.key())
                .bind(&new.look)
                .bind(&new.password)
                .bind(new.person.to_string())
                .execute(&mut *connection)
                .await?;
                    // With two names at once the first one counts.
                    return Ok(guest.rows_affected() > 0);
                }
                    sqlx::query(
                        "INSERT INTO people (id, kind, name, name_key, look, password, created) \
                         VALUES ($1, $2, $3, $4, $5, $6, $7)",
                    )
                    .bind(new.person.to_string())
                    .bind(kind_text(new.kind)?)
                    .bind(new.name.as_str())
                    .bind(new.name.key())
                    .bind(&new.look)
                    .bind(&new.password)
                    .bind(signed(new.now))
                    .execute(connection)
                    .await?;
                Ok(true)
            })
        })
        .await
    }

    /// Whether nobody has a name, or one that looks like it.
    pub(crate) async fn is_name_free(
        &self,
        name: &PersonName,
        look: &str,
    ) -> Result<bool, StorageError> {
        let row = sqlx::query("SELECT 1 FROM people WHERE name_key = $1 OR look = $2 LIMIT 1")
            .bind(name.key())
            .bind(look)
            .fetch_optional(self.readers())
            .await?;
        Ok(row.is_none())
    }

    /// The hash of someone's password, if they have one.
    pub(crate) async fn password(&self, id: PersonId) -> Result<Option<String>, StorageError> {
        let row = sqlx::query("SELECT password FROM people WHERE id = $1")
            .bind(id.to_string())
            .fetch_optional(self.readers())
            .await?;
        Ok(row.map(|row| row.try_get("password")).transpose()?.flatten())
    }

    /// Begins a session, and ends others. Says whether the password let it.
    pub(crate) async fn begin_session(
        &self,
        person: PersonId,
        token_hash: String,
        ending: Ending,
        password: Password,
        now: u64,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let set = match password {
                    Password::NotAsked => None,
                    Password::New(hash) => Some((hash, None)),
                    Password::Right(hash) => Some((hash.clone(), Some(hash))),
                };
                if let Some((hash, kept)) = set {
                    let set = "UPDATE people SET password = $1 WHERE id = $2
                               AND ($3 IS NULL OR password = $3)";
                    let found = sqlx::query(set)
                        .bind(hash)
                        .bind(person.to_string())
                        .bind(kept)
                        .execute(&mut *connection)
                        .await?;
                    if found.rows_affected() == 0 {
                        return Ok(false);
                    }
                }
                end_sessions(connection, person, &ending).await?;
                sqlx::query("INSERT INTO sessions (token, person, created) VALUES ($1, $2, $3)")
                    .bind(token_hash)
                    .bind(person.to_string())
                    .bind(signed(now))
                    .execute(connection)
                    .await?;
                Ok(true)
            })
        })
        .await
    }

    /// Ends sessions.
    pub(crate) async fn end_sessions(
        &self,
        person: PersonId,
        ending: Ending,
    ) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move { end_sessions(connection, person, &ending).await })
        })
        .await
    }

    /// Ends all sessions that are older than that.
    pub(crate) async fn forget_sessions(&self, before: u64) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query("DELETE FROM sessions WHERE created < $1")
                    .bind(signed(before))
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Forgets what a person said in games. The events stay, so that their numbers do.
    pub(crate) async fn forget_words(&self, person: PersonId) -> Result<(), StorageError> {
        for (games, words) in [
            ("SELECT id FROM games WHERE silver = $1", r#"{"chat":{"by":"silver"%"#),
            ("SELECT id FROM games WHERE red = $1", r#"{"chat":{"by":"red"%"#),
        ] {
            let rows =
                sqlx::query(games).bind(person.to_string()).fetch_all(self.readers()).await?;
            let ids: Vec<String> =
                rows.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>()?;
            // A few at a time: others write too.
            for some in ids.chunks(GAMES_AT_ONCE) {
                let some = some.to_vec();
                self.write(move |connection| {
                    Box::pin(async move {
                        for id in some {
                            sqlx::query(
                                "UPDATE events SET body = '\"chat-hidden\"' WHERE game = $1 AND body LIKE $2",
                            )
                            .bind(id)
                            .bind(words)
                            .execute(&mut *connection)
                            .await?;
                        }
                        Ok(())
                    })
                })
                .await?;
            }
        }
        Ok(())
    }

    /// Forgets a person: what is left is an id without a name, in the games that others have played too, and in the gallery.
    pub(crate) async fn forget_person(&self, person: PersonId) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let id = person.to_string();
                sqlx::query(
                    "UPDATE people SET kind = $1, name = NULL, name_key = NULL, password = NULL WHERE id = $2",
                )
                .bind(kind_text(PersonKind::Gone)?)
                .bind(&id)
                .execute(&mut *connection)
                .await?;
                for statement in [
                    "DELETE FROM sessions WHERE person = $1",
                    "DELETE FROM tokens WHERE person = $1",
                    "DELETE FROM ratings WHERE person = $1",
                    "DELETE FROM rating_changes WHERE person = $1",
                    "DELETE FROM challenges WHERE person = $1 AND game IS NULL",
                ] {
                    sqlx::query(statement).bind(&id).execute(&mut *connection).await?;
                }
                gallery::forget(connection, &id).await
            })
        })
        .await
    }

    /// Adds a token, and makes the account a program's.
    pub(crate) async fn add_token(
        &self,
        person: PersonId,
        info: TokenInfo,
        token_hash: String,
    ) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query("UPDATE people SET kind = $1 WHERE id = $2")
                    .bind(kind_text(PersonKind::Bot)?)
                    .bind(person.to_string())
                    .execute(&mut *connection)
                    .await?;
                sqlx::query(
                    "INSERT INTO tokens (id, token, person, label, created) VALUES ($1, $2, $3, $4, $5)",
                )
                .bind(info.id)
                .bind(token_hash)
                .bind(person.to_string())
                .bind(info.label)
                .bind(signed(info.at))
                .execute(connection)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// Whose token it is, by its hash.
    pub(crate) async fn token(&self, token_hash: &str) -> Result<Option<PersonId>, StorageError> {
        let row = sqlx::query("SELECT person FROM tokens WHERE token = $1")
            .bind(token_hash)
            .fetch_optional(self.readers())
            .await?;
        row.map(|row| parse(row.try_get("person")?)).transpose()
    }

    /// The tokens of a person, the oldest first.
    pub(crate) async fn tokens(&self, person: PersonId) -> Result<Vec<TokenInfo>, StorageError> {
        let rows = sqlx::query(
            "SELECT id, label, created FROM tokens WHERE person = $1 ORDER BY created, id",
        )
        .bind(person.to_string())
        .fetch_all(self.readers())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(TokenInfo {
                    id: row.try_get("id")?,
                    label: row.try_get("label")?,
                    at: unsigned(row.try_get("created")?),
                })
            })
            .collect()
    }

    /// Revokes a person's token. `false` if there is none.
    pub(crate) async fn revoke_token(
        &self,
        person: PersonId,
        id: String,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let gone = sqlx::query("DELETE FROM tokens WHERE person = $1 AND id = $2")
                    .bind(person.to_string())
                    .bind(id)
                    .execute(connection)
                    .await?;
                Ok(gone.rows_affected() > 0)
            })
        })
        .await
    }

    /// Programs of the house, which have no password, are away until they are started: their tokens and challenges are gone.
    pub(crate) async fn clear_house(&self) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                for statement in [
                    "DELETE FROM tokens WHERE person IN \
                     (SELECT id FROM people WHERE kind = 'bot' AND password IS NULL)",
                    "DELETE FROM challenges WHERE game IS NULL AND person IN \
                     (SELECT id FROM people WHERE kind = 'bot' AND password IS NULL)",
                ] {
                    sqlx::query(statement).execute(&mut *connection).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// When each session of a person began.
    pub(crate) async fn sessions_of(&self, person: PersonId) -> Result<Vec<u64>, StorageError> {
        let rows = sqlx::query("SELECT created FROM sessions WHERE person = $1 ORDER BY created")
            .bind(person.to_string())
            .fetch_all(self.readers())
            .await?;
        rows.iter().map(|row| Ok(unsigned(row.try_get("created")?))).collect()
    }
}

async fn end_sessions(
    connection: &mut SqliteConnection,
    person: PersonId,
    ending: &Ending,
) -> Result<(), StorageError> {
    match ending {
        Ending::Nothing => {}
        Ending::One(token) => {
            sqlx::query("DELETE FROM sessions WHERE token = $1")
                .bind(token)
                .execute(connection)
                .await?;
        }
        Ending::All => {
            sqlx::query("DELETE FROM sessions WHERE person = $1")
                .bind(person.to_string())
                .execute(connection)
                .await?;
        }
    }
    Ok(())
}
