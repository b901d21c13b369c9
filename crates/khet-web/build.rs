//! Generates the enum `Language` from `languages.txt`, the enum `TextSet`, and a method of `Words`
//! for each key of the language files.

#[path = "build/language_file.rs"]
mod language_file;
#[path = "build/language_list.rs"]
mod language_list;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, process};

use language_file::{LanguageFileError, Text};
use language_list::{LanguageEntry, TEXT_SETS};

/// The texts of a set in one language, by key.
type Texts = BTreeMap<String, Text>;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=languages");
    println!("cargo::rerun-if-changed=languages.txt");
    let list = language_list::languages();
    let sets: Vec<Vec<Texts>> =
        TEXT_SETS.iter().map(|(folder, _)| read_set(folder, &list)).collect();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (name, source) in [
        ("language.rs", language_enum(&list)),
        ("texts.rs", text_tables(&sets)),
        ("words.rs", text_set_enum(&sets) + &word_methods(&sets)),
    ] {
        let path = out.join(name);
        if let Err(error) = fs::write(&path, source) {
            fail(&[format!("{}: {error}", path.display())]);
        }
    }
}

/// Reads a set of texts in all languages, and checks that they have the same keys and values.
fn read_set(folder: &str, list: &[LanguageEntry]) -> Vec<Texts> {
    let mut languages: Vec<Texts> = Vec::new();
    let mut errors: Vec<LanguageFileError> = Vec::new();
    for language in list {
        let name = format!("{folder}{}", language.code);
        let path = format!("languages/{name}.txt");
        let file = fs::read_to_string(&path).unwrap_or_else(|error| {
            fail(&[format!("{path}: {error}")]);
        });
        match language_file::read(&name, language.forms(), &file) {
            Ok(texts) => languages.push(texts),
            Err(more) => errors.extend(more),
        }
    }
    if languages.len() == list.len() {
        for (language, texts) in list.iter().zip(&languages).skip(1) {
            let name = format!("{folder}{}", language.code);
            errors.extend(language_file::compare(&name, &languages[0], texts));
        }
    }
    if !errors.is_empty() {
        fail(&errors.iter().map(ToString::to_string).collect::<Vec<_>>());
    }
    languages
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

/// Generates the tables of texts: one per set and language, in the order of their keys.
fn text_tables(sets: &[Vec<Texts>]) -> String {
    let mut source = String::from("static TEXTS: &[&[&[&str]]] = &[\n");
    for languages in sets {
        source.push_str("    &[\n");
        for texts in languages {
            source.push_str("        &[\n");
            for text in texts.values() {
                let _ = writeln!(source, "            {:?},", text.source);
            }
            source.push_str("        ],\n");
        }
        source.push_str("    ],\n");
    }
    source.push_str("];\n");
    source
}

/// Generates the enum `TextSet`.
fn text_set_enum(sets: &[Vec<Texts>]) -> String {
    let mut variants = String::new();
    let mut counts = String::new();
    let mut names = String::new();
    for ((folder, variant), languages) in TEXT_SETS.iter().zip(sets) {
        let doc = match *folder {
            "" => "The texts that all programs use: `languages/*.txt`.".to_owned(),
            folder => format!("The texts of a program: `languages/{folder}*.txt`."),
        };
        let _ = writeln!(variants, "    /// {doc}\n    {variant},");
        let _ = writeln!(counts, "TextSet::{variant} => {},", languages[0].len());
        let name = format!("words-{}", folder.replace('/', "-"));
        let _ = writeln!(names, "TextSet::{variant} => {name:?},");
    }
    format!(
        "/// A set of texts that is loaded as one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSet {{
{variants}}}

impl TextSet {{
    /// The number of sets.
    #[cfg_attr(not(target_arch = \"wasm32\"), allow(dead_code, reason = \"native builds load nothing\"))]
    const COUNT: usize = {};

    /// Returns the number of texts.
    #[cfg_attr(not(target_arch = \"wasm32\"), allow(dead_code, reason = \"native builds load nothing\"))]
    fn len(self) -> usize {{ match self {{ {counts} }} }}

    /// Returns the name under which the page lists the set's files, before the language's code.
    #[cfg_attr(not(target_arch = \"wasm32\"), allow(dead_code, reason = \"native builds load nothing\"))]
    fn file_prefix(self) -> &'static str {{ match self {{ {names} }} }}
}}

",
        sets.len()
    )
}

/// Generates a method for each text.
fn word_methods(sets: &[Vec<Texts>]) -> String {
    let mut source = String::from("impl Words {\n");
    for ((_, set), languages) in TEXT_SETS.iter().zip(sets) {
        for (index, (key, text)) in languages[0].iter().enumerate() {
            let _ = writeln!(source, "    #[doc = {:?}]", escape_markdown(&text.source));
            source.push_str(&word_method(
                key,
                text,
                &format!("TextSet::{set}, {index}"),
                languages,
            ));
        }
    }
    source.push_str("}\n");
    source
}

/// Generates the method of a text. `place` are the arguments that find it: its set and index.
fn word_method(key: &str, text: &Text, place: &str, languages: &[Texts]) -> String {
    // A value is a number if a plural form depends on it in any language.
    let counts = |name: &String| {
        languages.iter().any(|texts| texts[key].values().contains(&(name.clone(), true)))
    };
    let values: Vec<(String, bool)> =
        text.values().into_iter().map(|(name, _)| (name.clone(), counts(&name))).collect();
    if values.is_empty() {
        return format!("    pub fn {key}(self) -> &'static str {{ self.text({place}) }}\n");
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
    format!(
        "    pub fn {key}(self{parameters}) -> String {{ self.fill({place}, &[{arguments}]) }}\n"
    )
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
