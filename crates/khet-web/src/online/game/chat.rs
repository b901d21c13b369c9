//! The chat of the players, who can mute each other.

use khet_protocol::{Action, MAX_CHAT_LENGTH};
use leptos::html;
use leptos::prelude::*;

use super::client_game::ChatMessage;
use super::state::OnlineGame;
use crate::browser::storage;
use crate::game_ui::player_strip::color_name;
use crate::game_ui::profile_name::display_name;

/// Storage key of the muted players.
const MUTED_KEY: &str = "khet.muted";
/// Largest number of muted players that is stored.
const MAX_MUTED: usize = 100;

/// The chat panel: beside a wide board, or over the lower part of a narrow page while it is open.
#[component]
pub(super) fn Chat(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let opponent = Memo::new(move |_| {
        game.with_client(|client| client.opponent().map(|profile| profile.id.to_string()))
            .flatten()
            .unwrap_or_default()
    });
    let muted = RwSignal::new(untrack(|| opponent.with(|id| is_muted(id))));
    let messages = Memo::new(move |_| {
        let muted = muted.get();
        game.with_client(|client| {
            let shown = |message: &&ChatMessage| !muted || Some(message.by) == client.you;
            client.chat.iter().filter(shown).cloned().collect::<Vec<ChatMessage>>()
        })
        .unwrap_or_default()
    });
    let list = NodeRef::<html::Ol>::new();
    // Scrolls to the newest message, and marks it as seen while the panel is visible.
    Effect::new(move |_| {
        let last = messages.with(|messages| messages.last().map_or(0, |last| last.number));
        let Some(list) = list.get() else { return };
        if list.offset_height() > 0 || game.chat_open.get() {
            game.last_seen_message.set(last);
        }
        request_animation_frame(move || list.set_scroll_top(list.scroll_height()));
    });
    let author = move |message: &ChatMessage| {
        game.with_client(|client| match client.you == Some(message.by) {
            true => words.play_you().to_owned(),
            false => display_name(client.players.get(message.by), words),
        })
        .unwrap_or_default()
    };
    view! {
        <section class="chat" aria-label=words.chat_title()>
            <header>
                <h2>{words.chat_title()}</h2>
                <label class="chat-mute">
                    <input
                        type="checkbox"
                        data-switch="mute"
                        prop:checked=move || muted.get()
                        on:change=move |event| {
                            let mute = event_target_checked(&event);
                            opponent.with_untracked(|id| set_muted(id, mute));
                            muted.set(mute);
                        }
                    />
                    <span>{words.chat_mute()}</span>
                </label>
                <button type="button" class="icon-button chat-close" aria-label=words.play_close()
                    on:click=move |_| game.chat_open.set(false)>
                    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6 18 18M18 6 6 18"></path></svg>
                </button>
            </header>
            <ol class="chat-list" role="log" aria-label=words.chat_title() tabindex="0" node_ref=list>
                <For each=move || messages.get() key=ChatMessage::clone let:message>
                    <li data-color=color_name(message.by)>
                        <strong>{untrack(|| author(&message))}</strong> " " <span>{message.text}</span>
                    </li>
                </For>
            </ol>
            <MessageForm game/>
        </section>
    }
}

/// The field for a new message.
#[component]
fn MessageForm(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let text = RwSignal::new(String::new());
    let send = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let message = text.with_untracked(|text| text.trim().to_owned());
        if !message.is_empty() {
            game.send_action(Action::Chat { text: message });
            text.set(String::new());
        }
    };
    view! {
        <form class="chat-form" on:submit=send>
            <input
                type="text"
                data-field="chat"
                autocomplete="off"
                maxlength=MAX_CHAT_LENGTH
                aria-label=words.chat_say()
                placeholder=words.chat_say()
                prop:value=move || text.get()
                on:input=move |event| text.set(event_target_value(&event))
            />
            <button type="submit" class="move-play" data-action="send-chat">{words.chat_send()}</button>
        </form>
    }
}

/// Returns whether the user has muted a person.
fn is_muted(person: &str) -> bool {
    !person.is_empty() && storage::load_or_empty(MUTED_KEY).lines().any(|muted| muted == person)
}

/// Mutes or unmutes a player in all games in this browser.
fn set_muted(person: &str, muted: bool) {
    let known = storage::load_or_empty(MUTED_KEY);
    let others = known.lines().filter(|known| *known != person);
    let all = muted.then_some(person).into_iter().chain(others).take(MAX_MUTED);
    storage::store(MUTED_KEY, &all.map(|person| format!("{person}\n")).collect::<String>());
}
