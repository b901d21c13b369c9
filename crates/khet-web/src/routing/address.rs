//! The path of an address: language, page and subject. Examples: `/`, `/en`, `/fr/rules`,
//! `/en/game/7Hc0WzQ1`. Links that people share have no language, so that everybody reads the page
//! in their own: `/game/7Hc0WzQ1`.

use khet::Rules;

use super::Page;
use crate::languages::Language;
use crate::rules::Placement;

/// A parsed address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The language, if the address names one.
    pub language: Option<Language>,
    /// The page.
    pub page: Page,
    /// The subject of the page, if its address has one: an id or a name.
    pub subject: String,
}

/// Maximum length of ids and names.
const MAX_SUBJECT_LENGTH: usize = 20;

impl Address {
    /// Parses the path of an address. Unknown paths give [`Page::NotFound`].
    pub fn read(path: &str) -> Address {
        let mut address = Address { language: None, page: Page::Home, subject: String::new() };
        let path = path.strip_prefix('/').unwrap_or(path);
        if path.is_empty() {
            return address;
        }
        let path = path.strip_suffix('/').unwrap_or(path);
        let mut words = path.splitn(3, '/');
        let mut word = words.next();
        address.language = Language::ALL.into_iter().find(|language| Some(language.code()) == word);
        if address.language.is_some() {
            word = words.next();
        }
        let subject = words.next();
        let page = match word {
            Some(word) => Page::ALL.into_iter().find(|page| {
                page.slug() == word && page.has_subject() == subject.is_some() && !word.is_empty()
            }),
            None => Some(Page::Home),
        };
        let page = page.filter(|_| words.next().is_none() && subject.is_none_or(is_subject));
        address.page = page.unwrap_or(Page::NotFound);
        if page.is_some() {
            address.subject = subject.unwrap_or_default().to_owned();
        }
        address
    }
}

/// Returns the query string that passes a position to a page: `?position=…_s&rules=czech`. The `+`
/// before a tower is escaped, because it stands for a space in queries.
pub fn position_query(placement: &Placement, rules: Rules) -> String {
    let position = placement.to_string().replace(' ', "_").replace('+', "%2B");
    match rules {
        Rules::Standard => format!("?position={position}"),
        rules => format!("?position={position}&rules={rules}"),
    }
}

/// Returns whether a text can be an id or a name: letters, digits, `-` and `_`.
fn is_subject(subject: &str) -> bool {
    (1..=MAX_SUBJECT_LENGTH).contains(&subject.len())
        && subject.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::super::Program;
    use super::*;

    #[test]
    fn paths_of_pages_are_read_back() {
        for language in Language::ALL {
            for page in Page::ALL {
                let subject = if page.has_subject() { "7Hc0_-Wz" } else { "" };
                let path = page.path_of(language, subject);
                let address =
                    Address { language: Some(language), page, subject: subject.to_owned() };
                assert_eq!(Address::read(&path), address);
                assert_eq!(Address::read(&format!("{path}/")), address);
            }
        }
        let first = Address { language: None, page: Page::Home, subject: String::new() };
        assert_eq!(Address::read("/"), first);
        assert_eq!(Address::read("/rules"), Address { page: Page::Rules, ..first.clone() });
        let game = Address { page: Page::Game, subject: "7Hc0_-Wz".to_owned(), ..first };
        assert_eq!(Address::read("/game/7Hc0_-Wz"), game);
        assert_eq!(Address::read("/puzzles").page, Page::Puzzles);
        assert_eq!(Address::read("/puzzles/storm").page, Page::Puzzle);
    }

    #[test]
    fn unknown_paths_are_not_found_and_keep_their_language() {
        let nothing = Address::read("/fr/nothing");
        assert_eq!((nothing.language, nothing.page), (Some(Language::French), Page::NotFound));
        let long = format!("/en/game/{}", "a".repeat(21));
        for path in [
            "/english",
            "/en/rules/more",
            "/rules/more",
            "/game",
            "/game/a/b",
            "//",
            "/EN",
            "/en//",
            "/en/game",
            "/en/game//",
            "/en/game/a/b",
            "/en/game/é",
            "/en/lobby/x",
            "/en/puzzles/a/b",
            &long,
        ] {
            let address = Address::read(path);
            assert_eq!((address.page, address.subject.as_str()), (Page::NotFound, ""), "{path}");
        }
    }

    #[test]
    fn addresses_txt_lists_all_pages() {
        let mut words = String::new();
        for page in Page::ALL.into_iter().filter(|page| !page.slug().is_empty()) {
            let kind = if page.has_subject() { "subject" } else { "plain" };
            words += &format!("{kind} {}\n", page.slug());
        }
        let known = include_str!("../../addresses.txt");
        let known: Vec<&str> = known.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(known.join("\n") + "\n", words);
    }

    #[test]
    fn start_js_loads_the_program_of_each_page() {
        for (program, name) in [
            (Program::Online, "online"),
            (Program::Setups, "setups"),
            (Program::Analysis, "analysis"),
            (Program::Learn, "learn"),
            (Program::Tower, "tower"),
            (Program::Puzzles, "puzzles"),
        ] {
            let pages = Page::ALL.into_iter().filter(|page| page.program() == program);
            let mut words: Vec<&str> = pages.map(Page::slug).collect();
            // A page with a subject may share the word of one without.
            words.dedup();
            let choice = format!(r#"["{name}", "{}"]"#, words.join(" "));
            assert!(include_str!("../../start.js").contains(&choice), "start.js has no {choice}");
        }
    }
}
