//! The addresses of the app's pages: `/`, `/en`, `/fr/rules`.

/// The words that pages and languages have in addresses; the app is tested to know the same.
const WORDS: &str = include_str!("../../khet-web/addresses.txt");

/// Whether an address is a page of the app.
pub(crate) fn is_page(path: &str) -> bool {
    let Some(path) = path.strip_prefix('/') else { return false };
    if path.is_empty() {
        return true;
    }
    let path = path.strip_suffix('/').unwrap_or(path);
    match path.split_once('/') {
        None => is_word("language", path),
        Some((language, page)) => is_word("language", language) && is_word("page", page),
    }
}

fn is_word(kind: &str, word: &str) -> bool {
    WORDS.lines().any(|line| line.split_once(' ') == Some((kind, word)))
}

#[cfg(test)]
mod tests {
    use super::is_page;

    #[test]
    fn pages_have_a_language_and_a_word() {
        for page in ["/", "/en", "/cs/", "/fr/rules", "/de/computer"] {
            assert!(is_page(page), "{page}");
        }
        for other in ["", "en", "//", "/xx", "/en/nothing", "/en/rules/more", "/rules", "/en//"] {
            assert!(!is_page(other), "{other}");
        }
    }
}
