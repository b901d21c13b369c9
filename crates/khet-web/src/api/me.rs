//! Who sits in front of this screen. The server knows; the browser remembers only that there is somebody to ask about, so that
//! visitors who never played are not asked for.

use khet_protocol::{ErrorCode, Me};

use crate::api::{self, RequestError};
use crate::browser::storage;

const KEY: &str = "khet.me";

/// Somebody is known to the server from now on: a guest or an account.
pub(crate) fn remember() {
    storage::store(KEY, "yes");
}

/// Nobody is, after signing out.
pub(crate) fn forget() {
    storage::store(KEY, "");
}

/// Who it is; nobody before the first game, and when the server can't be asked.
pub(crate) async fn ask() -> Option<Me> {
    if storage::load_or_empty(KEY).is_empty() {
        return None;
    }
    match api::get("/api/me").await {
        Ok(me) => Some(me),
        Err(error) => {
            if let RequestError::Refused(error) = error
                && error.code == ErrorCode::SignedOut
            {
                forget();
            }
            None
        }
    }
}
