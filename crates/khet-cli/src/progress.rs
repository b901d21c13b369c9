//! Progress bars for long-running commands. They are hidden if standard error is not a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Maximum number of redraws per second.
const REDRAWS_PER_SECOND: u8 = 8;

/// Returns a bar over a number of steps.
pub(crate) fn bar(steps: u64) -> ProgressBar {
    styled(steps, "{bar:30} {percent:>3} %  {eta} left")
}

/// Returns a bar over a number of bytes, which also shows the speed.
pub(crate) fn bytes_bar(bytes: u64) -> ProgressBar {
    styled(bytes, "{bar:30} {percent:>3} %  {binary_bytes_per_sec}  {eta} left")
}

/// Returns a bar over the games of a match, with the score as its message.
pub(crate) fn match_bar(games: u64) -> ProgressBar {
    styled(games, "{bar:20} {pos} of {len}  {msg}  {eta} left")
}

/// Returns a bar over the steps of one phase of several, whose name is its message.
pub(crate) fn phase_bar(steps: u64) -> ProgressBar {
    styled(steps, "{bar:30} {percent:>3} %  {msg}  {eta} left")
}

/// Returns a bar over the puzzles of a file, with the rate as its prefix and the counts per theme as
/// its message.
pub(crate) fn puzzle_bar(puzzles: u64) -> ProgressBar {
    styled(puzzles, "{bar:20} {pos} of {len}  {prefix}  {elapsed} so far\n{msg}")
}

/// Creates a bar with a template.
fn styled(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(
        Some(length),
        ProgressDrawTarget::stderr_with_hz(REDRAWS_PER_SECOND),
    );
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars("━╸ ")),
        Err(_) => bar,
    }
}
