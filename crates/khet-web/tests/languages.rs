//! Tests that the language files are complete, consistent and without unused keys.

#[path = "../build/language_file.rs"]
mod language_file;
#[path = "../build/language_list.rs"]
mod language_list;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use language_file::{Text, TextPart, compare, read};
use language_list::{TEXT_SETS, languages};

/// Returns a language file by its name without the ending: `fr`, `learn/fr`.
fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("languages/{name}.txt"));
    fs::read_to_string(&path).expect("the file exists")
}

/// Returns the texts of a language in a set: `""`, `"learn/"`.
fn texts(set: &str, code: &str) -> BTreeMap<String, Text> {
    let language = languages().into_iter().find(|language| language.code == code);
    let forms = language.expect("the language is listed").forms();
    let name = format!("{set}{code}");
    read(&name, forms, &file(&name)).unwrap_or_else(|errors| panic!("{errors:?}"))
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
    for (set, _) in TEXT_SETS {
        let english = texts(set, "en");
        for language in &languages()[1..] {
            let errors = compare(language.code, &english, &texts(set, language.code));
            assert!(errors.is_empty(), "{set}: {errors:#?}");
        }
    }
}

#[test]
fn every_language_file_is_listed() {
    for (set, _) in TEXT_SETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages").join(set);
        let entries = fs::read_dir(folder).expect("the folder exists");
        let mut files: Vec<String> = entries
            .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".txt"))
            .collect();
        files.sort();
        let mut expected_files: Vec<_> =
            languages().iter().map(|language| format!("{}.txt", language.code)).collect();
        expected_files.sort();
        assert_eq!(files, expected_files);
    }
}

#[test]
fn no_text_is_marked_to_translate() {
    for (set, _) in TEXT_SETS {
        for language in languages() {
            let name = format!("{set}{}", language.code);
            let file = file(&name);
            let marks = file.lines().zip(1..).filter(|(line, _)| line.trim() == "# to translate");
            let lines: Vec<usize> = marks.map(|(_, number)| number).collect();
            assert!(lines.is_empty(), "languages/{name}.txt: lines {lines:?}");
        }
    }
}

#[test]
fn every_key_is_used() {
    let mut all = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    // The server uses some texts in the previews of links.
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("../khet-server/src/previews.rs");
    all.push_str(&fs::read_to_string(server).expect("the previews exist"));
    let used = |key: &str| {
        all.match_indices(key).any(|(at, _)| {
            let before = &all[..at];
            let after = all[at + key.len()..].chars().next();
            [".", "Words::", "\""].iter().any(|start| before.ends_with(start))
                && !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
    };
    let english: Vec<_> = TEXT_SETS.iter().flat_map(|(set, _)| texts(set, "en")).collect();
    let unused: Vec<_> = english.iter().map(|(key, _)| key).filter(|key| !used(key)).collect();
    assert!(unused.is_empty(), "unused: {unused:?}");
}

/// Asserts that `fault` finds nothing in any text of a language.
fn assert_texts(code: &str, fault: impl Fn(&str) -> Option<String>) {
    let texts: Vec<_> = TEXT_SETS.iter().flat_map(|(set, _)| texts(set, code)).collect();
    let faults = texts.iter().filter_map(|(key, text)| {
        fault(&text.source).map(|fault| format!("{key}: {fault} in {:?}", text.source))
    });
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "languages/{code}.txt: {faults:#?}");
}

#[test]
fn texts_have_no_slips_of_punctuation() {
    const SLIPS: [&str; 10] = ["..", "  ", " . ", " ,", "\"", "'", "`", ",,", "??", "!!"];
    for language in languages() {
        assert_texts(language.code, |text| {
            // Tags of game records are quoted as they are written: [Silver "Anna"].
            let text = text.split_inclusive(']').map(|part| part.split('[').next());
            let text = text.flatten().collect::<Vec<_>>().join("[]");
            SLIPS.iter().find(|slip| text.contains(**slip)).map(|slip| format!("{slip:?}"))
        });
        // German sets a space before the ellipsis that stands for words.
        let before_ellipsis = if language.code == "de" { "\u{a0}…" } else { "…" };
        assert_texts(language.code, |text| {
            let text = text.trim_start_matches('…');
            let spaced = text.contains(" …") || text.contains("\u{a0}…");
            let wrong = text.contains('…') && spaced != before_ellipsis.starts_with('\u{a0}');
            wrong.then(|| "a space before the ellipsis, or none".to_owned())
        });
    }
}

#[test]
fn quotation_marks_are_those_of_the_language() {
    const ALL: [char; 9] = ['“', '”', '„', '«', '»', '‘', '‚', '‹', '›'];
    for language in languages() {
        let [open, close] = match language.code {
            "de" | "cs" => ['„', '“'],
            "fr" | "es" => ['«', '»'],
            _ => ['“', '”'],
        };
        assert_texts(language.code, |text| {
            let marks: Vec<char> = text.chars().filter(|c| ALL.contains(c)).collect();
            let paired = marks.chunks(2).all(|pair| pair == [open, close]);
            (!paired).then(|| format!("{marks:?} instead of {open}{close}"))
        });
    }
}

#[test]
fn every_concept_has_one_word() {
    // Words that earlier versions used for something that now has another word.
    let retired: &[(&str, &[&str])] = &[
        (
            "en",
            &[
                "a turn",
                "turns ahead",
                "per turn",
                "no turn",
                "first turn",
                "good turn",
                "best turn",
                "one turn",
                "turn back",
                "turn the board",
                "arrangement",
                "anew",
                "anticlockwise",
                "stood",
                "two at one table",
            ],
        ),
        ("fr", &["disposition", "dispositions", "nullité", "tu", "toi", "tes"]),
        ("de", &["verlangen", "unentschieden", "rückschau", "freundschaftlich"]),
        ("nl", &["uw", "remise", "spellen", "verslag"]),
        ("es", &["coger", "coge", "cogen", "disposición", "disposiciones", "usted"]),
        ("cs", &["zalomí", "záznam"]),
    ];
    for (code, phrases) in retired {
        assert_texts(code, |text| {
            let lower = text.to_lowercase();
            let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
            let text = format!(" {} ", words.join(" "));
            let phrase = phrases.iter().find(|phrase| text.contains(&format!(" {phrase} ")));
            phrase.map(|phrase| format!("{phrase:?}"))
        });
    }
}

#[test]
fn apostrophes_and_spaces_are_typeset() {
    let source = |code: &str, text: &str| {
        read(code, 2, &format!("a = {text}\n")).unwrap()["a"].source.clone()
    };
    assert_eq!(source("en", "Red's 50 %"), "Red’s 50\u{a0}%");
    assert_eq!(source("de", "Lädt …"), "Lädt\u{a0}…");
    assert_eq!(source("fr", "« L'ami » : oui ?"), "«\u{a0}L’ami\u{a0}»\u{a0}: oui\u{a0}?");
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
