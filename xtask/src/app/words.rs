//! The words of each language in the form that the browser loads: one text per line, ordered by key.

use std::path::Path;

use self::language_list::languages;
use super::read;
use crate::step::TaskError;

// The app's build script reads the same files and numbers the keys in the same order.
#[allow(dead_code, reason = "the app's build checks what is read here")]
#[path = "../../../crates/khet-web/build/language_file.rs"]
mod language_file;
#[allow(dead_code, reason = "the app's build uses all of it")]
#[path = "../../../crates/khet-web/build/language_list.rs"]
mod language_list;

/// Returns the codes of the languages with their words.
pub(super) fn all(folder: &Path) -> Result<Vec<(&'static str, String)>, TaskError> {
    languages()
        .into_iter()
        .map(|language| {
            let file = read(&folder.join(language.code).with_extension("txt"))?;
            let texts = language_file::read(language.code, language.forms(), &file);
            let texts = texts.map_err(|errors| {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                TaskError(errors.join("\n"))
            })?;
            Ok((language.code, texts.values().map(|text| format!("{}\n", text.source)).collect()))
        })
        .collect()
}

/// Repeats each line with the placeholder `LANGUAGE` once per language, with its code in place of
/// the placeholder.
pub(super) fn repeat_lines(text: &str) -> String {
    let mut repeated = String::new();
    for line in text.lines() {
        if line.contains("LANGUAGE") {
            for language in languages() {
                repeated.push_str(&line.replace("LANGUAGE", language.code));
                repeated.push('\n');
            }
        } else {
            repeated.push_str(line);
            repeated.push('\n');
        }
    }
    repeated
}

/// Replaces the placeholder `LANGUAGES` of a regular expression by an alternation of all codes.
pub(super) fn put_alternation(text: &str) -> String {
    let codes: Vec<&str> = languages().into_iter().map(|language| language.code).collect();
    text.replace("LANGUAGES", &codes.join("|"))
}
