//! Quotations of invalid text in error messages.

/// The largest number of characters that are quoted.
const MAX_EXCERPT_LENGTH: usize = 20;

/// Returns the text, shortened if it is long.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
