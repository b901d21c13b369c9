//! The command that starts an engine.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Program name that stands for the running executable.
const THIS_PROGRAM: &str = "khet";

/// A program and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CommandLine {
    pub(crate) program: String,
    pub(crate) args: Vec<String>,
}

impl CommandLine {
    /// Returns the path of the executable.
    pub(crate) fn executable(&self) -> io::Result<PathBuf> {
        if self.program == THIS_PROGRAM {
            env::current_exe()
        } else {
            Ok(self.program.clone().into())
        }
    }

    /// Returns the program name without its folder, for an engine that declares no name.
    pub(crate) fn short_name(&self) -> String {
        let name = Path::new(&self.program).file_stem().unwrap_or(self.program.as_ref());
        name.to_string_lossy().into_owned()
    }
}

impl FromStr for CommandLine {
    type Err = String;

    /// Splits at whitespace outside single or double quotes.
    fn from_str(text: &str) -> Result<CommandLine, String> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        for letter in text.chars() {
            if quote == Some(letter) {
                quote = None;
            } else if quote.is_some() {
                word.get_or_insert_default().push(letter);
            } else if matches!(letter, '\'' | '"') {
                quote = Some(letter);
                // Starts a word even if nothing follows: '' is an empty argument.
                word.get_or_insert_default();
            } else if letter.is_whitespace() {
                words.extend(word.take());
            } else {
                word.get_or_insert_default().push(letter);
            }
        }
        if let Some(quote) = quote {
            return Err(format!("missing closing quote {quote}"));
        }
        words.extend(word);
        match words.split_first() {
            Some((program, args)) if !program.is_empty() => {
                Ok(CommandLine { program: program.clone(), args: args.to_vec() })
            }
            _ => Err("the command is empty".to_string()),
        }
    }
}
