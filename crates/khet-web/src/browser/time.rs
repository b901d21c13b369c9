//! The current time and date.

use std::time::Duration;

use leptos::prelude::*;

/// Returns today's date as game records write it: `2026.11.15`.
pub(crate) fn date() -> String {
    let today = js_sys::Date::new_0();
    let (year, month, day) = (today.get_full_year(), today.get_month() + 1, today.get_date());
    format!("{year:04}.{month:02}.{day:02}")
}

/// Returns the time since the page was loaded.
pub(crate) fn now() -> Duration {
    let milliseconds = window().performance().map_or(0.0, |performance| performance.now());
    Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0)
}
