//! Fuzz target: any game record with its variations as the link of an analysis.

use khet::{AnyPosition, Record, Records};
use khet_web::fuzzing::compact_record;

/// Writes the games of a text as links. Read again, a link has the same tree.
pub fn write_link(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for record in Records::any(text).flatten() {
        let link = compact_record(&record.to_string());
        assert!(link.starts_with('['), "{link}");
        let again: Record<AnyPosition> =
            link.parse().unwrap_or_else(|error| panic!("{link} can't be read: {error}\n{record}"));
        assert_eq!(again, record, "{link}");
    }
}
