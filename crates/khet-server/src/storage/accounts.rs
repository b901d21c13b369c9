//! Accounts: names, passwords, sessions, API tokens, and the deletion of accounts.

use khet::Color;
use khet_protocol::{GameId, PersonId, PersonKind, PersonName, TokenInfo};
use sqlx::types::Text;

use super::columns::Name;
use super::sql::{DatabaseConnection, execute_each, query};
use super::{StorageError, Store, gallery, puzzles, to_i64};

/// Number of games whose chat is deleted in one transaction.
const GAMES_PER_TRANSACTION: usize = 100;

/// A person who signs up.
pub(crate) struct NewAccount {
    /// A guest keeps the id, and with it the games.
    pub(crate) person: PersonId,
    /// `true` if `person` is an existing guest.
    pub(crate) is_guest: bool,
    pub(crate) name: PersonName,
    /// Hash of the name's appearance, see `people::names`.
    pub(crate) look: String,
    /// Hash of the password. House bots have none.
    pub(crate) password: Option<String>,
    pub(crate) kind: PersonKind,
    pub(crate) now: u64,
}

/// The check or change of the password hash when a session begins.
pub(crate) enum PasswordStep {
    /// The hash does not matter.
    Ignore,
    /// The hash must still be this one.
    Expect(String),
    /// The hash is replaced by this one.
    Replace(String),
}

/// The sessions of a person that end.
pub(crate) enum SessionsToEnd {
    None,
    /// The session with this token hash.
    One(String),
    All,
}

