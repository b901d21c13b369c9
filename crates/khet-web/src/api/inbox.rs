//! The inbox of this browser's guest or account: games in progress, challenges, and challenges that
//! were declined.
//!
//! It is fetched when a page is opened, when the window gets the focus, and when an open WebSocket
//! announces a change. Without a server it stays empty. It belongs to the first load of every
//! program, so the response is read by the browser's parser instead of by `serde`.

use std::cell::Cell;

use js_sys::{Array, JSON, Reflect};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;

use crate::api::{fetch, me};
use crate::routing::{Navigation, Page};

/// The kind of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InboxEntryKind {
    /// A challenge to the person.
    Challenge,
    /// A challenge by the person that was declined.
    Declined,
    /// A game in which it is the person's turn.
    YourTurn,
    /// A game in which it is the opponent's turn.
    OpponentsTurn,
}

/// An entry of the inbox.
#[derive(Debug)]
pub(crate) struct InboxEntry {
    pub(crate) kind: InboxEntryKind,
    /// The id of the challenge or game.
    pub(crate) id: String,
    /// The name of the other person; guests have none.
    pub(crate) name: Option<String>,
    /// The time control of a challenge.
    pub(crate) time: String,
    /// The challenge is to a rated game.
    pub(crate) rated: bool,
}

thread_local! {
    /// The last response of the server, which lives as long as the app.
    static RESPONSE: Cell<Option<RwSignal<String>>> = const { Cell::new(None) };
}

/// Starts to fetch the inbox. Called once.
pub(crate) fn start(navigation: Navigation) {
    RESPONSE.set(Some(RwSignal::new(String::new())));
    Effect::new(move |_| {
        navigation.page();
        navigation.subject();
        refresh();
    });
    window_event_listener_untyped("focus", |_| refresh());
}

/// Fetches the inbox, if this browser has a guest or an account.
pub(crate) fn refresh() {
    let Some(response) = RESPONSE.get().filter(|_| me::is_known()) else { return };
    spawn_local(async move {
        // Without a connection the last state is as good as any.
        let Ok((status, text)) = fetch("GET", "/api/me/inbox", None).await else { return };
        match status {
            200 if response.with_untracked(|shown| *shown != text) => response.set(text),
            401 => {
                me::forget();
                response.set(String::new());
            }
            _ => {}
        }
    });
}

/// Returns the entries: challenges, answers, then games, those of the person's turn first.
pub(crate) fn entries() -> Vec<InboxEntry> {
    let response = RESPONSE.get().map(|response| response.get()).unwrap_or_default();
    let inbox = JSON::parse(&response).unwrap_or_default();
    let mut entries = Vec::new();
    for (part, kind) in [
        ("challenges", InboxEntryKind::Challenge),
        ("declined", InboxEntryKind::Declined),
        ("games", InboxEntryKind::OpponentsTurn),
    ] {
        let list = field(&inbox, part).dyn_into::<Array>().unwrap_or_default();
        entries.extend(list.iter().filter_map(|value| read_entry(&value, kind)));
    }
    entries
}

/// Reads an entry. Ids and names are letters, digits, `-` and `_`, so that they can be written into
/// markup; an entry with anything else is left out.
fn read_entry(value: &JsValue, mut kind: InboxEntryKind) -> Option<InboxEntry> {
    let name = match kind {
        InboxEntryKind::Challenge => field(&field(value, "by"), "name"),
        InboxEntryKind::Declined => field(value, "to"),
        _ => field(value, "opponent"),
    };
    if field(value, "your_turn").is_truthy() {
        kind = InboxEntryKind::YourTurn;
    }
    let (id, name) = (field(value, "id").as_string()?, name.as_string());
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    let plain = id.chars().chain(name.iter().flat_map(|name| name.chars())).all(is_plain);
    plain.then(|| InboxEntry {
        kind,
        id,
        name,
        time: field(value, "time").as_string().unwrap_or_default(),
        rated: field(value, "rated").is_truthy(),
    })
}

/// Returns a field of an object, or `undefined`.
fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default()
}

/// Carries out an action of the menu: `accept:ID` and `decline:ID`. Declining one's own challenge
/// removes it.
pub(crate) fn act(action: &str, navigation: Navigation) {
    let Some((verb, id)) = action.split_once(':') else { return };
    let path = format!("/api/challenges/{id}");
    let (method, path) =
        if verb == "accept" { ("POST", path + "/accept") } else { ("DELETE", path) };
    spawn_local(async move {
        let text = fetch(method, &path, None).await.map(|(_, text)| text).unwrap_or_default();
        let game = JSON::parse(&text).ok().and_then(|answer| field(&answer, "game").as_string());
        match game {
            Some(game) => navigation.load(Page::Game, &format!("/{game}")),
            // The challenge is gone: it was declined, or withdrawn in the meantime.
            None => refresh(),
        }
    });
}
