//! `cargo xtask names`: finds type names that are defined more than once in the workspace.
//!
//! A type name should have one meaning in the whole repository. `names.txt`, next to this file,
//! lists the deliberate exceptions with their reasons.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::step::{TaskError, workspace};

const EXCEPTIONS: &str = include_str!("names.txt");

/// Type names with the places that define them, as `path:line`.
type Definitions = BTreeMap<String, Vec<String>>;

/// Fails if a type name is defined more than once without being listed in `names.txt`, or is listed
/// there although it is not.
pub(crate) fn check() -> Result<(), TaskError> {
    println!("\n=== type names");
    let duplicates = duplicates()?;
    let exceptions = exceptions();
    let mut problems: Vec<String> = duplicates
        .iter()
        .filter(|(name, _)| !exceptions.contains_key(name.as_str()))
        .map(|(name, places)| format!("{name} is defined in {}", places.join(", ")))
        .collect();
    for name in exceptions.keys().filter(|name| !duplicates.contains_key(**name)) {
        problems.push(format!("{name} is in names.txt, but is defined only once"));
    }
    if problems.is_empty() {
        return Ok(());
    }
    let advice = "Choose precise names, or explain the duplicates in xtask/src/names.txt.";
    Err(TaskError(format!("{}\n{advice}", problems.join("\n"))))
}

/// Prints all type names that are defined more than once, with their places, and the reasons of
/// those that are listed in `names.txt`.
pub(crate) fn list() -> Result<(), TaskError> {
    let exceptions = exceptions();
    for (name, places) in duplicates()? {
        match exceptions.get(name.as_str()) {
            Some(reason) => println!("{name} (deliberate: {reason})"),
            None => println!("{name}"),
        }
        for place in places {
            println!("    {place}");
        }
    }
    Ok(())
}

/// Returns the entries of `names.txt`: names with reasons.
fn exceptions() -> BTreeMap<&'static str, &'static str> {
    let lines = EXCEPTIONS.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": ")).collect()
}

/// Returns the type names that are defined more than once.
fn duplicates() -> Result<Definitions, TaskError> {
    let mut definitions = Definitions::new();
    for file in source_files()? {
        let source = read(&file)?;
        let path = file.strip_prefix(workspace()).unwrap_or(&file).display();
        for (name, line) in type_names(&source) {
            definitions.entry(name.to_owned()).or_default().push(format!("{path}:{line}"));
        }
    }
    definitions.retain(|_, places| places.len() > 1);
    Ok(definitions)
}

/// Returns the Rust files of all crates, without tests.
fn source_files() -> Result<Vec<PathBuf>, TaskError> {
    let mut files = Vec::new();
    for group in ["crates", "tools"] {
        for folder in entries(&workspace().join(group))? {
            add_files(&folder.join("src"), &mut files)?;
        }
    }
    add_files(&workspace().join("xtask/src"), &mut files)?;
    Ok(files)
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), TaskError> {
    for path in entries(folder)? {
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_test {
            add_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns the paths in a folder in alphabetical order.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, TaskError> {
    let entries = fs::read_dir(folder)
        .map_err(|error| TaskError(format!("{}: {error}", folder.display())))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<String, TaskError> {
    fs::read_to_string(path).map_err(|error| TaskError(format!("{}: {error}", path.display())))
}

/// Returns the types that a file defines outside its tests, with their lines.
fn type_names(source: &str) -> impl Iterator<Item = (&str, usize)> {
    let lines = source.lines().take_while(|line| !line.starts_with("mod tests {"));
    lines.zip(1..).filter_map(|(line, number)| Some((type_name(line)?, number)))
}

/// Returns the name of the struct, enum, trait, union or type alias that a line defines. Associated
/// types do not count, nor do the arguments of commands, which are called `Args` everywhere.
fn type_name(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let is_indented = text.len() < line.len();
    let text = match text.strip_prefix("pub") {
        Some(text) if text.starts_with('(') => text.split_once(')')?.1,
        Some(text) => text,
        None => text,
    };
    let (keyword, rest) = text.trim_start().split_once(' ')?;
    if !matches!(keyword, "struct" | "enum" | "trait" | "union" | "type")
        || (keyword == "type" && is_indented)
    {
        return None;
    }
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    (name.starts_with(char::is_uppercase) && name != "Args").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{type_name, type_names};

    #[test]
    fn definitions_of_types_are_recognized() {
        for line in [
            "struct Name;",
            "pub struct Name<'a> {",
            "    pub(crate) enum Name {",
            "pub(in super::super) trait Name: Clone {",
            "type Name = Vec<u8>;",
            "pub union Name {",
        ] {
            assert_eq!(type_name(line), Some("Name"), "{line}");
        }
    }

    #[test]
    fn other_lines_are_ignored() {
        for line in [
            "    type Output = u8;",
            "// struct Name;",
            "/// enum Name",
            "fn struct_name() {}",
            "struct Args {",
            "let type = 1;",
        ] {
            assert_eq!(type_name(line), None, "{line}");
        }
    }

    #[test]
    fn tests_of_a_file_are_ignored() {
        let source = "struct A;\n\n#[cfg(test)]\nmod tests {\n    struct B;\n}\n";
        assert_eq!(type_names(source).collect::<Vec<_>>(), [("A", 1)]);
    }
}
