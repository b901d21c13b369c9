//! Ids of games, challenges, seeks, people and setups, assigned by the server.
//!
//! Ids are unguessable but not secret: anyone with the link can open what it names.

use std::fmt;
use std::str::FromStr;

use crate::text::{as_text, excerpt};

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A text that is not an id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseIdError {
    text: String,
    what: &'static str,
    length: usize,
}

impl fmt::Display for ParseIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} is {} letters and digits", self.text, self.what, self.length)
    }
}

impl std::error::Error for ParseIdError {}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $length:literal, $what:literal, $example:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; $length]);

        impl $name {
            /// Returns the id made from the lowest bits of a random number.
            pub fn from_number(mut number: u128) -> $name {
                let mut digits = [0; $length];
                for digit in &mut digits {
                    *digit = DIGITS[(number % 62) as usize];
                    number /= 62;
                }
                $name(digits)
            }

            /// Returns the id as text.
            pub fn as_str(&self) -> &str {
                std::str::from_utf8(&self.0).unwrap_or_default()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<$name, ParseIdError> {
                match <[u8; $length]>::try_from(text.as_bytes()) {
                    Ok(bytes) if bytes.iter().all(u8::is_ascii_alphanumeric) => Ok($name(bytes)),
                    _ => Err(ParseIdError { text: excerpt(text), what: $what, length: $length }),
                }
            }
        }

        as_text!($name, $example);
    };
}

id! {
    /// A game: its address is `/api/games/{id}`.
    GameId, 8, "a game's id", "7Hc0aWxz"
}
id! {
    /// A challenge. Anyone with its link can accept it.
    ChallengeId, 10, "a challenge's id", "k3JvQ9sT1b"
}
id! {
    /// A seek in the lobby.
    SeekId, 10, "a seek's id", "Wd5rT0xYp2"
}
id! {
    /// A setup of the gallery: its address is `/api/setups/{id}`.
    SetupId, 8, "a setup's id", "q4Wn8sBd"
}
id! {
    /// A person: guest, account or bot.
    PersonId, 12, "a person's id", "Zx81mN0pQr4s"
}
id! {
    /// An imported game. The id is a hash of the game, so that importing a game twice gives the
    /// same id.
    ImportedId, 12, "the id of an imported game", "m4Xq0ZbT81cW"
}

#[cfg(test)]
mod tests {
    use super::{GameId, PersonId};

    #[test]
    fn ids_are_read_as_they_are_written() {
        let id = GameId::from_number(0x0123_4567_89ab_cdef);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
        assert_eq!(serde_json::from_str::<GameId>(&format!("\"{id}\"")).unwrap(), id);
    }

    #[test]
    fn invalid_ids_are_rejected() {
        for text in ["", "short", "much too long", "with spa", "žluťouč", "../../et"] {
            assert!(text.parse::<GameId>().is_err(), "{text}");
        }
        let error = "x".repeat(1000).parse::<PersonId>().unwrap_err().to_string();
        assert_eq!(error, "\"xxxxxxxxxxxxxxxxxxxx…\": a person's id is 12 letters and digits");
    }
}
