//! Finished local games, which this device keeps in a list.

use std::time::Duration;

use khet::{Color, Record};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::state::{GameKind, LocalGame, player_name};
use crate::browser::storage;
use crate::browser::time::date;
use crate::controls::icon::{self, Icon};
use crate::game::session::{GameSession, Mode};
use crate::game::{analysis_handover, save};
use crate::game_ui::result::ResultText;
use crate::routing::use_navigation;

/// The storage key of the list: saved games, the newest first.
const FINISHED_KEY: &str = "khet.finished";
/// The character between two games. Control characters do not occur in game records.
const SEPARATOR: &str = "\u{1e}";
/// The largest number of games that are kept.
const MAX_GAMES: usize = 50;

/// Returns the list with a game as its newest one.
fn with_game(list: &str, game: &str) -> String {
    let known = list.split(SEPARATOR).filter(|known| !known.is_empty() && *known != game);
    std::iter::once(game).chain(known).take(MAX_GAMES).collect::<Vec<&str>>().join(SEPARATOR)
}

/// Returns the list without a game.
fn without_game(list: &str, game: &str) -> String {
    let kept = list.split(SEPARATOR).filter(|known| *known != game);
    kept.collect::<Vec<&str>>().join(SEPARATOR)
}

/// Adds a finished game to the list.
pub(super) fn add(session: &GameSession, now: Duration) {
    let game = save::write(session, &date(), now);
    // If the browser refuses to store it, the game is still on the page.
    storage::store(FINISHED_KEY, &with_game(&storage::load_or_empty(FINISHED_KEY), &game));
}

/// Removes a game from the list, if it is there.
pub(super) fn remove(session: &GameSession, now: Duration) {
    remove_text(&save::write(session, &date(), now));
}

/// Removes a saved game from the list.
fn remove_text(game: &str) {
    storage::store(FINISHED_KEY, &without_game(&storage::load_or_empty(FINISHED_KEY), game));
}

/// The finished games of one kind, built when the section is opened.
#[component]
pub(super) fn FinishedGames(game: LocalGame) -> impl IntoView {
    let words = game.words;
    let list = RwSignal::new(storage::load_or_empty(FINISHED_KEY));
    let opened = RwSignal::new(false);
    let rows = move || {
        let list_text = list.get();
        let games = list_text.split(SEPARATOR).filter_map(|text| game_row(game, list, text));
        games.collect_view()
    };
    let kind = match game.kind {
        GameKind::Computer => "\"computer ",
        GameKind::Hotseat => "\"table",
    };
    let has_games = Memo::new(move |_| {
        list.with(|list| list.split(SEPARATOR).any(|text| text.contains(&format!("[Mode {kind}"))))
    });
    view! {
        <Show when=move || has_games.get()>
            <details class="field-more" data-list="finished" on:toggle=move |_| opened.set(true)>
                <summary>{words.play_finished_games()}</summary>
                <ul class="finished-games">{move || opened.get().then(rows)}</ul>
            </details>
        </Show>
    }
}

/// Returns the row of a finished game, or `None` if it is of the other kind.
fn game_row(game: LocalGame, list: RwSignal<String>, text: &str) -> Option<impl IntoView + use<>> {
    let words = game.words;
    let navigation = use_navigation();
    let session = save::read(text).ok()?;
    let opponent = match (session.mode(), game.kind) {
        (Mode::Computer { level, .. }, GameKind::Computer) => words.play_computer_name(level),
        (Mode::Hotseat { .. }, GameKind::Hotseat) => {
            Color::ALL.map(|color| player_name(&session, color, words)).join(" – ")
        }
        _ => return None,
    };
    let result = ResultText::of_session(words, &session)?;
    let record: Record = text.parse().ok()?;
    let day = local_date(record.tag("Date").unwrap_or_default(), words.language().code());
    let export = save::record(&session, record.tag("Date").unwrap_or_default()).to_string();
    let you = session.you();
    let open = move |_| analysis_handover::open(navigation, &export, you, false);
    let text = text.to_string();
    let delete = move |_| {
        remove_text(&text);
        list.set(storage::load_or_empty(FINISHED_KEY));
    };
    Some(view! {
        <li>
            <button type="button" class="button quiet" data-action="open-finished" on:click=open>
                <strong>{result.headline()}</strong>
                <span>{opponent} " · " {day}</span>
            </button>
            <button type="button" class="icon-button" data-action="delete-finished"
                aria-label=words.play_delete_game() on:click=delete>
                <Icon path=icon::ABORT/>
            </button>
        </li>
    })
}

/// Returns a date of a game record, such as `2026.11.15`, in the format of a language.
fn local_date(date: &str, language: &str) -> String {
    let local = js_sys::Date::new(&JsValue::from_str(&date.replace('.', "/")));
    local.to_locale_date_string(language, &JsValue::UNDEFINED).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_fifty_games_are_kept() {
        let mut list = String::new();
        for number in 0..MAX_GAMES + 5 {
            list = with_game(&list, &format!("game {number}"));
        }
        let games: Vec<&str> = list.split(SEPARATOR).collect();
        assert_eq!((games.len(), games[0], games[49]), (50, "game 54", "game 5"));
        assert_eq!(with_game("b\u{1e}a", "a"), "a\u{1e}b", "a game is listed once");
        assert_eq!(without_game("c\u{1e}b\u{1e}a", "b"), "c\u{1e}a");
        assert_eq!(with_game(&without_game("a", "a"), "b"), "b");
    }
}
