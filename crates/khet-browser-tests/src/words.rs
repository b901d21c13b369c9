//! The app's texts, as its language files have them.

/// The codes of the languages, and their files.
const FILES: [(&str, &str); 6] = [
    ("en", include_str!("../../khet-web/languages/en.txt")),
    ("fr", include_str!("../../khet-web/languages/fr.txt")),
    ("de", include_str!("../../khet-web/languages/de.txt")),
    ("nl", include_str!("../../khet-web/languages/nl.txt")),
    ("es", include_str!("../../khet-web/languages/es.txt")),
    ("cs", include_str!("../../khet-web/languages/cs.txt")),
];

/// The codes of all languages.
pub fn languages() -> impl Iterator<Item = &'static str> {
    FILES.into_iter().map(|(code, _)| code)
}

/// The text of a key in a language.
///
/// # Panics
///
/// If there is none.
pub fn word(language: &str, key: &str) -> String {
    let file = FILES.into_iter().find(|(code, _)| *code == language);
    let (_, file) = file.unwrap_or_else(|| panic!("there is no language {language:?}"));
    let mut lines = file.lines();
    let first = lines.by_ref().find_map(|line| {
        let (name, text) = line.split_once(" = ")?;
        (name.trim() == key).then(|| text.trim().to_string())
    });
    let first = first.unwrap_or_else(|| panic!("{language} has no text {key:?}"));
    // A long text goes on in lines that begin with two spaces.
    let more = lines.take_while(|line| line.starts_with("  "));
    more.fold(first, |text, line| text + " " + line.trim())
}
