//! Quoting a wrong text in its error.

/// At most this many characters of a wrong text are repeated.
const LENGTH: usize = 20;

/// The text, or its beginning.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
