//! Names that people can't choose: reserved ones, and those that look like another person's.

use khet_protocol::{ApiError, ErrorCode, PersonName};
use sha2::{Digest, Sha256};

use super::identity::hex;

/// Names that could deceive others. Names that look like them are rejected too.
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

/// Prefix of the names of house bots.
const HOUSE_PREFIX: &str = "khet";

/// Returns a hash of the appearance of a name, which is equal for names that look alike.
pub(super) fn appearance_hash(name: &PersonName) -> String {
    hex(&Sha256::digest(name.confusable_key().as_bytes()))
}

/// Checks that a name is allowed. It may still be taken.
pub(super) fn check(name: &PersonName) -> Result<(), ApiError> {
    let look = name.confusable_key();
    let alike = |reserved: &str| {
        reserved.parse().is_ok_and(|name: PersonName| name.confusable_key() == look)
    };
    if look.starts_with(HOUSE_PREFIX) || RESERVED.into_iter().any(alike) {
        return Err(ApiError::new(ErrorCode::Taken, format!("the name {name} is reserved")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{RESERVED, check};

    #[test]
    fn reserved_names_are_rejected() {
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
