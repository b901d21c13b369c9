//! Names that nobody can have: those of the house, and those that look like another's.

use khet_protocol::{ApiError, ErrorCode, PersonName};
use sha2::{Digest, Sha256};

use super::identity::hex;

/// Names that would make others believe something wrong. Names that look like them can't be had either.
const RESERVED: [&str; 31] = [
    "admin",
    "administrator",
    "anonymous",
    "api",
    "bot",
    "computer",
    "deleted",
    "engine",
    "everybody",
    "guest",
    "help",
    "host",
    "info",
    "me",
    "mod",
    "moderator",
    "nobody",
    "null",
    "official",
    "operator",
    "owner",
    "red",
    "root",
    "security",
    "server",
    "silver",
    "staff",
    "support",
    "system",
    "undefined",
    "you",
];

/// Names that begin like this are the house's own.
const HOUSE: &str = "khet";

/// What is kept of the look of a name.
pub(super) fn look(name: &PersonName) -> String {
    hex(&Sha256::digest(name.confusable_key().as_bytes()))
}

/// Whether people may have a name, if it is free.
pub(super) fn check(name: &PersonName) -> Result<(), ApiError> {
    let look = name.confusable_key();
    let alike = |reserved: &str| {
        reserved.parse().is_ok_and(|name: PersonName| name.confusable_key() == look)
    };
    if look.starts_with(HOUSE) || RESERVED.into_iter().any(alike) {
        return Err(ApiError::new(ErrorCode::Taken, format!("nobody can be called {name}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{RESERVED, check};

    #[test]
    fn names_of_the_house_are_refused_however_they_are_written() {
        for name in RESERVED {
            assert!(check(&name.parse().unwrap()).is_err(), "{name}");
        }
        for name in ["Adm1n", "s-y-s-t-e-m", "Khet-7", "KHET_team", "Gue5t"] {
            assert!(check(&name.parse().unwrap()).is_err(), "{name}");
        }
        for name in ["Anna", "Adam", "Readers", "Bo"] {
            assert!(check(&name.parse().unwrap()).is_ok(), "{name}");
        }
    }
}
