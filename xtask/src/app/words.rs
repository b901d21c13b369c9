//! The words of each language as the browser loads them: a text a line, in the order of their keys.

use std::path::Path;

use self::language_file::CODES;
use super::read;
use crate::step::Failure;

// The app's build reads the same files, and makes a method of each key in the same order.
#[allow(dead_code, reason = "the app's build checks what is read here")]
#[path = "../../../crates/khet-web/build/language_file.rs"]
mod language_file;

/// The codes of the languages with their words.
pub(super) fn all(folder: &Path) -> Result<Vec<(&'static str, String)>, Failure> {
    CODES
        .into_iter()
        .map(|code| {
            let file = read(&folder.join(code).with_extension("txt"))?;
            let texts = language_file::read(code, &file).map_err(|complaints| {
                let complaints: Vec<String> = complaints.iter().map(ToString::to_string).collect();
                Failure(complaints.join("\n"))
            })?;
            Ok((code, texts.values().map(|text| format!("{}\n", text.written)).collect()))
        })
        .collect()
}
