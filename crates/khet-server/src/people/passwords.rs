//! Password hashing with Argon2id. It is slow and needs memory on purpose, so only few run at once.
//!
//! The memory is reused: the allocator keeps freed blocks of this size for each thread, and
//! hundreds of threads take turns.

use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use khet_protocol::{ApiError, ErrorCode, PersonName};

use crate::blocking_jobs::{BlockingJobs, JobError};

/// The minimum that OWASP recommends: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Length of a hash, in bytes.
const HASH_LENGTH: usize = Params::DEFAULT_OUTPUT_LEN;
/// Number of passwords hashed at the same time. It bounds the work that strangers can cause.
const MAX_HASHING: usize = 2;
/// Number of requests that may wait for that. Others are rejected with "try again later".
const MAX_WAITING: usize = 50;
/// Allowed lengths of passwords, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=200;

/// Hashes and verifies passwords.
#[derive(Debug)]
pub(crate) struct Passwords {
    jobs: BlockingJobs,
    memory: HashMemory,
}

impl Default for Passwords {
    fn default() -> Passwords {
        Passwords {
            jobs: BlockingJobs::new(MAX_HASHING, MAX_WAITING),
            memory: HashMemory::default(),
        }
    }
}

/// The memory of finished jobs, which the next ones use. There are as many buffers as jobs have run
/// at once, so at most [`MAX_HASHING`].
#[derive(Clone, Debug, Default)]
struct HashMemory(Arc<Mutex<Vec<Vec<Block>>>>);

impl HashMemory {
    /// Runs `work` with a buffer of at least `blocks` blocks.
    fn with<T>(&self, blocks: usize, work: impl FnOnce(&mut [Block]) -> T) -> T {
        let mut buffer = self.lock().pop().unwrap_or_default();
        if buffer.len() < blocks {
            buffer.resize(blocks, Block::default());
        }
        let result = work(&mut buffer[..blocks]);
        self.lock().push(buffer);
        result
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Vec<Block>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Passwords {
    /// Returns the hash of a password, in the PHC string format.
    pub(crate) async fn hash(&self, password: String) -> Result<String, ApiError> {
        let memory = self.memory.clone();
        let hashed = self.work(move || {
            let (salt, params) = (Salt::generate(), params()?);
            let hash = PasswordHash {
                algorithm: Algorithm::Argon2id.ident(),
                version: Some(Version::V0x13.into()),
                params: ParamsString::try_from(&params).ok()?,
                salt: Some(salt),
                hash: Some(compute(
                    &memory,
                    (Algorithm::Argon2id, Version::V0x13, params),
                    &password,
                    &salt,
                    HASH_LENGTH,
                )?),
            };
            Some(hash.to_string())
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
        let memory = self.memory.clone();
        let checked = self.work(move || {
            let hash = PasswordHash::new(&hash).ok()?;
            let (salt, expected) = (hash.salt?, hash.hash?);
            let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
            let version = Version::try_from(hash.version?).ok()?;
            let function = (algorithm, version, Params::try_from(&hash).ok()?);
            let output = compute(&memory, function, &password, &salt, expected.len())?;
            // Compares in constant time.
            Some(output == expected)
        });
        checked.await?.ok_or_else(failed)
    }

    /// Runs `work` on a blocking thread when fewer than `MAX_HASHING` are running.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.jobs.run(work).await.map_err(|error| match error {
            JobError::TooBusy => {
                let busy = "too many people sign in at once; try again in a moment";
                ApiError::new(ErrorCode::Unavailable, busy).retry_after(5)
            }
            JobError::Panicked => failed(),
        })
    }
}

/// Returns our parameters of the hash function.
fn params() -> Option<Params> {
    Params::new(MEMORY_KIB, PASSES, LANES, None).ok()
}

/// Returns the hash of a password.
fn compute(
    memory: &HashMemory,
    (algorithm, version, params): (Algorithm, Version, Params),
    password: &str,
    salt: &[u8],
    length: usize,
) -> Option<Output> {
    let blocks = params.block_count();
    let function = Argon2::new(algorithm, version, params);
    let mut output = vec![0; length];
    memory
        .with(blocks, |memory| {
            function.hash_password_into_with_memory(password.as_bytes(), salt, &mut output, memory)
        })
        .ok()?;
    Output::new(&output).ok()
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
    async fn hashes_of_earlier_versions_match() {
        let hash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$";
        // Computed with the library's own functions, which earlier versions used.
        let reference = super::params().map(|params| {
            argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params)
        });
        let mut output = [0; 32];
        let salt = b"somesaltsomesalt";
        reference.unwrap().hash_password_into(b"a long secret", salt, &mut output).unwrap();
        let output = super::Output::new(&output).unwrap();
        let stored = format!("{hash}{output}");
        let passwords = Passwords::default();
        assert_eq!(passwords.is_right("a long secret".to_owned(), Some(stored)).await, Ok(true));
    }

    #[tokio::test]
    async fn hashing_does_not_block_other_tasks() {
        let passwords = Passwords::default();
        let hashes = (0..6).map(|_| passwords.hash("a long secret".to_owned()));
        let mut hashes = std::pin::pin!(futures_util::future::join_all(hashes));
        let mut others = 0;
        loop {
            tokio::select! {
                biased;
                hashed = &mut hashes => break assert!(hashed.iter().all(Result::is_ok)),
                () = tokio::task::yield_now() => others += 1,
            }
        }
        assert!(others > 0, "this runtime has one thread, and it was free");
        // The memory of all six hashes is that of two.
        assert!(passwords.memory.lock().len() <= MAX_HASHING);
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
