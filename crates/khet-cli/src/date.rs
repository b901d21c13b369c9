//! Today's date.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns today's date in UTC, in the format of the `Date` tag: `2026.11.15`.
pub(crate) fn today() -> String {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    khet_protocol::date(since_epoch.as_millis() as u64)
}
