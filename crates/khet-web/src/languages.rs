//! The languages of the app, and its words in each.
//!
//! All texts are in `languages/*.txt`; `build.rs` makes a method of [`Words`] of each key, checks that
//! no language lacks one and that all fill in the same values:
//!
//! ```text
//! home_title = Khet                      words.home_title()            -> &'static str
//! lights = lights {square}               words.lights(square)          -> String
//! taken = {count} {count#piece|pieces}   words.taken(3)                -> String, the form chosen by the number
//! ```
//!
//! The browser loads the texts of a language when they are needed ([`load`]).
//!
//! In a component, `let words = use_words();` gives the [`Words`] of the language that the page is
//! shown in. They are `Copy`, and go into closures as they are. When the language changes, the page
//! is built anew (see [`InLanguage`]), so nothing else has to follow the change.

use std::fmt::{Display, Write as _};

use leptos::prelude::*;

mod texts;

pub use texts::load;

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// A language of the app.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English, spoken where nothing better is known.
    #[default]
    English,
    /// French.
    French,
    /// German.
    German,
    /// Dutch.
    Dutch,
    /// Spanish.
    Spanish,
    /// Czech.
    Czech,
}

impl Language {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Language; 6] = [
        Language::English,
        Language::French,
        Language::German,
        Language::Dutch,
        Language::Spanish,
        Language::Czech,
    ];

    /// The language's code, as in addresses and in the `lang` attribute: `"fr"`.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::French => "fr",
            Language::German => "de",
            Language::Dutch => "nl",
            Language::Spanish => "es",
            Language::Czech => "cs",
        }
    }

    /// The language's name in the language itself.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::French => "Français",
            Language::German => "Deutsch",
            Language::Dutch => "Nederlands",
            Language::Spanish => "Español",
            Language::Czech => "Čeština",
        }
    }

    /// The language with this code. A region behind it is ignored: `"fr-CA"` is French.
    pub fn from_code(code: &str) -> Option<Language> {
        let primary = code.split(['-', '_']).next().unwrap_or(code);
        Language::ALL.into_iter().find(|language| primary.eq_ignore_ascii_case(language.code()))
    }

    /// The language to show: what the address says, else what was chosen earlier, else the
    /// first of the browser's languages that there is.
    pub fn choose<'a>(
        address: Option<Language>,
        remembered: Option<Language>,
        browser: impl IntoIterator<Item = &'a str>,
    ) -> Language {
        address
            .or(remembered)
            .or_else(|| browser.into_iter().find_map(Language::from_code))
            .unwrap_or_default()
    }

    /// Which form a noun takes behind a number, from 0.
    fn form(self, number: usize) -> usize {
        match self {
            Language::Czech => match number {
                1 => 0,
                2..=4 => 1,
                _ => 2,
            },
            Language::French => usize::from(number > 1),
            _ => usize::from(number != 1),
        }
    }
}

/// The words of a language: a method for each text of the app.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words {
    language: Language,
}

/// What is filled into a text.
enum Value<'a> {
    /// A number, by which forms may be chosen.
    Number(usize),
    /// Anything else.
    Other(&'a dyn Display),
}

impl Words {
    /// The words of this language.
    pub fn new(language: Language) -> Words {
        Words { language }
    }

    /// The language that these words are of.
    pub fn language(self) -> Language {
        self.language
    }

    fn text(self, index: usize) -> &'static str {
        texts::text(self.language, index)
    }

    /// The text with its values filled in. `build.rs` has checked its braces, names and forms.
    fn fill(self, index: usize, values: &[(&str, Value<'_>)]) -> String {
        let mut filled = String::new();
        let mut rest = self.text(index);
        while let Some((before, (inside, after))) =
            rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            filled.push_str(before);
            let (name, plural) = match inside.split_once('#') {
                Some((name, plural)) => (name, Some(plural)),
                None => (inside, None),
            };
            let value = values.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
            // Writing to a string can't fail.
            let _ = match (value, plural) {
                (Some(Value::Number(number)), Some(plural)) => {
                    let form = plural.split('|').nth(self.language.form(*number));
                    filled.write_str(form.unwrap_or_default())
                }
                (Some(Value::Number(number)), None) => write!(filled, "{number}"),
                (Some(Value::Other(value)), _) => write!(filled, "{value}"),
                (None, _) => Ok(()),
            };
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}

/// The words of the language that the page is shown in. English outside of [`InLanguage`].
pub fn use_words() -> Words {
    use_context().unwrap_or_default()
}

/// Shows its children in a language, and builds them anew when the language changes.
#[component]
pub fn InLanguage(
    /// The language.
    #[prop(into)]
    language: Signal<Language>,
    /// What is shown.
    children: ChildrenFn,
) -> impl IntoView {
    move || {
        let language = language.get();
        provide_context(Words::new(language));
        if let Some(root) = document().document_element() {
            // It fails only for names that are no attribute's.
            let _ = root.set_attribute("lang", language.code());
        }
        children()
    }
}

const REMEMBERED: &str = "khet.language";

/// The language that was chosen in an earlier visit.
pub fn remembered() -> Option<Language> {
    let storage = window().local_storage().ok()??;
    Language::from_code(&storage.get_item(REMEMBERED).ok()??)
}

/// Remembers a chosen language for later visits, where the browser lets us.
pub fn remember(language: Language) {
    if let Ok(Some(storage)) = window().local_storage() {
        // Full or forbidden storage: the choice holds for this visit only.
        let _ = storage.set_item(REMEMBERED, language.code());
    }
}

/// The language for an address that names `address` or none; see [`Language::choose`].
pub fn chosen(address: Option<Language>) -> Language {
    let browser: Vec<String> =
        window().navigator().languages().iter().filter_map(|code| code.as_string()).collect();
    Language::choose(address, remembered(), browser.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_may_carry_a_region() {
        assert_eq!(Language::from_code("fr-CA"), Some(Language::French));
        assert_eq!(Language::from_code("CS"), Some(Language::Czech));
        assert_eq!(Language::from_code("pt"), None);
        assert_eq!(Language::from_code(""), None);
    }

    #[test]
    fn the_address_comes_first_then_the_memory_then_the_browser() {
        use Language::{Czech, Dutch, English, German};
        let browser = ["pt-BR", "nl-BE", "en"];
        assert_eq!(Language::choose(Some(Czech), Some(German), browser), Czech);
        assert_eq!(Language::choose(None, Some(German), browser), German);
        assert_eq!(Language::choose(None, None, browser), Dutch);
        assert_eq!(Language::choose(None, None, ["pt"]), English);
    }

    #[test]
    fn numbers_choose_their_form() {
        assert_eq!([0, 1, 2].map(|n| Language::English.form(n)), [1, 0, 1]);
        assert_eq!([0, 1, 2].map(|n| Language::French.form(n)), [0, 0, 1]);
        assert_eq!([0, 1, 2, 4, 5].map(|n| Language::Czech.form(n)), [2, 0, 1, 1, 2]);
    }
}
