//! Texts for time controls, game options and clocks.

use std::time::Duration;

use khet::Rules;
use khet_protocol::{GameOptions, Start};

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
