//! Dates and times in the format of the language.

use wasm_bindgen::JsValue;

use crate::languages::Words;

/// Returns a date in the format of the language: `16 nov. 2026`.
pub(crate) fn day(at: u64, words: Words) -> String {
    format_date(at, words, &[("dateStyle", "medium")])
}

/// Returns a date and a time of day in the format of the language: `16 nov. 2026, 18:07`.
pub(crate) fn day_and_time(at: u64, words: Words) -> String {
    format_date(at, words, &[("dateStyle", "medium"), ("timeStyle", "short")])
}

/// Returns a day without its year: `16 nov.`
pub(crate) fn day_of_month(at: u64, words: Words) -> String {
    format_date(at, words, &[("day", "numeric"), ("month", "short")])
}

/// Returns a month with its year: `nov. 2026`.
pub(crate) fn month(at: u64, words: Words) -> String {
    format_date(at, words, &[("month", "short"), ("year", "numeric")])
}

/// Returns a time of day: `18:07`.
pub(crate) fn time_of_day(at: u64, words: Words) -> String {
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
pub(crate) fn iso_time(at: u64) -> String {
    js_date(at).to_iso_string().into()
}

/// Converts a Unix time in milliseconds.
fn js_date(at: u64) -> js_sys::Date {
    js_sys::Date::new(&JsValue::from_f64(at as f64))
}
