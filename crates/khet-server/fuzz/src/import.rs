//! Fuzz target: any text as a file of games to import.

use khet::{AnyPosition, Record, Records};
use khet_server::fuzzing;

/// Imports the games of a text. A stored game is exported as it was: its start, moves, tags and
/// result. Imported again, it is the same game.
pub fn import(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for record in Records::any(text).flatten() {
        let Ok(exported) = fuzzing::import(&record) else { continue };
        assert_eq!(exported.start(), record.start());
        assert_eq!(exported.result(), record.result());
        assert_eq!(exported.game().moves(), record.game().moves());
        assert_eq!(sorted_tags(&exported), sorted_tags(&record), "{record}");
        let again: Record<AnyPosition> =
            exported.to_string().parse().expect("an export can be read");
        assert_eq!(fuzzing::import(&again).as_ref(), Ok(&exported));
    }
}

/// Returns the tags of a record without their order, which an export does not keep.
fn sorted_tags(record: &Record<AnyPosition>) -> Vec<(&str, &str)> {
    let mut tags: Vec<_> = record.free_tags().collect();
    tags.sort_unstable();
    tags
}
