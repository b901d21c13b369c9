//! Dates in the format of game records.

/// Returns the UTC date of a time in milliseconds since 1970: `2026.11.15`.
pub fn date(moment: u64) -> String {
    let (year, month, day) = civil_from_days(moment / (24 * 60 * 60 * 1000));
    format!("{year:04}.{month:02}.{day:02}")
}

/// Returns the year, month and day of a number of days since 1 January 1970. Counts years from
/// March, so that a leap day is the last day of a year.
fn civil_from_days(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let days = days + 719_468;
    let (era, day) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::civil_from_days;

    #[test]
    fn dates_of_known_days() {
        assert_eq!(civil_from_days(0), (1970, 1, 1));
        assert_eq!(civil_from_days(11_016), (2000, 2, 29));
        assert_eq!(civil_from_days(11_017), (2000, 3, 1));
        assert_eq!(civil_from_days(20_772), (2026, 11, 15));
    }
}
