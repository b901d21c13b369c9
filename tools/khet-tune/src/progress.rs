//! Progress bars. They are hidden if standard error is not a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// Returns a bar over a number of steps, such as games.
pub(crate) fn bar(steps: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    let template = format!("{{bar:30}} {{pos}} of {{len}} {unit}  {{msg}}  {{eta}} left");
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style.progress_chars("━╸ ")),
        Err(_) => bar,
    }
}
