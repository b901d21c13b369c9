//! The path of an address: language, page and subject. `/`, `/en`, `/fr/rules`, `/en/game/7Hc0WzQ1`.

use khet::{Placement, Rules};

use super::Page;
use crate::languages::Language;

/// What an address says. The language may be left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The language, if it is named.
    pub language: Option<Language>,
    /// The page.
    pub page: Page,
    /// What the page is about, if that is part of its address: an id or a name.
    pub about: String,
}

/// No id and no name is longer.
const LONGEST_ABOUT: usize = 20;

impl Address {
    /// Reads the path of an address. Any path is one: what is unknown leads nowhere.
    pub fn read(path: &str) -> Address {
        let mut address = Address { language: None, page: Page::Home, about: String::new() };
        let path = path.strip_prefix('/').unwrap_or(path);
        if path.is_empty() {
            return address;
        }
        let path = path.strip_suffix('/').unwrap_or(path);
        let mut words = path.splitn(3, '/');
        let code = words.next().unwrap_or_default();
        address.language = Language::ALL.into_iter().find(|language| language.code() == code);
        let (word, about) = (words.next(), words.next());
        let page = match word {
            Some(word) => {
                Page::ALL.into_iter().find(|page| page.word() == word && !word.is_empty())
            }
            None => Some(Page::Home),
        };
        let fits = |page: &Page| page.has_about() == about.is_some() && about.is_none_or(is_about);
        let page = page.filter(|page| address.language.is_some() && fits(page));
        address.page = page.unwrap_or(Page::NotFound);
        if page.is_some() {
            address.about = about.unwrap_or_default().to_owned();
        }
        address
    }
}

/// What asks a page for a position: `?position=…_s&rules=czech`.
pub fn position_search(placement: &Placement, rules: Rules) -> String {
    let position = placement.to_string().replace(' ', "_");
    match rules {
        Rules::Standard => format!("?position={position}"),
        rules => format!("?position={position}&rules={rules}"),
    }
}

/// Whether a page can be about this: letters, digits, `-` and `_`, as ids and names are.
fn is_about(about: &str) -> bool {
    (1..=LONGEST_ABOUT).contains(&about.len())
        && about.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::super::Program;
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        for language in Language::ALL {
            for page in Page::ALL {
                let about = if page.has_about() { "7Hc0_-Wz" } else { "" };
                let path = page.path_of(language, about);
                let address = Address { language: Some(language), page, about: about.to_owned() };
                assert_eq!(Address::read(&path), address);
                assert_eq!(Address::read(&format!("{path}/")), address);
            }
        }
        let first = Address { language: None, page: Page::Home, about: String::new() };
        assert_eq!(Address::read("/"), first);
    }

    #[test]
    fn other_addresses_lead_nowhere_in_their_language() {
        let nothing = Address::read("/fr/nothing");
        assert_eq!((nothing.language, nothing.page), (Some(Language::French), Page::NotFound));
        let long = format!("/en/game/{}", "a".repeat(21));
        for path in [
            "/english",
            "/rules",
            "/en/rules/more",
            "//",
            "/EN",
            "/en//",
            "/en/game",
            "/en/game//",
            "/en/game/a/b",
            "/en/game/é",
            "/en/lobby/x",
            &long,
        ] {
            let address = Address::read(path);
            assert_eq!((address.page, address.about.as_str()), (Page::NotFound, ""), "{path}");
        }
    }

    #[test]
    fn the_server_knows_the_same_words() {
        let mut words = String::new();
        for page in Page::ALL.into_iter().filter(|page| !page.word().is_empty()) {
            let kind = if page.has_about() { "about" } else { "page" };
            words += &format!("{kind} {}\n", page.word());
        }
        let known = include_str!("../../addresses.txt");
        let known: Vec<&str> = known.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(known.join("\n") + "\n", words);
    }

    #[test]
    fn what_is_loaded_fits_the_page() {
        for (program, name) in [
            (Program::Online, "online"),
            (Program::Setups, "setups"),
            (Program::Analysis, "analysis"),
        ] {
            let pages = Page::ALL.into_iter().filter(|page| page.program() == program);
            let words: Vec<&str> = pages.map(Page::word).collect();
            let choice = format!(r#"["{name}", "{}"]"#, words.join(" "));
            assert!(include_str!("../../start.js").contains(&choice), "start.js has no {choice}");
        }
    }
}
