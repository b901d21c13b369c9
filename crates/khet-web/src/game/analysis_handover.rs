//! Hands a game over to the analysis page through local storage, because it is another program.

use khet::TreePath;

use crate::browser::storage;

/// Key of the study on the analysis page, with its source.
pub(crate) const STUDY: &str = "khet.analysis";
/// Key of the study that it replaced.
pub(crate) const PREVIOUS_STUDY: &str = "khet.analysis.before";

/// Formats a study for storage: its source and the path of its current move on a line each, then
/// the record.
pub(crate) fn study_text(source: &str, path: &TreePath, record: &str) -> String {
    format!("{}\n{path}\n{record}", source.replace('\n', " "))
}

/// Stores a game record as the study that the analysis page opens next.
pub(crate) fn hand_over(record: &str) {
    let study = storage::load_or_empty(STUDY);
    if !study.is_empty() && !study.ends_with(record) {
        storage::store(PREVIOUS_STUDY, &study);
    }
    storage::store(STUDY, &study_text("", &TreePath::default(), record));
}
