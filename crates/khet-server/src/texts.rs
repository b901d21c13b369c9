//! The app's texts for the previews of its pages, which programs read that do not run the app.

// The constant `FILES`: the code and the language file of each of the app's languages.
include!(concat!(env!("OUT_DIR"), "/language_files.rs"));

/// Returns the language with this code, if the app has it.
pub(crate) fn language(code: &str) -> Option<&'static str> {
    FILES.iter().map(|(known, _)| *known).find(|known| *known == code)
}

/// Returns whether the app has a language with this code.
pub(crate) fn is_language(code: &str) -> bool {
    language(code).is_some()
}

/// Returns the language of pages that name none.
pub(crate) fn default_language() -> &'static str {
    FILES.first().map_or("", |(code, _)| code)
}

/// Returns the text of a key, or an empty string if the language or the key does not exist.
pub(crate) fn text(language: &str, key: &str) -> String {
    let file = FILES.iter().find(|(code, _)| *code == language).map_or("", |(_, file)| file);
    let mut lines = file.lines().skip_while(|line| !has_key(line, key));
    let first = lines.next().and_then(|line| line.split_once(" = ")).map_or("", |(_, text)| text);
    let rest = lines.map_while(|line| line.strip_prefix("  "));
    rest.fold(first.to_owned(), |text, line| text + " " + line.trim())
}

fn has_key(line: &str, key: &str) -> bool {
    line.strip_prefix(key).is_some_and(|rest| rest.starts_with(" = "))
}

#[cfg(test)]
mod tests {
    use super::{FILES, text};

    #[test]
    fn every_language_has_the_texts_of_previews() {
        for &(language, _) in FILES {
            for key in crate::previews::text_keys() {
                let text = text(language, &key);
                assert!(!text.is_empty() && !text.contains('{'), "{language} {key} {text:?}");
            }
        }
        assert_eq!(text("en", "editor"), "");
        assert_eq!(text("??", "editor_title"), "");
    }
}
