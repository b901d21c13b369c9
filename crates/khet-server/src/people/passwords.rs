//! Password hashing with Argon2id. It is slow and needs memory on purpose, so only few run at once.

use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use khet_protocol::{ApiError, ErrorCode, PersonName};
use tokio::sync::Semaphore;

/// The minimum that OWASP recommends: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Number of passwords hashed at the same time. It bounds the work that strangers can cause.
const MAX_HASHING: usize = 2;
/// Longest wait before a request is rejected with "try again later".
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);
/// Allowed lengths of passwords, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=200;

/// Hashes and verifies passwords.
#[derive(Debug)]
pub(crate) struct Passwords {
    permits: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Passwords {
        Passwords { permits: Arc::new(Semaphore::new(MAX_HASHING)) }
    }
}

impl Passwords {
    /// Returns the hash of a password, in the PHC string format.
    pub(crate) async fn hash(&self, password: String) -> Result<String, ApiError> {
        let hashed = self.work(move || {
            argon2()?.hash_password(password.as_bytes()).map(|hash| hash.to_string()).ok()
        });
        hashed.await?.ok_or_else(failed)
    }

    /// Returns whether a password matches a hash. Without a hash it returns `false` after the same
    /// time, so that the response does not reveal whether a name exists.
    pub(crate) async fn is_right(
        &self,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, ApiError> {
        let Some(hash) = hash else {
            self.hash(password).await?;
            return Ok(false);
        };
        let checked = self.work(move || {
            let hash = PasswordHash::new(&hash).ok()?;
            Some(argon2()?.verify_password(password.as_bytes(), &hash).is_ok())
        });
        checked.await?.ok_or_else(failed)
    }

    /// Runs `work` on a blocking thread when fewer than `MAX_HASHING` are running.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        let Ok(Ok(permit)) = tokio::time::timeout(QUEUE_TIMEOUT, permit).await else {
            let busy = "too many people sign in at once; try again in a moment";
            return Err(ApiError::new(ErrorCode::Unavailable, busy).retry_after(5));
        };
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|_| failed())
    }
}

/// Returns the hash function with our parameters.
fn argon2() -> Option<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).ok()?;
    Some(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Returns the error for a failed hash.
fn failed() -> ApiError {
    ApiError::new(ErrorCode::Internal, "the password could not be checked")
}

/// Checks that a password is long enough and not the name. There are no rules about its characters.
pub(super) fn check(name: &PersonName, password: &str) -> Result<(), ApiError> {
    if !LENGTHS.contains(&password.chars().count()) {
        return Err(ApiError::new(ErrorCode::Invalid, "a password has 8 to 200 characters"));
    }
    if password.eq_ignore_ascii_case(name.as_str()) {
        return Err(ApiError::new(ErrorCode::Invalid, "the password must not be the name"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MAX_HASHING, Passwords, check};

    #[tokio::test]
    async fn only_the_right_password_matches() {
        let passwords = Passwords::default();
        let hash = passwords.hash("a long secret".to_owned()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let again = passwords.hash("a long secret".to_owned()).await.unwrap();
        assert_ne!(hash, again, "each has its own salt");
        let is_right = |password: &str, hash: Option<&String>| {
            passwords.is_right(password.to_owned(), hash.cloned())
        };
        assert_eq!(is_right("a long secret", Some(&hash)).await, Ok(true));
        assert_eq!(is_right("a long Secret", Some(&hash)).await, Ok(false));
        assert_eq!(is_right("a long secret", None).await, Ok(false));
    }

    #[tokio::test]
    async fn hashing_does_not_block_other_tasks() {
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
            most = most.max(MAX_HASHING - passwords.permits.available_permits());
        }
        assert_eq!(most, MAX_HASHING);
        assert!(others > 0, "this runtime has one thread, and it was free");
    }

    #[test]
    fn short_and_obvious_passwords_are_rejected() {
        let name = "Annabella".parse().unwrap();
        assert!(check(&name, "1234567").is_err());
        assert!(check(&name, "annaBELLA").is_err());
        assert!(check(&name, &"x".repeat(201)).is_err());
        assert!(check(&name, "žluťoučký").is_ok());
    }
}
