//! Tests that the language files are complete, consistent and without unused keys.

#[path = "../build/language_file.rs"]
mod language_file;
#[path = "../build/language_list.rs"]
mod language_list;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use language_file::{Text, TextPart, compare, read};
use language_list::languages;

fn file(code: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("languages/{code}.txt"));
    fs::read_to_string(&path).expect("the file exists")
}

fn texts(code: &str) -> BTreeMap<String, Text> {
    let language = languages().into_iter().find(|language| language.code == code);
    let forms = language.expect("the language is listed").forms();
    read(code, forms, &file(code)).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Appends all Rust files of a folder to one text.
fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push_str(&fs::read_to_string(&path).expect("it can be read"));
        }
    }
}

#[test]
fn every_language_has_every_key() {
    let english = texts("en");
    for language in &languages()[1..] {
        let errors = compare(language.code, &english, &texts(language.code));
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

#[test]
fn every_language_file_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages");
    let entries = fs::read_dir(folder).expect("the folder exists");
    let mut files: Vec<String> = entries
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let mut expected_files: Vec<_> =
        languages().iter().map(|language| format!("{}.txt", language.code)).collect();
    expected_files.sort();
    assert_eq!(files, expected_files);
}

#[test]
fn no_text_is_marked_to_translate() {
    for language in languages() {
        let file = file(language.code);
        let marks = file.lines().zip(1..).filter(|(line, _)| line.trim() == "# to translate");
        let lines: Vec<usize> = marks.map(|(_, number)| number).collect();
        assert!(lines.is_empty(), "languages/{}.txt: lines {lines:?}", language.code);
    }
}

#[test]
fn every_key_is_used() {
    let mut all = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    let used = |key: &str| {
        all.match_indices(key).any(|(at, _)| {
            let before = &all[..at];
            let after = all[at + key.len()..].chars().next();
            (before.ends_with('.') || before.ends_with("Words::"))
                && !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
    };
    let english = texts("en");
    let unused: Vec<_> = english.keys().filter(|key| !used(key)).collect();
    assert!(unused.is_empty(), "unused: {unused:?}");
}

#[test]
fn continuation_lines_are_joined() {
    let texts = read("en", 2, "# why\nlong = a text\n  that goes on\n\nshort = a = b\n").unwrap();
    assert_eq!(texts["long"].source, "a text that goes on");
    assert_eq!(texts["short"].source, "a = b");
}

#[test]
fn values_and_plural_forms_are_parsed() {
    let texts = read("cs", 3, "taken = {count} {count#figura|figury|figur}, {square}\n").unwrap();
    let forms = ["figura", "figury", "figur"].map(String::from).to_vec();
    assert_eq!(
        texts["taken"].parts,
        [
            TextPart::Value("count".into()),
            TextPart::Literal(" ".into()),
            TextPart::Plural("count".into(), forms),
            TextPart::Literal(", ".into()),
            TextPart::Value("square".into()),
        ]
    );
    assert_eq!(texts["taken"].values(), [("count".into(), true), ("square".into(), false)]);
}

#[test]
fn errors_name_the_file_and_the_line() {
    let errors = |file: &str| -> Vec<String> {
        read("fr", 2, file).unwrap_err().iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        errors("a = x\na = y\nB = z\nc =\nd\n"),
        [
            "languages/fr.txt:5: \"d\" is not \"key = text\"",
            "languages/fr.txt:2: a is defined twice",
            "languages/fr.txt:3: the key \"B\" is not made of a to z, 0 to 9 and _",
            "languages/fr.txt:4: c has no text",
        ]
    );
    assert_eq!(errors("a = {b"), ["languages/fr.txt:1: a: a { with no } after it"]);
    assert_eq!(errors("a = b}"), ["languages/fr.txt:1: a: a } with no { before it"]);
    assert_eq!(errors("a = {n#1|2|3}"), ["languages/fr.txt:1: a: {n#1|2|3} has 3 forms, not 2"]);
    assert_eq!(errors("  lost"), ["languages/fr.txt:1: a continuation line with no key before it"]);
}

#[test]
fn missing_extra_and_different_texts_are_reported() {
    let english = read("en", 2, "a = {x} {y}\nb = b\n").unwrap();
    let french = read("fr", 2, "a = {y}\nc = c\n").unwrap();
    let errors: Vec<_> = compare("fr", &english, &french).iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "languages/fr.txt:1: a has the values [\"y\"], not [\"x\", \"y\"]",
            "languages/fr.txt: b is missing",
            "languages/fr.txt:2: c is not in the first language",
        ]
    );
    let reordered = read("fr", 2, "a = {y} {x}\nb = b\n").unwrap();
    assert!(compare("fr", &english, &reordered).is_empty());
}
