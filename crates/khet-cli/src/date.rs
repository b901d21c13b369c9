//! Today's date.

use std::time::{SystemTime, UNIX_EPOCH};

/// The date as records write it, in universal time.
pub(crate) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    khet_protocol::date(since.as_millis() as u64)
}
