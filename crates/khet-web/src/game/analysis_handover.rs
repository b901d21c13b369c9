//! Hands a game over to the analysis page, which is another program: through local storage.

use khet::Place;

use crate::browser::storage;

/// Key of the study on the analysis page, with its source.
pub(crate) const STUDY: &str = "khet.analysis";
/// Key of the study that it replaced.
pub(crate) const PREVIOUS_STUDY: &str = "khet.analysis.before";

/// Formats a study for storage: its source and the place in it on a line each, then the record.
pub(crate) fn study_text(source: &str, place: &Place, record: &str) -> String {
    format!("{}\n{place}\n{record}", source.replace('\n', " "))
}

/// Stores a game record as the study that the analysis page opens next.
pub(crate) fn hand_over(record: &str) {
    let study = storage::load_or_empty(STUDY);
    if !study.is_empty() && !study.ends_with(record) {
        storage::store(PREVIOUS_STUDY, &study);
    }
    storage::store(STUDY, &study_text("", &Place::default(), record));
}
