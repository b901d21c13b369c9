//! The paths of the app's pages: `/`, `/en`, `/fr/rules`, `/en/game/7Hc0aWxz`. Links that people
//! share have no language, so that everybody reads the page in their own: `/game/7Hc0aWxz`.

use crate::texts;

/// The words that name pages in addresses; a test of the app checks that it has the same ones.
const WORDS: &str = include_str!("../../khet-web/addresses.txt");

/// The parts of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathParts<'a> {
    /// The language, if the path names one.
    pub(crate) language: Option<&'a str>,
    /// The page's word, which is empty for the home page.
    pub(crate) page: &'a str,
    /// The id or name that the page shows, if any.
    pub(crate) subject: Option<&'a str>,
}

/// Returns whether a path is a page of the app.
pub(crate) fn is_page(path: &str) -> bool {
    parts(path).is_some()
}

/// Splits the path of a page into its parts.
pub(crate) fn parts(path: &str) -> Option<PathParts<'_>> {
    let path = path.strip_prefix('/')?;
    if path.is_empty() {
        return Some(PathParts { language: None, page: "", subject: None });
    }
    let path = path.strip_suffix('/').unwrap_or(path);
    let (first, rest) = path.split_once('/').map_or((path, None), |(one, rest)| (one, Some(rest)));
    let (language, words) = match texts::is_language(first) {
        true => (Some(first), rest),
        false => (None, Some(path)),
    };
    let (page, subject) = match words.map(|words| words.split_once('/')) {
        None => ("", None),
        Some(None) => (words.filter(|word| is_word("plain", word))?, None),
        Some(Some((page, subject))) => {
            (is_word("subject", page) && is_subject(subject)).then_some((page, Some(subject)))?
        }
    };
    Some(PathParts { language, page, subject })
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
    use super::{PathParts, is_page, parts};

    #[test]
    fn a_path_is_split_into_language_page_and_subject() {
        let split = |path| parts(path).map(|parts| (parts.language, parts.page, parts.subject));
        assert_eq!(split("/"), Some((None, "", None)));
        assert_eq!(split("/cs"), Some((Some("cs"), "", None)));
        assert_eq!(split("/rules/"), Some((None, "rules", None)));
        assert_eq!(split("/fr/rules"), Some((Some("fr"), "rules", None)));
        let game = PathParts { language: None, page: "game", subject: Some("7Hc0aWxz") };
        assert_eq!(parts("/game/7Hc0aWxz"), Some(game));
        assert_eq!(parts("/en/game/7Hc0aWxz"), Some(PathParts { language: Some("en"), ..game }));
    }

    #[test]
    fn pages_have_a_word_of_the_list() {
        for page in [
            "/",
            "/en",
            "/cs/",
            "/fr/rules",
            "/de/computer",
            "/nl/lobby",
            "/es/game/7Hc0aWxz",
            "/en/analysis",
            "/challenge/k3JvQ9sT1b",
            "/analysis",
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
            "/en//",
            "/game",
            "/game/",
            "/rules/more",
            "/challenge/en/rules",
            "/en/game",
            "/en/game/a.b",
            "/en/game/a/b",
            "/en/lobby/a",
        ] {
            assert!(!is_page(other), "{other}");
        }
    }
}
