//! The language files: complete, alike, and without a key that nothing uses.

#[path = "../build/language_file.rs"]
mod language_file;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use language_file::{CODES, Part, Text, compare, read};

fn texts(code: &str) -> BTreeMap<String, Text> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("languages/{code}.txt"));
    let file = fs::read_to_string(&path).expect("the file is there");
    read(code, &file).unwrap_or_else(|complaints| panic!("{complaints:?}"))
}

/// All source files of the crate, as one text.
fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push_str(&fs::read_to_string(&path).expect("it can be read"));
        }
    }
}

#[test]
fn no_language_lacks_a_key() {
    let english = texts("en");
    for code in &CODES[1..] {
        let complaints = compare(code, &english, &texts(code));
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}

#[test]
fn nothing_waits_to_be_translated() {
    for code in CODES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("languages/{code}.txt"));
        let file = fs::read_to_string(&path).expect("the file is there");
        let waits = file.lines().zip(1..).filter(|(line, _)| line.trim() == "# to translate");
        let lines: Vec<usize> = waits.map(|(_, number)| number).collect();
        assert!(lines.is_empty(), "languages/{code}.txt: lines {lines:?}");
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
    assert!(unused.is_empty(), "nothing uses {unused:?}");
}

#[test]
fn long_texts_are_continued() {
    let texts = read("en", "# why\nlong = a text\n  that goes on\n\nshort = a = b\n").unwrap();
    assert_eq!(texts["long"].written, "a text that goes on");
    assert_eq!(texts["short"].written, "a = b");
}

#[test]
fn values_and_forms_are_taken_apart() {
    let texts = read("cs", "taken = {count} {count#figura|figury|figur}, {square}\n").unwrap();
    let forms = ["figura", "figury", "figur"].map(String::from).to_vec();
    assert_eq!(
        texts["taken"].parts,
        [
            Part::Value("count".into()),
            Part::Plain(" ".into()),
            Part::Plural("count".into(), forms),
            Part::Plain(", ".into()),
            Part::Value("square".into()),
        ]
    );
    assert_eq!(texts["taken"].values(), [("count".into(), true), ("square".into(), false)]);
}

#[test]
fn complaints_name_the_file_and_the_line() {
    let complaints = |file: &str| -> Vec<String> {
        read("fr", file).unwrap_err().iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        complaints("a = x\na = y\nB = z\nc =\nd\n"),
        [
            "languages/fr.txt:5: \"d\" is not \"key = text\"",
            "languages/fr.txt:2: a stands twice",
            "languages/fr.txt:3: the key \"B\" is not made of a to z, 0 to 9 and _",
            "languages/fr.txt:4: c has no text",
        ]
    );
    assert_eq!(complaints("a = {b"), ["languages/fr.txt:1: a: a { with no } behind it"]);
    assert_eq!(complaints("a = b}"), ["languages/fr.txt:1: a: a } with no { before it"]);
    assert_eq!(
        complaints("a = {n#1|2|3}"),
        ["languages/fr.txt:1: a: {n#1|2|3} has 3 forms, not 2"]
    );
    assert_eq!(
        complaints("  lost"),
        ["languages/fr.txt:1: a continued line with no key before it"]
    );
}

#[test]
fn a_missing_an_extra_and_a_different_text_are_found() {
    let english = read("en", "a = {x} {y}\nb = b\n").unwrap();
    let french = read("fr", "a = {y}\nc = c\n").unwrap();
    let complaints: Vec<_> =
        compare("fr", &english, &french).iter().map(ToString::to_string).collect();
    assert_eq!(
        complaints,
        [
            "languages/fr.txt:1: a fills in [\"y\"], not [\"x\", \"y\"]",
            "languages/fr.txt: b is missing",
            "languages/fr.txt:2: c is not in en.txt",
        ]
    );
    let turned = read("fr", "a = {y} {x}\nb = b\n").unwrap();
    assert!(compare("fr", &english, &turned).is_empty());
}
