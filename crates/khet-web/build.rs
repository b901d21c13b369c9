//! Generates the enum `Language` from `languages.txt`, and a method of `Words` for each key of the
//! language files.

#[path = "build/language_file.rs"]
mod language_file;
#[path = "build/language_list.rs"]
mod language_list;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, process};

use language_file::{LanguageFileError, Text};
use language_list::LanguageEntry;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=languages");
    println!("cargo::rerun-if-changed=languages.txt");
    let list = language_list::languages();
    let mut languages: Vec<BTreeMap<String, Text>> = Vec::new();
    let mut errors: Vec<LanguageFileError> = Vec::new();
    for language in &list {
        let path = format!("languages/{}.txt", language.code);
        let file = fs::read_to_string(&path).unwrap_or_else(|error| {
            fail(&[format!("{path}: {error}")]);
        });
        match language_file::read(language.code, language.forms(), &file) {
            Ok(texts) => languages.push(texts),
            Err(more) => errors.extend(more),
        }
    }
    if languages.len() == list.len() {
        for (language, texts) in list.iter().zip(&languages).skip(1) {
            errors.extend(language_file::compare(language.code, &languages[0], texts));
        }
    }
    if !errors.is_empty() {
        fail(&errors.iter().map(ToString::to_string).collect::<Vec<_>>());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (name, source) in [
        ("language.rs", language_enum(&list)),
        ("texts.rs", text_table(&languages)),
        ("words.rs", word_methods(&languages)),
    ] {
        let path = out.join(name);
        if let Err(error) = fs::write(&path, source) {
            fail(&[format!("{}: {error}", path.display())]);
        }
    }
}

fn fail(messages: &[String]) -> ! {
    for message in messages {
        println!("cargo::error={message}");
    }
    process::exit(1)
}

/// Generates the enum `Language`.
fn language_enum(list: &[LanguageEntry]) -> String {
    let lines = |line: &dyn Fn(&LanguageEntry) -> String| list.iter().map(line).collect::<String>();
    let variants = lines(&|language| format!("    /// {0}.\n    {0},\n", language.variant));
    let all = lines(&|language| format!("Language::{}, ", language.variant));
    let codes =
        lines(&|language| format!("Language::{} => {:?},\n", language.variant, language.code));
    let names =
        lines(&|language| format!("Language::{} => {:?},\n", language.variant, language.name));
    let forms = lines(&|language| {
        let patterns = language.plurals.iter().enumerate();
        let arms: String =
            patterns.map(|(form, pattern)| format!("{pattern} => {form}, ")).collect();
        format!(
            "Language::{} => match number {{ {arms}_ => {} }},\n",
            language.variant,
            language.plurals.len()
        )
    });
    format!(
        "/// A language of the app. The default is shown where no other is known to fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {{
    #[default]
{variants}}}

impl Language {{
    /// All languages, in the order in which they are offered.
    pub const ALL: [Language; {}] = [{all}];

    /// Returns the language's code, as in addresses and in the `lang` attribute: `\"fr\"`.
    pub fn code(self) -> &'static str {{ match self {{ {codes} }} }}

    /// Returns the language's name in the language itself.
    pub fn name(self) -> &'static str {{ match self {{ {names} }} }}

    /// Returns the index of the plural form that nouns take after a number.
    fn plural_form(self, number: usize) -> usize {{ match self {{ {forms} }} }}
}}
",
        list.len()
    )
}

/// Generates the table of texts, in the order of their keys.
fn text_table(languages: &[BTreeMap<String, Text>]) -> String {
    let mut source = format!("static TEXTS: [[&str; COUNT]; {}] = [\n", languages.len());
    for texts in languages {
        source.push_str("    [\n");
        for text in texts.values() {
            let _ = writeln!(source, "        {:?},", text.source);
        }
        source.push_str("    ],\n");
    }
    source.push_str("];\n");
    source
}

/// Generates a method for each text.
fn word_methods(languages: &[BTreeMap<String, Text>]) -> String {
    let first = &languages[0];
    let mut source = format!(
        "/// The number of texts of a language.\nconst COUNT: usize = {};\n\n",
        first.len()
    );
    source.push_str("impl Words {\n");
    for (index, (key, text)) in first.iter().enumerate() {
        let _ = writeln!(source, "    #[doc = {:?}]", escape_markdown(&text.source));
        // A value is a number if a plural form depends on it in any language.
        let counts = |name: &String| {
            languages.iter().any(|texts| texts[key].values().contains(&(name.clone(), true)))
        };
        let values: Vec<(String, bool)> =
            text.values().into_iter().map(|(name, _)| (name.clone(), counts(&name))).collect();
        if values.is_empty() {
            let _ =
                writeln!(source, "    pub fn {key}(self) -> &'static str {{ self.text({index}) }}");
            continue;
        }
        let mut parameters = String::new();
        let mut arguments = String::new();
        for (name, counts) in values {
            if counts {
                let _ = write!(parameters, ", {name}: usize");
                let _ = write!(arguments, "({name:?}, Placeholder::Number({name})), ");
            } else {
                let _ = write!(parameters, ", {name}: impl Display");
                let _ = write!(arguments, "({name:?}, Placeholder::Other(&{name})), ");
            }
        }
        let _ = writeln!(
            source,
            "    pub fn {key}(self{parameters}) -> String {{ self.fill({index}, &[{arguments}]) }}"
        );
    }
    let _ = writeln!(source, "}}");
    source
}

/// Escapes the characters that Markdown would interpret in a doc comment.
fn escape_markdown(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "[]<>`*_\\#|".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
