//! Saves a game as a game record.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use khet::{AnyPosition, Color, Game, Record};

use crate::play::state::{Opponent, SaveResult};

/// File extension of game records.
const EXTENSION: &str = ".kgn";

/// Returns the default file name: `khet-2026-11-15.kgn`.
pub(crate) fn default_name(date: &str) -> String {
    format!("khet-{}{EXTENSION}", date.replace('.', "-"))
}

/// Returns the typed name, with an extension if it has none, or the default if it is empty.
pub(crate) fn file_name(typed: &str, default: &str) -> String {
    match typed.trim() {
        "" => default.to_string(),
        name if Path::new(name).extension().is_some() => name.to_string(),
        name => format!("{name}{EXTENSION}"),
    }
}

/// Returns the text of the game's record, with the players and the date.
pub(crate) fn record_text(game: &Game<AnyPosition>, opponent: Opponent, date: &str) -> String {
    let mut record = Record::from_game(game);
    let name = |player: Color| match opponent {
        Opponent::Computer { level, color } if color == player => {
            format!("Computer {}", level.number())
        }
        _ => "Player".to_string(),
    };
    let tags = [
        ("Event", "Casual game".to_string()),
        ("Site", "khet".to_string()),
        ("Date", date.to_string()),
        ("Silver", name(Color::Silver)),
        ("Red", name(Color::Red)),
    ];
    for (tag, value) in tags {
        // Cannot fail: the names and values are valid. Ignored, because the tags are optional.
        let _ = record.set_tag(tag, &value);
    }
    record.to_string()
}

/// Writes the file. Leaves an existing file alone unless `overwrite` is set.
pub(crate) fn write_file(name: &str, text: &str, overwrite: bool) -> SaveResult {
    match try_write(Path::new(name), text, overwrite) {
        Ok(()) => SaveResult::Saved,
        Err(error) => match error.kind() {
            ErrorKind::AlreadyExists => SaveResult::Exists,
            ErrorKind::NotFound => SaveResult::Failed("the folder does not exist".to_string()),
            ErrorKind::PermissionDenied => SaveResult::Failed("permission denied".to_string()),
            ErrorKind::IsADirectory => SaveResult::Failed("it is a folder".to_string()),
            _ => SaveResult::Failed(error.to_string()),
        },
    }
}

fn try_write(path: &Path, text: &str, overwrite: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true);
    if overwrite {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use khet_engine::Level;

    use super::*;

    #[test]
    fn file_names_get_an_extension_and_have_a_default() {
        assert_eq!(default_name("2026.11.15"), "khet-2026-11-15.kgn");
        assert_eq!(file_name("  ", "khet-2026-11-15.kgn"), "khet-2026-11-15.kgn");
        assert_eq!(file_name("anna", ""), "anna.kgn");
        assert_eq!(file_name("games/anna.kgn", ""), "games/anna.kgn");
        assert_eq!(file_name("anna.txt", ""), "anna.txt");
    }

    #[test]
    fn records_can_be_read_again() {
        for (setup, mv) in [("dynasty", "e2d2"), ("orontes", "Td4")] {
            let mut game = Game::new(setup.parse::<AnyPosition>().expect("a setup"));
            game.play(mv.parse().expect("a move")).expect("legal");
            let level = Level::new(4).expect("a level");
            let opponent = Opponent::Computer { level, color: Color::Red };
            let text = record_text(&game, opponent, "2026.11.15");
            let read: Record<AnyPosition> = text.parse().expect("a record");
            assert_eq!(read.tag("Red"), Some("Computer 4"));
            assert_eq!(read.tag("Date"), Some("2026.11.15"));
            assert_eq!(read.game(), game);
        }
    }

    #[test]
    fn files_are_overwritten_only_on_request() {
        let folder = std::env::temp_dir().join(format!("khet-save-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("game.kgn");
        let name = path.to_str().expect("UTF-8");
        assert_eq!(write_file(name, "one", false), SaveResult::Saved);
        assert_eq!(write_file(name, "two", false), SaveResult::Exists);
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "one");
        assert_eq!(write_file(name, "two", true), SaveResult::Saved);
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "two");
        let nowhere = folder.join("no/game.kgn");
        let nowhere = write_file(nowhere.to_str().expect("UTF-8"), "", false);
        assert_eq!(nowhere, SaveResult::Failed("the folder does not exist".to_string()));
        std::fs::remove_dir_all(&folder).expect("the folder is removed");
    }
}
