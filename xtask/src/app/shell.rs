//! The static shell of the first paint: a board and the texts of the home page in all languages.
//!
//! The browser shows it while the program is still loading. `start.js` selects the language, and
//! the program removes it.

use std::collections::BTreeMap;

use khet::{Color, Setup};
use khet_picture::geometry::{Orientation, VIEW_BOX};
use khet_picture::stone;

use self::choice_icons::{COMPUTER_ICON, FRIEND_ICON, HOTSEAT_ICON, LOBBY_ICON};
use super::words::TextFile;
use crate::step::TaskError;

#[path = "../../../crates/khet-web/src/home/choice_icons.rs"]
mod choice_icons;

/// Fills the placeholders of `index.html`; `shell` is the part that each language repeats.
pub(super) fn fill(page: &str, shell: &str, texts: &[TextFile]) -> Result<String, TaskError> {
    let shell = shell
        .replace("COMPUTER_ICON", COMPUTER_ICON)
        .replace("FRIEND_ICON", FRIEND_ICON)
        .replace("LOBBY_ICON", LOBBY_ICON)
        .replace("HOTSEAT_ICON", HOTSEAT_ICON);
    let mut shells = String::new();
    for file in texts.iter().filter(|file| file.set.is_empty()) {
        shells += &fill_texts(&shell.replace("LANGUAGE", file.code), &file.texts)?;
    }
    let board = khet_picture::content(&Setup::Classic.position(), Orientation::new(Color::Silver));
    Ok(page
        .replace("SHELL\n", &shells)
        .replace("BOARD_VIEW_BOX", VIEW_BOX)
        .replace("BOARD_DEFINITIONS", stone::DEFINITIONS)
        .replace("BOARD", &board))
}

/// Replaces each `{key}` by its text.
fn fill_texts(shell: &str, texts: &BTreeMap<String, String>) -> Result<String, TaskError> {
    let mut filled = String::new();
    let mut rest = shell;
    while let Some((before, after)) = rest.split_once('{') {
        let (key, after) = after.split_once('}').unwrap_or((after, ""));
        let text = texts.get(key).ok_or_else(|| TaskError(format!("shell.html: no text {key}")))?;
        filled += before;
        filled += &text.replace('&', "&amp;").replace('<', "&lt;");
        rest = after;
    }
    Ok(filled + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_has_the_texts_of_every_language_and_a_board() {
        let file = |code, set, text: &str| TextFile {
            code,
            set,
            name: String::new(),
            texts: BTreeMap::from([("home_intro".to_owned(), text.to_owned())]),
        };
        let files = [
            file("en", "", "Mirrors & lasers"),
            file("en", "learn/", "Lessons"),
            file("fr", "", "Miroirs"),
        ];
        let shell = "<p lang=\"LANGUAGE\">{home_intro}</p>\n";
        let filled = fill("<svg>BOARD</svg>\nSHELL\n", shell, &files).expect("a page");
        assert!(filled.contains("<p lang=\"en\">Mirrors &amp; lasers</p>"), "{filled}");
        assert!(filled.contains("<p lang=\"fr\">Miroirs</p>"), "{filled}");
        assert!(!filled.contains("Lessons"), "{filled}");
        assert!(filled.contains("class=\"mirror\"") && !filled.contains("BOARD"));
        assert!(fill("SHELL\n", "{nothing}", &files).is_err());
    }
}
