//! The text that a clock shows.

use std::time::Duration;

/// A time as clocks show it: `4:51`, `1:00:00`, and with tenths below ten seconds: `0:09.4`.
pub fn face(left: Duration) -> String {
    if left < Duration::from_secs(10) {
        // Rounded up, so that it shows zero only when it is.
        let tenths = left.as_millis().div_ceil(100);
        return format!("0:{:02}.{}", tenths / 10, tenths % 10);
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

    #[test]
    fn faces_show_tenths_at_the_end() {
        let face = |milliseconds| face(Duration::from_millis(milliseconds));
        assert_eq!(face(291_000), "4:51");
        assert_eq!(face(3_600_000), "1:00:00");
        assert_eq!(face(9_999), "0:10.0");
        assert_eq!(face(9_400), "0:09.4");
        assert_eq!(face(1), "0:00.1");
        assert_eq!(face(0), "0:00.0");
    }
}
