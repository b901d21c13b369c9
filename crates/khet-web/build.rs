//! Moves `languages/*.txt` into `Words`: a method a key, for all languages.

#[path = "build/language_file.rs"]
mod language_file;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, process};

use language_file::{CODES, Complaint, Text};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=languages");
    let mut languages: Vec<BTreeMap<String, Text>> = Vec::new();
    let mut complaints: Vec<Complaint> = Vec::new();
    for code in CODES {
        let path = format!("languages/{code}.txt");
        let file = fs::read_to_string(&path).unwrap_or_else(|error| {
            fail(&[format!("{path}: {error}")]);
        });
        match language_file::read(code, &file) {
            Ok(texts) => languages.push(texts),
            Err(more) => complaints.extend(more),
        }
    }
    if languages.len() == CODES.len() {
        for (code, texts) in CODES.iter().zip(&languages).skip(1) {
            complaints.extend(language_file::compare(code, &languages[0], texts));
        }
    }
    if !complaints.is_empty() {
        fail(&complaints.iter().map(ToString::to_string).collect::<Vec<_>>());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (name, source) in [("texts.rs", texts(&languages)), ("words.rs", words(&languages))] {
        let path = out.join(name);
        if let Err(error) = fs::write(&path, source) {
            fail(&[format!("{}: {error}", path.display())]);
        }
    }
}

fn fail(complaints: &[String]) -> ! {
    for complaint in complaints {
        println!("cargo::error={complaint}");
    }
    process::exit(1)
}

/// The table of texts, in the order of their keys.
fn texts(languages: &[BTreeMap<String, Text>]) -> String {
    let mut source = format!("static TEXTS: [[&str; COUNT]; {}] = [\n", languages.len());
    for texts in languages {
        source.push_str("    [\n");
        for text in texts.values() {
            let _ = writeln!(source, "        {:?},", text.written);
        }
        source.push_str("    ],\n");
    }
    source.push_str("];\n");
    source
}

/// A method for each text.
fn words(languages: &[BTreeMap<String, Text>]) -> String {
    let first = &languages[0];
    let mut source =
        format!("/// How many texts a language has.\nconst COUNT: usize = {};\n\n", first.len());
    source.push_str("impl Words {\n");
    for (index, (key, text)) in first.iter().enumerate() {
        let _ = writeln!(source, "    #[doc = {:?}]", in_documentation(&text.written));
        // Whether a value is a number is settled by all languages together: a form may depend on
        // it in one and not in another.
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
        let mut arguments = String::new();
        let mut filled = String::new();
        for (name, counts) in values {
            if counts {
                let _ = write!(arguments, ", {name}: usize");
                let _ = write!(filled, "({name:?}, Value::Number({name})), ");
            } else {
                let _ = write!(arguments, ", {name}: impl Display");
                let _ = write!(filled, "({name:?}, Value::Other(&{name})), ");
            }
        }
        let _ = writeln!(
            source,
            "    pub fn {key}(self{arguments}) -> String {{ self.fill({index}, &[{filled}]) }}"
        );
    }
    let _ = writeln!(source, "}}");
    source
}

/// The text, safe from being read as Markdown.
fn in_documentation(written: &str) -> String {
    let mut text = String::new();
    for letter in written.chars() {
        if "[]<>`*_\\#|".contains(letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}
