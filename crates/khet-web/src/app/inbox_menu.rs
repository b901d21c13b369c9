//! The notifications in the header: challenges, answers to them, and games that wait for a move.

use leptos::prelude::*;

use super::menu::menu;
use crate::api::inbox::{self, InboxEntry, InboxEntryKind};
use crate::game_ui::names::time_name;
use crate::languages::{Words, use_words};
use crate::routing::{Navigation, Page, use_navigation};

/// A bell.
const ICON: &str = r#"<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 18C7 16 6.5 12 7 9.5A5 5 0 0 1 17 9.5C17.5 12 17 16 19 18ZM10 21H14M12 4.5V3"/></svg>"#;

/// The button with the number of notifications, and their menu. A link to the game if there is
/// nothing but games to move in; nothing without notifications.
#[component]
pub(super) fn InboxMenu() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let content = move || {
        // The page of the game shows whose turn it is.
        let shown = navigation.subject();
        let mut entries = inbox::entries();
        entries.retain(|entry| entry.kind != InboxEntryKind::OpponentsTurn && entry.id != shown);
        markup(&entries, words, navigation)
    };
    view! { <div class="header-inbox" role="status" inner_html=content></div> }
}

/// Returns the markup of the button and its menu.
fn markup(entries: &[InboxEntry], words: Words, navigation: Navigation) -> String {
    let Some(first) = entries.first() else { return String::new() };
    let is_game = first.kind == InboxEntryKind::YourTurn;
    let (name, count) =
        (if is_game { words.inbox_your_turn() } else { words.inbox_title() }, entries.len());
    let label = format!(
        r#"{ICON}<span class="inbox-name">{name}</span> <span class="inbox-count">{count}</span>"#
    );
    // Challenges come first, so that all entries are games.
    if is_game {
        let path = navigation.path_of(Page::Game, &first.id);
        return format!(r#"<a class="inbox-button" href="{path}">{label}</a>"#);
    }
    let rows: String = entries.iter().map(|entry| row(entry, words, navigation)).collect();
    menu("menu-inbox", "inbox-button", "", &label, &format!("<ul>{rows}</ul>"))
}

/// Returns an entry of the menu.
fn row(entry: &InboxEntry, words: Words, navigation: Navigation) -> String {
    let id = &entry.id;
    let button = |action: &str, name: &str| {
        format!(
            r#"<button type="button" class="button" data-menu-action="{action}:{id}">{name}</button>"#
        )
    };
    let content = match entry.kind {
        InboxEntryKind::Challenge => {
            let time = entry.time.parse().map(|time| time_name(time, words)).unwrap_or_default();
            let rated = if entry.rated { words.online_rated() } else { words.online_casual() };
            let buttons =
                button("accept", words.inbox_accept()) + &button("decline", words.game_decline());
            format!(
                "<p>{}<br>{time} · {rated}</p>{buttons}",
                challenge_title(entry.name.as_deref(), words)
            )
        }
        InboxEntryKind::Declined => {
            let name = entry.name.as_deref().unwrap_or_default();
            let text = words.inbox_declined(name);
            format!("<p>{text}</p>{}", button("decline", words.inbox_dismiss()))
        }
        _ => {
            let path = navigation.path_of(Page::Game, id);
            format!(r#"<a href="{path}">{}</a>"#, game_title(entry, words))
        }
    };
    format!(r#"<li data-inbox="{id}">{content}</li>"#)
}

/// Returns the sentence that somebody challenges the person. Guests have no name.
pub(crate) fn challenge_title(name: Option<&str>, words: Words) -> String {
    match name {
        Some(name) => words.inbox_challenge(name),
        None => words.challenge_invited().to_owned(),
    }
}

/// Returns the opponent of a game and whether it is the person's turn.
pub(crate) fn game_title(entry: &InboxEntry, words: Words) -> String {
    let game = match &entry.name {
        Some(name) => words.inbox_game(name),
        None => words.inbox_game_guest().to_owned(),
    };
    match entry.kind {
        InboxEntryKind::YourTurn => format!("{game} · {}", words.inbox_your_turn()),
        _ => game,
    }
}
