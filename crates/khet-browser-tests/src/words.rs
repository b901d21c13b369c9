//! The app's texts, read from its language files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

#[allow(dead_code, reason = "the app's build checks what is read here")]
#[path = "../../khet-web/build/language_file.rs"]
mod language_file;
#[allow(dead_code, reason = "the app's build uses all of it")]
#[path = "../../khet-web/build/language_list.rs"]
mod language_list;

/// The texts of each language by code and key.
static TEXTS: LazyLock<BTreeMap<&str, BTreeMap<String, language_file::Text>>> =
    LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../khet-web/languages");
        let languages = language_list::languages().into_iter();
        let texts = languages.map(|language| {
            let mut texts = BTreeMap::new();
            for (set, _) in language_list::TEXT_SETS {
                let name = format!("{set}{}", language.code);
                let path = folder.join(&name).with_extension("txt");
                let file = fs::read_to_string(&path)
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let set = language_file::read(&name, language.forms(), &file);
                texts.extend(set.unwrap_or_else(|errors| panic!("{errors:?}")));
            }
            (language.code, texts)
        });
        texts.collect()
    });

/// Returns the codes of all languages, English first.
pub fn languages() -> impl Iterator<Item = &'static str> {
    language_list::languages().into_iter().map(|language| language.code)
}

/// Returns the text of a key in a language.
///
/// # Panics
///
/// Panics if the language or the key does not exist.
pub fn word(language: &str, key: &str) -> String {
    let texts = TEXTS.get(language).unwrap_or_else(|| panic!("no language {language:?}"));
    let text = texts.get(key).unwrap_or_else(|| panic!("{language} has no text {key:?}"));
    text.source.clone()
}
