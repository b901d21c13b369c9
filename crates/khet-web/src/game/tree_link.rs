//! A tree of variations as the fragment of a link. Browsers do not send fragments to the server.

use js_sys::{decode_uri_component, encode_uri_component};

use crate::rules::Record;

/// Maximum length of a fragment. Some programs cut off longer addresses.
pub(crate) const MAX_LENGTH: usize = 8_000;

/// Encodes a record as a fragment, or returns `None` if it would be too long.
pub(crate) fn write(record: &Record) -> Option<String> {
    let text = String::from(encode_uri_component(&compact(&record.to_string())));
    // A plus sign of the text itself is encoded as `%2B`.
    let text = text.replace("%20", "+");
    (text.len() <= MAX_LENGTH).then_some(text)
}

/// Decodes a fragment to the text of a record.
pub(crate) fn read(fragment: &str) -> Option<String> {
    let fragment = fragment.trim_start_matches('#');
    if fragment.is_empty() || fragment.len() > MAX_LENGTH {
        return None;
    }
    let text = decode_uri_component(&fragment.replace('+', "%20")).ok().map(String::from);
    // Every record starts with a tag; other fragments are anchors of the page.
    text.filter(|text| text.starts_with('['))
}

/// Removes the parts of a record that the parser does not need: move numbers and hits.
pub fn compact(record: &str) -> String {
    let (tags, moves) = record.split_once("\n\n").unwrap_or(("", record));
    let mut text = tags.replace('\n', " ");
    let mut rest = moves;
    while !rest.is_empty() {
        let (plain, comment) = match rest.find('{') {
            None => (rest, ""),
            Some(at) => rest.split_at(at),
        };
        for word in plain.split_ascii_whitespace() {
            // A removed word may start or end a variation, whose parentheses stay.
            let inside = word.trim_start_matches('(').trim_end_matches(')');
            let first = inside.bytes().next();
            let number = inside.ends_with('.') && first.is_some_and(|byte| byte.is_ascii_digit());
            let kept = if number || first == Some(b'x') {
                word.replace(inside, "")
            } else {
                word.to_owned()
            };
            if !kept.is_empty() {
                text.push(' ');
                text.push_str(&kept);
            }
        }
        let end = comment.find('}').map_or(comment.len(), |at| at + 1);
        text.push_str(&comment[..end]);
        rest = &comment[end..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compact_record_reads_back_the_same() {
        let text = "[Silver \"Anna  x\"]\n[Setup \"Classic\"]\n\n1. h2+ (1. h2g2 a5b5 xa4 (1... c7c6 {1. so  xa4}) 2. g2h2) \
                    1... a5b5 xa4 $1 {good} 2. j4i3 xj5 *\n";
        let record: Record = text.parse().expect("a record");
        let compact = compact(&record.to_string());
        let moves = "h2+ ( h2g2 a5b5 ( c7c6{1. so  xa4} ) g2h2) a5b5 $1{good} j4i3 *";
        assert_eq!(compact, format!("[Silver \"Anna  x\"] [Setup \"Classic\"] {moves}"));
        let read: Record = compact.parse().expect("a record");
        assert_eq!(read.main_line(), record.main_line());
        assert_eq!(read.start(), record.start());
    }
}
