//! How people, clocks and moments are written.

use std::time::Duration;

use khet::{Rules, TimeControl};
use khet_protocol::{GameOptions, PersonKind, PublicProfile, Rating, Speed, Start};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::address::{Page, use_navigation};
use crate::languages::{Words, use_words};
use crate::play::clock;
use crate::setup_names::setup_name;

const DAY: u64 = 24 * 60 * 60 * 1000;
const HOUR: u64 = 60 * 60 * 1000;

/// A person's name; guests and people who are gone have none of their own.
pub(crate) fn name(face: &PublicProfile, words: Words) -> String {
    match (&face.name, face.kind) {
        (Some(name), _) => name.to_string(),
        (None, PersonKind::Gone) => words.online_gone().to_owned(),
        (None, _) => words.online_guest().to_owned(),
    }
}

/// A rating; a question mark while it is a guess.
pub(super) fn rating(rating: Rating) -> String {
    format!("{}{}", rating.value, if rating.is_provisional() { "?" } else { "" })
}

/// A person: name, rating, and the way to their page, if they have one.
#[component]
pub(crate) fn FaceName(face: PublicProfile) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let shown = name(&face, words);
    let named = face.name.as_ref().filter(|_| face.kind != PersonKind::Gone);
    let name = match named {
        Some(name) => {
            let path = navigation.path_of(Page::Person, name.as_str());
            view! { <a class="face-name" href=path>{shown}</a> }.into_any()
        }
        None => view! { <span class="face-name">{shown}</span> }.into_any(),
    };
    view! {
        <span class="face">
            {name}
            {(face.kind == PersonKind::Bot).then(|| view! { <span class="face-bot">{words.online_bot()}</span> })}
            {face.rating.map(|value| view! { <span class="face-rating">{rating(value)}</span> })}
        </span>
    }
}

/// How quick a game is, in a word.
pub(crate) fn speed_name(speed: Speed, words: Words) -> &'static str {
    match speed {
        Speed::Bullet => words.online_speed_bullet(),
        Speed::Blitz => words.online_speed_blitz(),
        Speed::Rapid => words.online_speed_rapid(),
        Speed::Correspondence => words.online_speed_correspondence(),
    }
}

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
        TimeControl::Correspondence { days } => words.online_days_a_turn(usize::from(days)),
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
