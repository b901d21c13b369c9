//! The paths of the app's pages: `/`, `/en`, `/fr/rules`, `/en/game/7Hc0aWxz`.

use crate::texts;

/// The words that name pages in addresses; a test of the app checks that it has the same ones.
const WORDS: &str = include_str!("../../khet-web/addresses.txt");

/// Returns whether a path is a page of the app.
pub(crate) fn is_page(path: &str) -> bool {
    path == "/" || parts(path).is_some()
}

/// Splits a path into the language, the page's word (empty for the home page), and the id or name
/// that the page shows, if any.
pub(crate) fn parts(path: &str) -> Option<(&str, &str, Option<&str>)> {
    let path = path.strip_prefix('/')?;
    let path = path.strip_suffix('/').unwrap_or(path);
    let mut words = path.splitn(3, '/');
    let language = words.next().filter(|language| texts::is_language(language))?;
    match (words.next(), words.next()) {
        (None, _) => Some((language, "", None)),
        (Some(page), None) => is_word("plain", page).then_some((language, page, None)),
        (Some(page), Some(subject)) => (is_word("subject", page) && is_subject(subject))
            .then_some((language, page, Some(subject))),
    }
}

/// Returns whether a text can be an id or a name in a path.
fn is_subject(subject: &str) -> bool {
    (1..=20).contains(&subject.len())
        && subject.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Returns whether `addresses.txt` lists a word with this kind: `plain` or `subject`.
fn is_word(kind: &str, word: &str) -> bool {
    WORDS.lines().any(|line| line.split_once(' ') == Some((kind, word)))
}

#[cfg(test)]
mod tests {
    use super::is_page;

    #[test]
    fn pages_have_a_language_and_a_word() {
        for page in [
            "/",
            "/en",
            "/cs/",
            "/fr/rules",
            "/de/computer",
            "/nl/lobby",
            "/es/game/7Hc0aWxz",
            "/en/analysis",
        ] {
            assert!(is_page(page), "{page}");
        }
        for other in [
            "",
            "en",
            "//",
            "/english",
            "/en/nothing",
            "/en/rules/more",
            "/rules",
            "/en//",
            "/en/game",
            "/en/game/a.b",
            "/en/game/a/b",
            "/en/lobby/a",
        ] {
            assert!(!is_page(other), "{other}");
        }
    }
}
