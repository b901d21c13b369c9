//! Saving a game as a record.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use khet::{Color, Game, Record};

use crate::play::state::{Opponent, Saved};

/// The ending of files with game records.
const ENDING: &str = ".kgn";

/// The name for a game that has none yet: `khet-2026-11-15.kgn`.
pub(crate) fn default_name(date: &str) -> String {
    format!("khet-{}{ENDING}", date.replace('.', "-"))
}

/// The name that was typed, with an ending if it has none; the default if nothing was typed.
pub(crate) fn file_name(typed: &str, default: &str) -> String {
    match typed.trim() {
        "" => default.to_string(),
        name if Path::new(name).extension().is_some() => name.to_string(),
        name => format!("{name}{ENDING}"),
    }
}

/// The game as a record, with who played when.
pub(crate) fn record(game: &Game, opponent: Opponent, date: &str) -> String {
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
        // None of these can be refused; a record without one would still be sound.
        let _ = record.set_tag(tag, &value);
    }
    record.to_string()
}

/// Writes the file. One that is there already is left alone unless it may be replaced.
pub(crate) fn write(name: &str, text: &str, overwrite: bool) -> Saved {
    match try_write(Path::new(name), text, overwrite) {
        Ok(()) => Saved::Done,
        Err(error) => match error.kind() {
            ErrorKind::AlreadyExists => Saved::Exists,
            ErrorKind::NotFound => Saved::Failed("there is no such folder".to_string()),
            ErrorKind::PermissionDenied => Saved::Failed("that is not allowed there".to_string()),
            ErrorKind::IsADirectory => Saved::Failed("it is a folder".to_string()),
            _ => Saved::Failed(error.to_string()),
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
    use khet::Setup;
    use khet_engine::Level;

    use super::*;

    #[test]
    fn names_get_an_ending_and_have_a_default() {
        assert_eq!(default_name("2026.11.15"), "khet-2026-11-15.kgn");
        assert_eq!(file_name("  ", "khet-2026-11-15.kgn"), "khet-2026-11-15.kgn");
        assert_eq!(file_name("anna", ""), "anna.kgn");
        assert_eq!(file_name("games/anna.kgn", ""), "games/anna.kgn");
        assert_eq!(file_name("anna.txt", ""), "anna.txt");
    }

    #[test]
    fn records_can_be_read_again() {
        let mut game = Game::new(Setup::Dynasty.position());
        game.play("e2d2".parse().expect("a move")).expect("legal");
        let level = Level::new(4).expect("a level");
        let opponent = Opponent::Computer { level, color: Color::Red };
        let text = record(&game, opponent, "2026.11.15");
        let read: Record = text.parse().expect("a record");
        assert_eq!(read.tag("Red"), Some("Computer 4"));
        assert_eq!(read.tag("Date"), Some("2026.11.15"));
        assert_eq!(read.game(), game);
    }

    #[test]
    fn files_are_never_replaced_unasked() {
        let folder = std::env::temp_dir().join(format!("khet-save-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("game.kgn");
        let name = path.to_str().expect("UTF-8");
        assert_eq!(write(name, "one", false), Saved::Done);
        assert_eq!(write(name, "two", false), Saved::Exists);
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "one");
        assert_eq!(write(name, "two", true), Saved::Done);
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "two");
        let nowhere = folder.join("no/game.kgn");
        let nowhere = write(nowhere.to_str().expect("UTF-8"), "", false);
        assert_eq!(nowhere, Saved::Failed("there is no such folder".to_string()));
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
