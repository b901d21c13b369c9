//! JSON that is read, written and read again.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads a value. What was read must be written in a way that reads the same.
pub(super) fn read<T: DeserializeOwned + Serialize + PartialEq>(text: &str) -> Option<T> {
    let value: T = serde_json::from_str(text).ok()?;
    let written = serde_json::to_string(&value).expect("a message can be written");
    let again: T = serde_json::from_str(&written)
        .unwrap_or_else(|error| panic!("{written} can't be read: {error}"));
    assert!(again == value, "{written} is another value than {text}");
    assert_eq!(serde_json::to_string(&again).ok(), Some(written));
    Some(value)
}
