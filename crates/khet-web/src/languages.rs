//! The languages of the app, and its words in each.
//!
//! `languages.txt` lists the languages; `build.rs` generates the enum [`Language`] from it. The
//! texts are in `languages/*.txt`, those that only one program shows in a folder of that name;
//! `build.rs` generates a method of [`Words`] for each key, and checks that no language lacks a key
//! and that all use the same values:
//!
//! ```text
//! home_title = Khet                      words.home_title()    -> &'static str
//! lights = lights {square}               words.lights(square)  -> String
//! taken = {count} {count#piece|pieces}   words.taken(3)        -> String with the plural form of 3
//! ```
//!
//! The browser loads the texts of a language when they are needed ([`load`]), and only the sets
//! ([`TextSet`]) that the program shows: the first load does not carry the texts of the rules.
//!
//! In a component, `let words = use_words();` gives the [`Words`] of the language in which the page
//! is shown. They are `Copy`, so closures can capture them. When the language changes, the page is
//! rebuilt (see [`InLanguage`]), so no component has to react to the change.

use std::fmt::{Display, Write as _};

use leptos::prelude::*;

mod texts;

pub use texts::load;

include!(concat!(env!("OUT_DIR"), "/language.rs"));
include!(concat!(env!("OUT_DIR"), "/words.rs"));

impl Language {
    /// Returns the language of a code. A region after it is ignored: `"fr-CA"` is French.
    pub fn from_code(code: &str) -> Option<Language> {
        let primary = code.split(['-', '_']).next().unwrap_or(code);
        Language::ALL.into_iter().find(|language| primary.eq_ignore_ascii_case(language.code()))
    }

    /// Returns the language to show: the address's, else the one chosen earlier, else the first of
    /// the browser's languages that the app has, else the default.
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
}

/// The words of a language: a method for each text of the app.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words {
    language: Language,
}

/// A value that replaces a placeholder of a text.
enum Placeholder<'a> {
    /// A number, by which plural forms may be chosen.
    Number(usize),
    /// Anything else.
    Other(&'a dyn Display),
}

impl Words {
    /// Creates the words of this language.
    pub fn new(language: Language) -> Words {
        Words { language }
    }

    /// Returns the language of these words.
    pub fn language(self) -> Language {
        self.language
    }

    /// Returns a number with the decimal separator of the language, for texts that people read.
    /// Records and protocols have a point in every language.
    pub fn localized_number(self, number: &str) -> String {
        number.replace('.', self.shell_decimal_point())
    }

    /// Returns a text by its index in its set.
    fn text(self, set: TextSet, index: usize) -> &'static str {
        texts::text(self.language, set, index)
    }

    /// Returns the text with its placeholders replaced. `build.rs` has checked its braces, names
    /// and plural forms.
    fn fill(self, set: TextSet, index: usize, values: &[(&str, Placeholder<'_>)]) -> String {
        let mut filled = String::new();
        let mut rest = self.text(set, index);
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
                (Some(Placeholder::Number(number)), Some(plural)) => {
                    let form = plural.split('|').nth(self.language.plural_form(*number));
                    filled.write_str(form.unwrap_or_default())
                }
                (Some(Placeholder::Number(number)), None) => write!(filled, "{number}"),
                (Some(Placeholder::Other(value)), _) => write!(filled, "{value}"),
                (None, _) => Ok(()),
            };
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}

/// Returns the words of the language in which the page is shown. English outside [`InLanguage`].
pub fn use_words() -> Words {
    use_context().unwrap_or_default()
}

/// Shows its children in a language, and rebuilds them when the language changes.
#[component]
pub fn InLanguage(
    /// The language.
    #[prop(into)]
    language: Signal<Language>,
    /// The page.
    children: ChildrenFn,
) -> impl IntoView {
    move || {
        let language = language.get();
        provide_context(Words::new(language));
        if let Some(root) = document().document_element() {
            // Setting an attribute with a valid name does not fail.
            let _ = root.set_attribute("lang", language.code());
        }
        children()
    }
}

const STORAGE_KEY: &str = "khet.language";

/// Returns the language that the user chose in an earlier visit.
pub fn remembered() -> Option<Language> {
    let storage = window().local_storage().ok()??;
    Language::from_code(&storage.get_item(STORAGE_KEY).ok()??)
}

/// Stores the chosen language for later visits, if the browser allows it.
pub fn remember(language: Language) {
    if let Ok(Some(storage)) = window().local_storage() {
        // If storage is full or forbidden, the choice is valid for this visit only.
        let _ = storage.set_item(STORAGE_KEY, language.code());
    }
}

/// Returns the language to show at an address with this language; see [`Language::choose`].
pub fn chosen(address: Option<Language>) -> Language {
    let browser: Vec<String> =
        window().navigator().languages().iter().filter_map(|code| code.as_string()).collect();
    Language::choose(address, remembered(), browser.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn region_of_a_code_is_ignored() {
        assert_eq!(Language::from_code("fr-CA"), Some(Language::French));
        assert_eq!(Language::from_code("CS"), Some(Language::Czech));
        assert_eq!(Language::from_code("pt"), None);
        assert_eq!(Language::from_code(""), None);
    }

    #[test]
    fn address_precedes_stored_choice_precedes_browser() {
        use Language::{Czech, Dutch, English, German};
        let browser = ["pt-BR", "nl-BE", "en"];
        assert_eq!(Language::choose(Some(Czech), Some(German), browser), Czech);
        assert_eq!(Language::choose(None, Some(German), browser), German);
        assert_eq!(Language::choose(None, None, browser), Dutch);
        assert_eq!(Language::choose(None, None, ["pt"]), English);
    }

    #[test]
    fn number_chooses_the_plural_form() {
        assert_eq!([0, 1, 2].map(|n| Language::English.plural_form(n)), [1, 0, 1]);
        assert_eq!([0, 1, 2].map(|n| Language::French.plural_form(n)), [0, 0, 1]);
        assert_eq!([0, 1, 2, 4, 5].map(|n| Language::Czech.plural_form(n)), [2, 0, 1, 1, 2]);
    }
}
