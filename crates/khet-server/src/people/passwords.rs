//! Passwords: hashed by Argon2id, which takes time and memory on purpose, so only a few at once.

use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use khet_protocol::{ApiError, ErrorCode, PersonName};
use tokio::sync::Semaphore;

/// What OWASP asks for at least: 19 MiB, two passes, one lane.
const MEMORY: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// How many are hashed at once: this bounds what strangers can make the server spend.
const AT_ONCE: usize = 2;
/// How long someone waits for a place before being told to come back.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many characters a password has.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=200;

/// The place where passwords are hashed.
#[derive(Debug)]
pub(crate) struct Passwords {
    places: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Passwords {
        Passwords { places: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Passwords {
    /// What is kept of a password.
    pub(crate) async fn hash(&self, password: String) -> Result<String, ApiError> {
        let hashed = self.work(move || {
            argon2()?.hash_password(password.as_bytes()).map(|hash| hash.to_string()).ok()
        });
        hashed.await?.ok_or_else(failed)
    }

    /// Whether a password is the one of which this is kept. Without anything the answer is no, after the same time.
    pub(crate) async fn is_right(
        &self,
        password: String,
        kept: Option<String>,
    ) -> Result<bool, ApiError> {
        let Some(kept) = kept else {
            self.hash(password).await?;
            return Ok(false);
        };
        let checked = self.work(move || {
            let hash = PasswordHash::new(&kept).ok()?;
            Some(argon2()?.verify_password(password.as_bytes(), &hash).is_ok())
        });
        checked.await?.ok_or_else(failed)
    }

    /// Works beside the threads that serve, when there is a place.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = Arc::clone(&self.places).acquire_owned();
        let Ok(Ok(place)) = tokio::time::timeout(PATIENCE, place).await else {
            let busy = "too many people sign in at once; try again in a moment";
            return Err(ApiError::new(ErrorCode::Unavailable, busy).retry_after(5));
        };
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        done.await.map_err(|_| failed())
    }
}

fn argon2() -> Option<Argon2<'static>> {
    let params = Params::new(MEMORY, PASSES, LANES, None).ok()?;
    Some(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn failed() -> ApiError {
    ApiError::new(ErrorCode::Internal, "the password could not be checked")
}

/// Whether someone may have a password. Length is what counts; nothing is asked of its letters.
pub(super) fn check(name: &PersonName, password: &str) -> Result<(), ApiError> {
    if !LENGTH.contains(&password.chars().count()) {
        return Err(ApiError::new(ErrorCode::Invalid, "a password has 8 to 200 characters"));
    }
    if password.eq_ignore_ascii_case(name.as_str()) {
        return Err(ApiError::new(ErrorCode::Invalid, "the password must not be the name"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{AT_ONCE, Passwords, check};

    #[tokio::test]
    async fn only_the_right_password_opens() {
        let passwords = Passwords::default();
        let kept = passwords.hash("a long secret".to_owned()).await.unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        let again = passwords.hash("a long secret".to_owned()).await.unwrap();
        assert_ne!(kept, again, "each has its own salt");
        let is_right = |password: &str, kept: Option<&String>| {
            passwords.is_right(password.to_owned(), kept.cloned())
        };
        assert_eq!(is_right("a long secret", Some(&kept)).await, Ok(true));
        assert_eq!(is_right("a long Secret", Some(&kept)).await, Ok(false));
        assert_eq!(is_right("a long secret", None).await, Ok(false));
    }

    #[tokio::test]
    async fn others_go_on_while_a_few_are_hashed() {
        let passwords = Passwords::default();
        let hashes = (0..6).map(|_| passwords.hash("a long secret".to_owned()));
        let mut hashes = std::pin::pin!(futures_util::future::join_all(hashes));
        let (mut others, mut most) = (0, 0);
        loop {
            tokio::select! {
                biased;
                hashed = &mut hashes => break assert!(hashed.iter().all(Result::is_ok)),
                () = tokio::task::yield_now() => others += 1,
            }
            most = most.max(AT_ONCE - passwords.places.available_permits());
        }
        assert_eq!(most, AT_ONCE);
        assert!(others > 0, "this runtime has one thread, and it was free");
    }

    #[test]
    fn short_and_obvious_passwords_are_refused() {
        let name = "Annabella".parse().unwrap();
        assert!(check(&name, "1234567").is_err());
        assert!(check(&name, "annaBELLA").is_err());
        assert!(check(&name, &"x".repeat(201)).is_err());
        assert!(check(&name, "žluťoučký").is_ok());
    }
}
