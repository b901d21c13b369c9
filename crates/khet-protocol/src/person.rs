//! People: guests, accounts and bots.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::{as_text, excerpt};
use crate::{PersonId, Rating, SpeedRating};

/// The name of an account: 2 to 20 letters, digits, `-` and `_`, beginning with a letter.
///
/// Names are compared without case; see [`PersonName::key`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PersonName(String);

/// A text that is not a valid name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseNameError(String);

impl fmt::Display for ParseNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?}: a name is 2 to 20 letters, digits, - and _, beginning with a letter",
            self.0
        )
    }
}

impl std::error::Error for ParseNameError {}

impl PersonName {
    /// Returns the name as its owner wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the lower-case name, by which names are compared.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// Returns a key that is equal for names that look alike, such as `Anna-10`, `anna_1O` and
    /// `ANNAlo`. A name is refused if an existing one has the same key.
    ///
    /// ```
    /// use khet_protocol::PersonName;
    ///
    /// let key = |name: &str| name.parse().map(|name: PersonName| name.confusable_key());
    /// assert_eq!(key("Wi11iam"), key("vvlll-iarn"));
    /// assert_ne!(key("William"), key("Wilma"));
    /// # Ok::<_, khet_protocol::ParseNameError>(())
    /// ```
    pub fn confusable_key(&self) -> String {
        let plain = self.0.bytes().filter(|letter| !b"-_".contains(letter));
        let alike = plain.map(|letter| match letter.to_ascii_lowercase() {
            b'0' => 'o',
            b'1' | b'i' => 'l',
            b'5' => 's',
            letter => char::from(letter),
        });
        alike.collect::<String>().replace("vv", "w").replace("rn", "m")
    }
}

impl fmt::Display for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for PersonName {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<PersonName, ParseNameError> {
        let fits = (2..=20).contains(&text.len())
            && text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        if fits { Ok(PersonName(text.to_owned())) } else { Err(ParseNameError(excerpt(text))) }
    }
}

as_text!(PersonName, "Anna");

/// The kind of a person.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum PersonKind {
    /// A person without an account, known by a cookie.
    Guest,
    /// A person with a name and a password.
    Account,
    /// A program that plays with an account.
    Bot,
    /// A person who has deleted the account.
    #[serde(rename = "gone")]
    Deleted,
}

/// A person as shown to others beside a game, a challenge or a setup.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PublicProfile {
    /// The id.
    pub id: PersonId,
    /// Guest, account, bot or deleted account.
    pub kind: PersonKind,
    /// The name; guests have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<PersonName>,
    /// The rating at the speed of the game or challenge, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
}

/// The person who asks: `GET /api/me`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Me {
    /// The id.
    pub id: PersonId,
    /// Guest, account, bot or deleted account.
    pub kind: PersonKind,
    /// The name; guests have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<PersonName>,
    /// The ratings at each speed with rated games.
    pub ratings: Vec<SpeedRating>,
    /// True if the person moderates the gallery.
    #[serde(default)]
    pub moderator: bool,
}

/// A person's profile page: `GET /api/people/{name}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FullProfile {
    /// The id.
    pub id: PersonId,
    /// Account or bot.
    pub kind: PersonKind,
    /// The name.
    pub name: PersonName,
    /// When the account was created, in milliseconds since 1970.
    pub since: u64,
    /// The ratings at each speed with rated games.
    pub ratings: Vec<SpeedRating>,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

/// Name and password, to sign up or sign in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Credentials {
    /// The name.
    pub name: PersonName,
    /// The password, 8 to 200 characters.
    #[cfg_attr(feature = "openapi", schema(example = "correct horse battery"))]
    pub password: String,
}

/// The password again, to confirm an action that cannot be undone.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PasswordConfirmation {
    /// The password; guests have none.
    #[serde(default)]
    pub password: String,
}

/// A change of the password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PasswordChange {
    /// The current password.
    pub old: String,
    /// The new password.
    pub new: String,
}

// Leave out passwords, so that they never get into logs.

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for PasswordConfirmation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Confirmation").finish_non_exhaustive()
    }
}

impl fmt::Debug for PasswordChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PasswordChange").finish_non_exhaustive()
    }
}
