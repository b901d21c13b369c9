//! The guest or account of this browser. The browser stores only whether there is one, so that
//! visitors who never played cause no request.

use khet_protocol::{ErrorCode, Me};

use crate::api::{self, RequestError};
use crate::browser::storage;

const KEY: &str = "khet.me";

/// Stores that this browser has a guest or an account.
pub(crate) fn remember() {
    storage::store(KEY, "yes");
}

/// Stores that it has none, after signing out.
pub(crate) fn forget() {
    storage::store(KEY, "");
}

/// Returns the guest or account, if there is one and the server is reachable.
pub(crate) async fn fetch() -> Option<Me> {
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
