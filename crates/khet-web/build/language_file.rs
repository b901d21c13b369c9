//! Reads and checks a language file: the texts of one language.
//!
//! ```text
//! # a comment
//! key = a text
//! lights = lights {square}
//! taken = {count} {count#piece|pieces} taken
//! long = a text that continues
//!   on lines that begin with two spaces
//! ```
//!
//! The app replaces `{square}` by a value. `{count#piece|pieces}` chooses a plural form by the
//! number `count`; `languages.txt` says how many forms the language has.
//!
//! Straight apostrophes become typographic ones, and spaces become no-break spaces where a line
//! must not break: before `%` and `…`, and in French around the signs that spaces belong to.

use std::collections::BTreeMap;
use std::fmt;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// Literal text.
    Literal(String),
    /// A placeholder for the value of this name.
    Value(String),
    /// Plural forms, chosen by the number of this name.
    Plural(String, Vec<String>),
}

/// A text of a language file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The source of the text, with continuation lines joined by a space.
    pub source: String,
    /// The parsed text.
    pub parts: Vec<TextPart>,
}

impl Text {
    /// Returns the names of the values in order of appearance, each with whether a plural form
    /// depends on it.
    pub fn values(&self) -> Vec<(String, bool)> {
        let mut values: Vec<(String, bool)> = Vec::new();
        for part in &self.parts {
            let (name, counts) = match part {
                TextPart::Literal(_) => continue,
                TextPart::Value(name) => (name, false),
                TextPart::Plural(name, _) => (name, true),
            };
            match values.iter_mut().find(|(known, _)| known == name) {
                Some((_, number)) => *number |= counts,
                None => values.push((name.clone(), counts)),
            }
        }
        values
    }
}

/// A mistake in a language file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageFileError {
    /// The file's name without its ending: `fr`, `learn/fr`.
    pub name: String,
    /// The line of the file, from 1; `None` if a key is missing.
    pub line: Option<usize>,
    /// The description of the mistake.
    pub message: String,
}

impl fmt::Display for LanguageFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "languages/{}.txt", self.name)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Returns the texts of a file by key. `name` is the file's name without its ending, `forms` the
/// language's number of plural forms.
pub fn read(
    name: &str,
    forms: usize,
    file: &str,
) -> Result<BTreeMap<String, Text>, Vec<LanguageFileError>> {
    let mut errors = Vec::new();
    let mut report = |line, message: String| {
        errors.push(LanguageFileError { name: name.into(), line: Some(line), message });
    };
    let mut entries: Vec<(usize, String, String)> = Vec::new();
    for (index, row) in file.lines().enumerate() {
        let line = index + 1;
        if let Some(more) = row.strip_prefix("  ") {
            match entries.last_mut() {
                Some((_, _, source)) => {
                    source.push(' ');
                    source.push_str(more.trim());
                }
                None => report(line, "a continuation line with no key before it".into()),
            }
        } else if row.starts_with('#') || row.trim().is_empty() {
        } else if let Some((key, source)) = row.split_once('=') {
            entries.push((line, key.trim().into(), source.trim().into()));
        } else {
            report(line, format!("{row:?} is not \"key = text\""));
        }
    }
    let mut texts = BTreeMap::new();
    for (line, key, source) in entries {
        let source = typeset(name, source.trim());
        if !is_name(&key) {
            report(line, format!("the key {key:?} is not made of a to z, 0 to 9 and _"));
        } else if source.is_empty() {
            report(line, format!("{key} has no text"));
        } else {
            match parse(&source, forms) {
                Err(message) => report(line, format!("{key}: {message}")),
                Ok(parts) => {
                    if texts.insert(key.clone(), Text { line, source, parts }).is_some() {
                        report(line, format!("{key} is defined twice"));
                    }
                }
            }
        }
    }
    if errors.is_empty() { Ok(texts) } else { Err(errors) }
}

/// Returns the keys that `texts` lacks, has in excess, or defines with other values than `first`,
/// the texts of the first language.
pub fn compare(
    name: &str,
    first: &BTreeMap<String, Text>,
    texts: &BTreeMap<String, Text>,
) -> Vec<LanguageFileError> {
    let error = |line, message| LanguageFileError { name: name.into(), line, message };
    let mut errors = Vec::new();
    for (key, text) in first {
        let Some(translated) = texts.get(key) else {
            errors.push(error(None, format!("{key} is missing")));
            continue;
        };
        let names = |text: &Text| {
            let mut names: Vec<_> = text.values().into_iter().map(|(name, _)| name).collect();
            names.sort();
            names
        };
        if names(text) != names(translated) {
            errors.push(error(
                Some(translated.line),
                format!("{key} has the values {:?}, not {:?}", names(translated), names(text)),
            ));
        }
    }
    for (key, text) in texts {
        if !first.contains_key(key) {
            errors.push(error(Some(text.line), format!("{key} is not in the first language")));
        }
    }
    errors
}

/// Returns a text of the file `name` with typographic apostrophes and no-break spaces.
fn typeset(name: &str, text: &str) -> String {
    let mut text = text.replace('\'', "’").replace(" %", "\u{a0}%").replace(" …", "\u{a0}…");
    if name.ends_with("fr") {
        for sign in [":", ";", "?", "!", "»"] {
            text = text.replace(&format!(" {sign}"), &format!("\u{a0}{sign}"));
        }
        text = text.replace("« ", "«\u{a0}");
    }
    text
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn parse(source: &str, forms: usize) -> Result<Vec<TextPart>, String> {
    let mut parts = Vec::new();
    let mut rest = source;
    while let Some(open) = rest.find(['{', '}']) {
        if rest[open..].starts_with('}') {
            return Err("a } with no { before it".into());
        }
        if open > 0 {
            parts.push(TextPart::Literal(rest[..open].into()));
        }
        let inside = &rest[open + 1..];
        let close = inside.find('}').ok_or("a { with no } after it")?;
        let (inside, after) = (&inside[..close], &inside[close + 1..]);
        let (name, plural) = match inside.split_once('#') {
            Some((name, plural)) => (name, Some(plural)),
            None => (inside, None),
        };
        if !is_name(name) {
            return Err(format!("{{{inside}}} has no name made of a to z, 0 to 9 and _"));
        }
        parts.push(match plural {
            None => TextPart::Value(name.into()),
            Some(plural) => {
                let plural: Vec<String> = plural.split('|').map(str::to_owned).collect();
                if plural.len() != forms {
                    return Err(format!("{{{inside}}} has {} forms, not {forms}", plural.len()));
                }
                TextPart::Plural(name.into(), plural)
            }
        });
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(TextPart::Literal(rest.into()));
    }
    Ok(parts)
}
