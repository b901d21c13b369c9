//! The text on a clock.

use std::time::Duration;

use crate::languages::Words;

/// Formats a time: `4:51`, `1:00:00`, and with tenths below ten seconds: `0:09.4`.
pub fn format_time(left: Duration, words: Words) -> String {
    if left < Duration::from_secs(10) {
        // Rounded up, so that zero is shown only when the time is over.
        let tenths = left.as_millis().div_ceil(100);
        return format!("0:{:02}{}{}", tenths / 10, words.shell_decimal_point(), tenths % 10);
    }
    let seconds = left.as_millis().div_ceil(1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::Language;

    #[test]
    fn tenths_are_shown_in_the_last_seconds() {
        let english = Words::default();
        let format_time = |milliseconds| format_time(Duration::from_millis(milliseconds), english);
        assert_eq!(format_time(291_000), "4:51");
        assert_eq!(format_time(3_600_000), "1:00:00");
        assert_eq!(format_time(9_999), "0:10.0");
        assert_eq!(format_time(9_400), "0:09.4");
        assert_eq!(format_time(1), "0:00.1");
        assert_eq!(format_time(0), "0:00.0");
        let german = Words::new(Language::German);
        assert_eq!(super::format_time(Duration::from_millis(9_400), german), "0:09,4");
    }
}
