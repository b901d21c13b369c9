//! Texts for time controls, game options, clocks and dates.

use std::time::Duration;

use khet::Rules;
use khet_protocol::{GameOptions, Start};
use wasm_bindgen::JsValue;

use crate::game::clock;
use crate::game_ui::names::{setup_name, time_name};
use crate::languages::Words;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
const HOUR_MS: u64 = 60 * 60 * 1000;

/// Returns the options of a game as one line.
pub(super) fn options_line(options: &GameOptions, words: Words) -> String {
    line_of_options(options, Some(time_name(options.time, words)), words)
}

/// Returns the options of a game as one line, without the time control.
pub(super) fn terms_line(options: &GameOptions, words: Words) -> String {
    line_of_options(options, None, words)
}

fn line_of_options(options: &GameOptions, time: Option<String>, words: Words) -> String {
    let setup = match &options.start {
        Start::Setup(setup) => setup_name(*setup, words),
        Start::Position(_) => words.play_own_position(),
    };
    let rated = if options.rated { words.online_rated() } else { words.online_casual() };
    let mut parts = vec![setup];
    parts.extend(time.as_deref());
    parts.push(rated);
    if options.private {
        parts.push(words.online_private());
    }
    if options.rules == Rules::Czech {
        parts.push(words.play_rules_czech());
    }
    parts.join(" · ")
}

/// Returns the time on a clock, in days and hours if it is at least one day.
pub(super) fn format_time_left(left: u64, words: Words) -> String {
    if left >= DAY_MS {
        let (days, hours) = (left / DAY_MS, left % DAY_MS / HOUR_MS);
        words.online_days_hours(days, hours)
    } else {
        clock::format_time(Duration::from_millis(left), words)
    }
}

/// Returns a date in the format of the language: `16 nov. 2026`.
pub(super) fn day(at: u64, words: Words) -> String {
    format_date(at, words, &[("dateStyle", "medium")])
}

/// Returns a date and a time of day in the format of the language: `16 nov. 2026, 18:07`.
pub(super) fn day_and_time(at: u64, words: Words) -> String {
    format_date(at, words, &[("dateStyle", "medium"), ("timeStyle", "short")])
}

/// Returns a day without its year: `16 nov.`
pub(super) fn day_of_month(at: u64, words: Words) -> String {
    format_date(at, words, &[("day", "numeric"), ("month", "short")])
}

/// Returns a month with its year: `nov. 2026`.
pub(super) fn month(at: u64, words: Words) -> String {
    format_date(at, words, &[("month", "short"), ("year", "numeric")])
}

/// Returns a time of day: `18:07`.
pub(super) fn time_of_day(at: u64, words: Words) -> String {
    format_date(at, words, &[("timeStyle", "short")])
}

/// Formats a date for the language, with options of `Intl.DateTimeFormat`.
fn format_date(at: u64, words: Words, options: &[(&str, &str)]) -> String {
    let format = js_sys::Object::new();
    for (name, value) in options {
        // This fails only for immutable objects.
        let _ = js_sys::Reflect::set(&format, &JsValue::from_str(name), &JsValue::from_str(value));
    }
    js_date(at).to_locale_string(words.language().code(), &format).into()
}

/// Returns a time in ISO 8601, for `datetime` attributes.
pub(super) fn iso_time(at: u64) -> String {
    js_date(at).to_iso_string().into()
}

/// Converts a Unix time in milliseconds.
fn js_date(at: u64) -> js_sys::Date {
    js_sys::Date::new(&JsValue::from_f64(at as f64))
}
