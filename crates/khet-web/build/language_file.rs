//! A language file: the texts of one language, as `build.rs` reads and checks them.
//!
//! ```text
//! # a comment
//! key = a text
//! lights = lights {square}
//! taken = {count} {count#piece|pieces} taken
//! long = a text that goes on
//!   in lines that begin with two spaces
//! ```
//!
//! `{square}` is filled in by the app. `{count#piece|pieces}` chooses a form by the number `count`:
//! one for each [form of the language](forms).

use std::collections::BTreeMap;
use std::fmt;

/// The codes of the languages, the one first that says which keys there are.
pub const CODES: [&str; 6] = ["en", "fr", "de", "nl", "es", "cs"];

/// How many forms a noun has behind a number.
pub fn forms(code: &str) -> usize {
    if code == "cs" { 3 } else { 2 }
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it stands.
    Plain(String),
    /// What the app fills in under this name.
    Value(String),
    /// One of the forms, by the number of this name.
    Plural(String, Vec<String>),
}

/// A text with the line on which it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The line of the file, from 1.
    pub line: usize,
    /// The text as it was written, continued lines joined by a space.
    pub written: String,
    /// The text taken apart.
    pub parts: Vec<Part>,
}

impl Text {
    /// The names of what is filled in, in order of appearance, and whether a form depends on it.
    pub fn values(&self) -> Vec<(String, bool)> {
        let mut values: Vec<(String, bool)> = Vec::new();
        for part in &self.parts {
            let (name, counts) = match part {
                Part::Plain(_) => continue,
                Part::Value(name) => (name, false),
                Part::Plural(name, _) => (name, true),
            };
            match values.iter_mut().find(|(known, _)| known == name) {
                Some((_, number)) => *number |= counts,
                None => values.push((name.clone(), counts)),
            }
        }
        values
    }
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The language's code.
    pub code: String,
    /// The line of the file, from 1; none if something is missing altogether.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "languages/{}.txt", self.code)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// Reads the texts of a file by key.
pub fn read(code: &str, file: &str) -> Result<BTreeMap<String, Text>, Vec<Complaint>> {
    let mut complaints = Vec::new();
    let mut complain = |line, what: String| {
        complaints.push(Complaint { code: code.into(), line: Some(line), what });
    };
    let mut entries: Vec<(usize, String, String)> = Vec::new();
    for (index, row) in file.lines().enumerate() {
        let line = index + 1;
        if let Some(more) = row.strip_prefix("  ") {
            match entries.last_mut() {
                Some((_, _, written)) => {
                    written.push(' ');
                    written.push_str(more.trim());
                }
                None => complain(line, "a continued line with no key before it".into()),
            }
        } else if row.starts_with('#') || row.trim().is_empty() {
        } else if let Some((key, written)) = row.split_once('=') {
            entries.push((line, key.trim().into(), written.trim().into()));
        } else {
            complain(line, format!("{row:?} is not \"key = text\""));
        }
    }
    let mut texts = BTreeMap::new();
    for (line, key, written) in entries {
        let written = written.trim().to_owned();
        if !is_name(&key) {
            complain(line, format!("the key {key:?} is not made of a to z, 0 to 9 and _"));
        } else if written.is_empty() {
            complain(line, format!("{key} has no text"));
        } else {
            match take_apart(&written, forms(code)) {
                Err(what) => complain(line, format!("{key}: {what}")),
                Ok(parts) => {
                    if texts.insert(key.clone(), Text { line, written, parts }).is_some() {
                        complain(line, format!("{key} stands twice"));
                    }
                }
            }
        }
    }
    if complaints.is_empty() { Ok(texts) } else { Err(complaints) }
}

/// What is missing, too much or filled in otherwise in `texts`, compared with the first language.
pub fn compare(
    code: &str,
    first: &BTreeMap<String, Text>,
    texts: &BTreeMap<String, Text>,
) -> Vec<Complaint> {
    let complaint = |line, what| Complaint { code: code.into(), line, what };
    let mut complaints = Vec::new();
    for (key, text) in first {
        let Some(translated) = texts.get(key) else {
            complaints.push(complaint(None, format!("{key} is missing")));
            continue;
        };
        let names = |text: &Text| {
            let mut names: Vec<_> = text.values().into_iter().map(|(name, _)| name).collect();
            names.sort();
            names
        };
        if names(text) != names(translated) {
            complaints.push(complaint(
                Some(translated.line),
                format!("{key} fills in {:?}, not {:?}", names(translated), names(text)),
            ));
        }
    }
    for (key, text) in texts {
        if !first.contains_key(key) {
            complaints.push(complaint(Some(text.line), format!("{key} is not in en.txt")));
        }
    }
    complaints
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn take_apart(written: &str, forms: usize) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = written;
    while let Some(open) = rest.find(['{', '}']) {
        if rest[open..].starts_with('}') {
            return Err("a } with no { before it".into());
        }
        if open > 0 {
            parts.push(Part::Plain(rest[..open].into()));
        }
        let inside = &rest[open + 1..];
        let close = inside.find('}').ok_or("a { with no } behind it")?;
        let (inside, after) = (&inside[..close], &inside[close + 1..]);
        let (name, plural) = match inside.split_once('#') {
            Some((name, plural)) => (name, Some(plural)),
            None => (inside, None),
        };
        if !is_name(name) {
            return Err(format!("{{{inside}}} has no name made of a to z, 0 to 9 and _"));
        }
        parts.push(match plural {
            None => Part::Value(name.into()),
            Some(plural) => {
                let plural: Vec<String> = plural.split('|').map(str::to_owned).collect();
                if plural.len() != forms {
                    return Err(format!("{{{inside}}} has {} forms, not {forms}", plural.len()));
                }
                Part::Plural(name.into(), plural)
            }
        });
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Plain(rest.into()));
    }
    Ok(parts)
}
