//! Who sits in front of this screen. The server knows; the browser remembers only that there is somebody to ask about, so that
//! visitors who never played are not asked for.

use khet_protocol::{ErrorCode, Me};

use crate::play::storage;
use crate::server::{self, Trouble};

const KEY: &str = "khet.me";

/// Somebody is known to the server from now on: a guest or an account.
pub(crate) fn remember() {
    storage::remember(KEY, "yes");
}

/// Nobody is, after signing out.
pub(crate) fn forget() {
    storage::remember(KEY, "");
}

/// Who it is; nobody before the first game, and when the server can't be asked.
pub(crate) async fn ask() -> Option<Me> {
    if storage::remembered(KEY).is_empty() {
        return None;
    }
    match server::get("/api/me").await {
        Ok(me) => Some(me),
        Err(trouble) => {
            if let Trouble::Refused(error) = trouble
                && error.code == ErrorCode::SignedOut
            {
                forget();
            }
            None
        }
    }
}
