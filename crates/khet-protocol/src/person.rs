//! People: guests, accounts and bots, as others see them and as they see themselves.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::{as_text, excerpt};
use crate::{PersonId, Rating, SpeedRating};

/// The name of an account: 2 to 20 letters, digits, `-` and `_`, beginning with a letter.
///
/// Names that differ in upper and lower case alone are the same name; see [`PersonName::key`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PersonName(String);

/// A text that can't be a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseNameError(String);

impl fmt::Display for ParseNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: a name is 2 to 20 letters, digits, - and _, a letter first", self.0)
    }
}

impl std::error::Error for ParseNameError {}

impl PersonName {
    /// The name as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is the same for names that count as one.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// What the name looks like at a glance: the same for `Anna-10`, `anna_1O` and `ANNAlo`. Two people never look alike.
    ///
    /// ```
    /// use khet_protocol::PersonName;
    ///
    /// let look = |name: &str| name.parse().map(|name: PersonName| name.look());
    /// assert_eq!(look("Wi11iam"), look("vvlll-iarn"));
    /// assert_ne!(look("William"), look("Wilma"));
    /// # Ok::<_, khet_protocol::ParseNameError>(())
    /// ```
    pub fn look(&self) -> String {
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

/// What kind of person someone is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum PersonKind {
    /// Someone known by a cookie alone.
    Guest,
    /// Someone with a name and a password.
    Account,
    /// A program with an account.
    Bot,
    /// Someone who has deleted the account.
    Gone,
}

/// A person as others see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PublicProfile {
    /// Their id.
    pub id: PersonId,
    /// Guest, account or bot.
    pub kind: PersonKind,
    /// The name, if they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<PersonName>,
    /// The rating at the speed of the game or challenge, if they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
}

/// A person as they see themselves: `GET /api/me`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Me {
    /// Their id.
    pub id: PersonId,
    /// Guest, account or bot.
    pub kind: PersonKind,
    /// The name, if they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<PersonName>,
    /// The ratings at all speeds that they have played.
    pub ratings: Vec<SpeedRating>,
    /// Whether they decide about reported setups of the gallery.
    #[serde(default)]
    pub moderator: bool,
}

/// A person's page: `GET /api/people/{name}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Profile {
    /// Their id.
    pub id: PersonId,
    /// Account or bot.
    pub kind: PersonKind,
    /// The name.
    pub name: PersonName,
    /// When the account was made, in milliseconds since 1970.
    pub since: u64,
    /// The ratings at all speeds that they have played.
    pub ratings: Vec<SpeedRating>,
    /// Finished games that were won, drawn and lost.
    pub won: u32,
    /// See `won`.
    pub drawn: u32,
    /// See `won`.
    pub lost: u32,
}

/// Name and password: to sign up or in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Credentials {
    /// The name.
    pub name: PersonName,
    /// The password, 8 to 200 characters.
    #[cfg_attr(feature = "openapi", schema(example = "correct horse battery"))]
    pub password: String,
}

/// The own password once more, for what can't be undone.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Confirmation {
    /// The password; guests have none.
    #[serde(default)]
    pub password: String,
}

/// Another password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PasswordChange {
    /// The password until now.
    pub old: String,
    /// The password from now on.
    pub new: String,
}

// Passwords and tokens do not belong in logs.

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for Confirmation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Confirmation").finish_non_exhaustive()
    }
}

impl fmt::Debug for PasswordChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PasswordChange").finish_non_exhaustive()
    }
}
