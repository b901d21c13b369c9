//! The bar that long work shows on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often a second the bar is drawn anew.
const REDRAWS: u8 = 8;

/// A bar over that many steps; nothing is drawn where standard error is not a terminal.
pub(crate) fn bar(steps: u64) -> ProgressBar {
    styled(steps, "{bar:30} {percent:>3} %  {eta} left")
}

/// The same over bytes.
pub(crate) fn bytes_bar(bytes: u64) -> ProgressBar {
    styled(bytes, "{bar:30} {percent:>3} %  {binary_bytes_per_sec}  {eta} left")
}

/// The same over the games of a match, with its score.
pub(crate) fn match_bar(games: u64) -> ProgressBar {
    styled(games, "{bar:20} {pos} of {len}  {msg}  {eta} left")
}

fn styled(length: u64, template: &str) -> ProgressBar {
    let bar =
        ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(REDRAWS));
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars("━╸ ")),
        Err(_) => bar,
    }
}
