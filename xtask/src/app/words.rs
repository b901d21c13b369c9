//! The words of each language in the form that the browser loads: one text per line, ordered by
//! key.

use std::collections::BTreeMap;
use std::path::Path;

use self::language_list::{TEXT_SETS, languages};
use super::read;
use crate::step::TaskError;

// The app's build script reads the same files and numbers the keys in the same order.
#[allow(dead_code, reason = "the app's build checks what is read here")]
#[path = "../../../crates/khet-web/build/language_file.rs"]
mod language_file;
#[allow(dead_code, reason = "the app's build uses all of it")]
#[path = "../../../crates/khet-web/build/language_list.rs"]
mod language_list;

/// The texts of one language file.
pub(super) struct TextFile {
    /// The code of the language.
    pub(super) code: &'static str,
    /// The set of texts, as in `TEXT_SETS`; empty for the texts that all programs use.
    pub(super) set: &'static str,
    /// The name under which the browser loads it: `words-fr.txt`, `words-learn-fr.txt`.
    pub(super) name: String,
    /// The texts by key.
    pub(super) texts: BTreeMap<String, String>,
}

impl TextFile {
    /// Returns the content of the file that the browser loads.
    pub(super) fn content(&self) -> String {
        self.texts.values().map(|text| format!("{text}\n")).collect()
    }
}

/// Reads the texts of all languages.
pub(super) fn all(folder: &Path) -> Result<Vec<TextFile>, TaskError> {
    let mut files = Vec::new();
    for language in languages() {
        for (set, _) in TEXT_SETS {
            let name = format!("{set}{}", language.code);
            let file = read(&folder.join(&name).with_extension("txt"))?;
            let texts = language_file::read(&name, language.forms(), &file);
            let texts = texts.map_err(|errors| {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                TaskError(errors.join("\n"))
            })?;
            files.push(TextFile {
                code: language.code,
                set,
                name: format!("words-{}.txt", name.replace('/', "-")),
                texts: texts.into_iter().map(|(key, text)| (key, text.source)).collect(),
            });
        }
    }
    Ok(files)
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

/// Replaces the placeholders `LANGUAGES` and `PAGES` of a regular expression by alternations of all
/// codes and of the words that name pages in `addresses.txt`.
pub(super) fn put_alternations(text: &str, addresses: &str) -> String {
    let codes: Vec<&str> = languages().into_iter().map(|language| language.code).collect();
    let lines = addresses.lines().filter(|line| !line.starts_with('#'));
    let pages: Vec<&str> = lines.filter_map(|line| Some(line.split_once(' ')?.1)).collect();
    text.replace("LANGUAGES", &codes.join("|")).replace("PAGES", &pages.join("|"))
}
