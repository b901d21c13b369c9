//! The list of the app's languages, read from `languages.txt`.
//!
//! The build scripts of the app and of the server, xtask and the browser tests include this file,
//! so that `languages.txt` is the only place that lists languages.

const LIST: &str = include_str!("../languages.txt");

/// The sets of texts: the folder of each inside `languages`, and its variant of the app's enum
/// `TextSet`. Each set is a file of its own, so that a program of the app loads only the texts that
/// it shows.
pub const TEXT_SETS: [(&str, &str); 7] = [
    ("", "Shared"),
    ("online/", "Online"),
    ("setups/", "Setups"),
    ("analysis/", "Analysis"),
    ("learn/", "Learn"),
    ("tower/", "Tower"),
    ("puzzles/", "Puzzles"),
];

/// A line of `languages.txt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageEntry {
    /// Two lowercase letters, as in addresses, file names and the `lang` attribute.
    pub code: &'static str,
    /// The variant of the app's enum `Language`.
    pub variant: &'static str,
    /// The language's name in the language itself.
    pub name: &'static str,
    /// Rust patterns of the numbers that take each plural form except the last.
    pub plurals: Vec<&'static str>,
}

impl LanguageEntry {
    /// Returns the number of plural forms.
    pub fn forms(&self) -> usize {
        self.plurals.len() + 1
    }
}

/// Returns all languages in the order of the list.
///
/// # Panics
///
/// Panics if a line of the list is malformed.
pub fn languages() -> Vec<LanguageEntry> {
    let lines = LIST.lines().zip(1..).filter(|(line, _)| !line.starts_with('#'));
    lines
        .map(|(line, number)| {
            entry(line).unwrap_or_else(|problem| panic!("languages.txt:{number}: {problem}"))
        })
        .collect()
}

fn entry(line: &'static str) -> Result<LanguageEntry, &'static str> {
    let mut fields = line.split(',').map(str::trim);
    let mut next = || fields.next().filter(|field| !field.is_empty());
    let (Some(code), Some(variant), Some(name)) = (next(), next(), next()) else {
        return Err("a line needs a code, a name in code and a name in the language itself");
    };
    // `start.js` finds languages in addresses by this form.
    if code.len() != 2 || !code.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Err("a code has two lowercase letters");
    }
    Ok(LanguageEntry { code, variant, name, plurals: fields.collect() })
}
