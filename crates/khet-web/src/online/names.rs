//! How people, clocks and moments are written.

use std::time::Duration;

use khet::{Rules, TimeControl};
use khet_protocol::{GameOptions, Start};
use wasm_bindgen::JsValue;

use crate::game::clock;
use crate::game_ui::names::setup_name;
use crate::languages::Words;

const DAY: u64 = 24 * 60 * 60 * 1000;
const HOUR: u64 = 60 * 60 * 1000;

/// Returns the name of a time control: `5 + 3`, `3 days per move`.
pub(super) fn time_name(time: TimeControl, words: Words) -> String {
    match time {
        TimeControl::Unlimited => words.online_no_clock().to_owned(),
        TimeControl::RealTime { start, increment } => {
            let (start, increment) = (start.as_secs(), increment.as_secs());
            let (minutes, seconds) = (start / 60, start % 60);
            match seconds {
                0 => format!("{minutes} + {increment}"),
                _ => format!("{minutes}:{seconds:02} + {increment}"),
            }
        }
        TimeControl::Correspondence { days } => words.online_days_per_move(usize::from(days)),
    }
}

/// What is played, in a line.
pub(super) fn options_line(options: &GameOptions, words: Words) -> String {
    let setup = match &options.start {
        Start::Setup(setup) => setup_name(*setup, words),
        Start::Position(_) => words.play_own_position(),
    };
    let rated = if options.rated { words.online_rated() } else { words.online_casual() };
    let mut line = format!("{setup} · {} · {rated}", time_name(options.time, words));
    if options.rules == Rules::Czech {
        line.push_str(" · ");
        line.push_str(words.play_rules_czech());
    }
    line
}

/// What a clock shows: days and hours as long as there are days.
pub(super) fn clock_face(left: u64, words: Words) -> String {
    if left >= DAY {
        let (days, hours) = (left / DAY, left % DAY / HOUR);
        words.online_days_hours(days, hours)
    } else {
        clock::face(Duration::from_millis(left))
    }
}

/// A day, as the reader's language writes it.
pub(super) fn day(at: u64, words: Words) -> String {
    let options = js_sys::Object::new();
    // It fails only for objects that can't be changed.
    let _ = js_sys::Reflect::set(
        &options,
        &JsValue::from_str("dateStyle"),
        &JsValue::from_str("medium"),
    );
    date(at).to_locale_date_string(words.language().code(), &options).into()
}

/// A moment, for programs that read the page.
pub(super) fn moment(at: u64) -> String {
    date(at).to_iso_string().into()
}

fn date(at: u64) -> js_sys::Date {
    js_sys::Date::new(&JsValue::from_f64(at as f64))
}