impl Store {
    /// Creates an account, or turns a guest into one. `false` if the name or one that looks like it
    /// is taken.
    pub(crate) async fn sign_up(&self, new: NewAccount) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let taken = query("SELECT 1 FROM people WHERE name_key = $1 OR look = $2 LIMIT 1")
                    .bind(new.name.key())
                    .bind(&new.look)
                    .fetch_optional::<i64>(&mut *connection)
                    .await?;
                if taken.is_some() {
                    return Ok(false);
                }
                if new.is_guest {
                    let guest = query(
                        "UPDATE people SET kind = $1, name = $2, name_key = $3, look = $4, \
                         password = $5 WHERE id = $6 AND kind = 'guest'",
                    )
                    .bind(Name(new.kind))
                    .bind(new.name.as_str())
                    .bind(new.name.key())
                    .bind(&new.look)
                    .bind(new.password.as_deref())
                    .bind(Text(new.person))
                    .execute(&mut *connection)
                    .await?;
                    // Of two requests at the same time, the first one wins.
                    return Ok(guest > 0);
                }
                query(
                    "INSERT INTO people (id, kind, name, name_key, look, password, created) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)",
                )
                .bind(Text(new.person))
                .bind(Name(new.kind))
                .bind(new.name.as_str())
                .bind(new.name.key())
                .bind(&new.look)
                .bind(new.password.as_deref())
                .bind(to_i64(new.now))
                .execute(connection)
                .await?;
                Ok(true)
            })
        })
        .await
    }

    /// Returns whether no account has this name or one that looks like it.
    pub(crate) async fn is_name_free(
        &self,
        name: &PersonName,
        look: &str,
    ) -> Result<bool, StorageError> {
        let row = query("SELECT 1 FROM people WHERE name_key = $1 OR look = $2 LIMIT 1")
            .bind(name.key())
            .bind(look)
            .fetch_optional::<i64>(&mut self.reader().await?)
            .await?;
        Ok(row.is_none())
    }

    /// Returns the hash of a person's password.
    pub(crate) async fn password_hash(&self, id: PersonId) -> Result<Option<String>, StorageError> {
        let password: Option<Option<String>> = query("SELECT password FROM people WHERE id = $1")
            .bind(Text(id))
            .fetch_optional(&mut self.reader().await?)
            .await?;
        Ok(password.flatten())
    }

    /// Begins a session and ends others. `false` if the password hash is not the expected one.
    pub(crate) async fn begin_session(
        &self,
        person: PersonId,
        token_hash: String,
        ending: SessionsToEnd,
        password: PasswordStep,
        now: u64,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let set = match password {
                    PasswordStep::Ignore => None,
                    PasswordStep::Replace(hash) => Some((hash, None)),
                    PasswordStep::Expect(hash) => Some((hash.clone(), Some(hash))),
                };
                if let Some((hash, expected)) = set {
                    let updated = query(
                        "UPDATE people SET password = $1 WHERE id = $2 \
                         AND ($3 IS NULL OR password = $3)",
                    )
                    .bind(hash)
                    .bind(Text(person))
                    .bind(expected)
                    .execute(&mut *connection)
                    .await?;
                    if updated == 0 {
                        return Ok(false);
                    }
                }
                end_sessions(connection, person, &ending).await?;
                query("INSERT INTO sessions (token, person, created) VALUES ($1, $2, $3)")
                    .bind(token_hash)
                    .bind(Text(person))
                    .bind(to_i64(now))
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
        ending: SessionsToEnd,
    ) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move { end_sessions(connection, person, &ending).await })
        })
        .await
    }

    /// Ends all sessions that began before a time.
    pub(crate) async fn delete_old_sessions(&self, before: u64) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                query("DELETE FROM sessions WHERE created < $1")
                    .bind(to_i64(before))
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Deletes the chat messages of a person. The events stay without text, because events are
    /// numbered.
    pub(crate) async fn delete_chat(&self, person: PersonId) -> Result<(), StorageError> {
        for (games, color) in [
            ("SELECT id FROM games WHERE silver = $1", Color::Silver),
            ("SELECT id FROM games WHERE red = $1", Color::Red),
        ] {
            let ids: Vec<Text<GameId>> =
                query(games).bind(Text(person)).fetch_all(&mut self.reader().await?).await?;
            // Small transactions, so that moves are not held up.
            for chunk in ids.chunks(GAMES_PER_TRANSACTION) {
                let chunk = chunk.to_vec();
                self.write(move |connection| {
                    Box::pin(async move {
                        for Text(id) in chunk {
                            delete_chat(connection, id, color).await?;
                        }
                        Ok(())
                    })
                })
                .await?;
            }
        }
        Ok(())
    }

    /// Deletes the chat messages of a player in one game.
    pub(crate) async fn delete_chat_of_game(
        &self,
        game: GameId,
        by: Color,
    ) -> Result<(), StorageError> {
        self.write(move |connection| Box::pin(delete_chat(connection, game, by))).await
    }

    /// Deletes a person. An id without a name remains in the games of their opponents and in the
    /// gallery.
    pub(crate) async fn delete_person(&self, person: PersonId) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                query(
                    "UPDATE people SET kind = $1, name = NULL, name_key = NULL, password = NULL, \
                     moderator = 0 WHERE id = $2",
                )
                .bind(Name(PersonKind::Deleted))
                .bind(Text(person))
                .execute(&mut *connection)
                .await?;
                execute_each(
                    connection,
                    &[
                        "DELETE FROM sessions WHERE person = $1",
                        "DELETE FROM tokens WHERE person = $1",
                        "DELETE FROM ratings WHERE person = $1",
                        "DELETE FROM rating_changes WHERE person = $1",
                        "DELETE FROM challenges WHERE person = $1 AND game IS NULL",
                    ],
                    Text(person),
                )
                .await?;
                puzzles::delete_person(connection, person).await?;
                gallery::delete_person(connection, person).await
            })
        })
        .await
    }

    /// Inserts an API token and turns the account into a bot. `false` if the account has `limit`
    /// tokens already, counted in the same transaction.
    pub(crate) async fn add_token(
        &self,
        person: PersonId,
        info: TokenInfo,
        token_hash: String,
        limit: usize,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let count: u64 = query("SELECT COUNT(*) FROM tokens WHERE person = $1")
                    .bind(Text(person))
                    .fetch_one(&mut *connection)
                    .await?;
                if count >= limit as u64 {
                    return Ok(false);
                }
                query("UPDATE people SET kind = $1 WHERE id = $2")
                    .bind(Name(PersonKind::Bot))
                    .bind(Text(person))
                    .execute(&mut *connection)
                    .await?;
                query(
                    "INSERT INTO tokens (id, token, person, label, created) \
                     VALUES ($1, $2, $3, $4, $5)",
                )
                .bind(info.id)
                .bind(token_hash)
                .bind(Text(person))
                .bind(info.label)
                .bind(to_i64(info.at))
                .execute(connection)
                .await?;
                Ok(true)
            })
        })
        .await
    }

    /// Returns the person of an API token, by its hash.
    pub(crate) async fn person_by_token(
        &self,
        token_hash: &str,
    ) -> Result<Option<PersonId>, StorageError> {
        let person = query("SELECT person FROM tokens WHERE token = $1")
            .bind(token_hash)
            .fetch_optional(&mut self.reader().await?)
            .await?;
        Ok(person.map(|Text(person)| person))
    }

    /// Returns the API tokens of a person, oldest first.
    pub(crate) async fn tokens(&self, person: PersonId) -> Result<Vec<TokenInfo>, StorageError> {
        let rows: Vec<(String, String, u64)> =
            query("SELECT id, label, created FROM tokens WHERE person = $1 ORDER BY created, id")
                .bind(Text(person))
                .fetch_all(&mut self.reader().await?)
                .await?;
        Ok(rows.into_iter().map(|(id, label, at)| TokenInfo { id, label, at }).collect())
    }

    /// Revokes a person's token. `false` if there is none.
    pub(crate) async fn revoke_token(
        &self,
        person: PersonId,
        id: String,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let deleted = query("DELETE FROM tokens WHERE person = $1 AND id = $2")
                    .bind(Text(person))
                    .bind(id)
                    .execute(connection)
                    .await?;
                Ok(deleted > 0)
            })
        })
        .await
    }

    /// Deletes the tokens and open challenges of a house bot, or of all: they are accounts without a
    /// password. They get new ones when they start.
    pub(crate) async fn reset_house_bots(
        &self,
        name: Option<&PersonName>,
    ) -> Result<(), StorageError> {
        let key = name.map(PersonName::key);
        self.write(move |connection| {
            Box::pin(async move {
                for statement in [
                    "DELETE FROM tokens WHERE person IN \
                     (SELECT id FROM people WHERE kind = 'bot' AND password IS NULL \
                      AND name_key = COALESCE($1, name_key))",
                    "DELETE FROM challenges WHERE game IS NULL AND person IN \
                     (SELECT id FROM people WHERE kind = 'bot' AND password IS NULL \
                      AND name_key = COALESCE($1, name_key))",
                ] {
                    query(statement).bind(key.as_deref()).execute(&mut *connection).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// Returns the start times of a person's sessions.
    pub(crate) async fn session_times(&self, person: PersonId) -> Result<Vec<u64>, StorageError> {
        let mut connection = self.page_reader().await?;
        query("SELECT created FROM sessions WHERE person = $1 ORDER BY created")
            .bind(Text(person))
            .fetch_all(&mut connection)
            .await
    }
}

/// Deletes the chat messages of a player in a game.
async fn delete_chat(
    connection: &mut DatabaseConnection,
    game: GameId,
    by: Color,
) -> Result<(), StorageError> {
    let sql = "UPDATE events SET body = '\"chat-hidden\"' WHERE game = $1 AND body LIKE $2";
    query(sql)
        .bind(Text(game))
        .bind(format!(r#"{{"chat":{{"by":"{by}"%"#))
        .execute(connection)
        .await?;
    Ok(())
}

async fn end_sessions(
    connection: &mut DatabaseConnection,
    person: PersonId,
    ending: &SessionsToEnd,
) -> Result<(), StorageError> {
    match ending {
        SessionsToEnd::None => {}
        SessionsToEnd::One(token) => {
            query("DELETE FROM sessions WHERE token = $1").bind(token).execute(connection).await?;
        }
        SessionsToEnd::All => {
            query("DELETE FROM sessions WHERE person = $1")
                .bind(Text(person))
                .execute(connection)
                .await?;
        }
    }
    Ok(())
}
