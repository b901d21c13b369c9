//! Texts of the app that the server needs for link previews.

const FILES: [(&str, &str); 6] = [
    ("en", include_str!("../../khet-web/languages/en.txt")),
    ("fr", include_str!("../../khet-web/languages/fr.txt")),
    ("de", include_str!("../../khet-web/languages/de.txt")),
    ("nl", include_str!("../../khet-web/languages/nl.txt")),
    ("es", include_str!("../../khet-web/languages/es.txt")),
    ("cs", include_str!("../../khet-web/languages/cs.txt")),
];

/// Returns the text of a key, or an empty one.
pub(crate) fn text(language: &str, key: &str) -> String {
    let file = FILES.iter().find(|(code, _)| *code == language).map_or("", |(_, file)| file);
    let mut lines = file.lines().skip_while(|line| !is_of(line, key));
    let first = lines.next().and_then(|line| line.split_once(" = ")).map_or("", |(_, text)| text);
    let rest = lines.map_while(|line| line.strip_prefix("  "));
    rest.fold(first.to_owned(), |text, line| text + " " + line.trim())
}

fn is_of(line: &str, key: &str) -> bool {
    line.strip_prefix(key).is_some_and(|rest| rest.starts_with(" = "))
}

#[cfg(test)]
mod tests {
    use super::{FILES, text};

    #[test]
    fn every_language_has_the_preview_texts() {
        for (language, _) in FILES {
            for key in crate::previews::TEXTS {
                let text = text(language, key);
                assert!(!text.is_empty() && !text.contains('{'), "{language} {key} {text:?}");
            }
        }
        assert_eq!(text("en", "editor"), "");
        assert_eq!(text("xx", "editor_title"), "");
    }
}
