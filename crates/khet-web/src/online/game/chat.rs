//! What the players say to each other. Who does not want to hear the other mutes them.

use khet_protocol::{Action, CHAT_LENGTH};
use leptos::html;
use leptos::prelude::*;

use super::live::Said;
use super::state::OnlineGame;
use crate::browser::storage;
use crate::game_ui::player_strip::color_name;
use crate::game_ui::profile_name::display_name;

/// Where it is kept whom this browser does not want to hear.
const MUTED: &str = "khet.muted";
/// So many are kept.
const MOST_MUTED: usize = 100;

/// The panel: beside a wide board, over the lower part of a narrow page when it is opened.
#[component]
pub(super) fn Chat(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let other = Memo::new(move |_| {
        game.of(|live| live.opponent().map(|face| face.id.to_string()))
            .flatten()
            .unwrap_or_default()
    });
    let muted = RwSignal::new(untrack(|| other.with(|other| is_muted(other))));
    let said = Memo::new(move |_| {
        let muted = muted.get();
        game.of(|live| {
            let heard = live.chat.iter().filter(|said| !muted || Some(said.by) == live.you);
            heard.cloned().collect::<Vec<Said>>()
        })
        .unwrap_or_default()
    });
    let text = RwSignal::new(String::new());
    let list = NodeRef::<html::Ol>::new();
    // What is new is in sight, and counts as seen where it is.
    Effect::new(move |_| {
        let last = said.with(|said| said.last().map_or(0, |said| said.number));
        let Some(list) = list.get() else { return };
        if list.offset_height() > 0 || game.chatting.get() {
            game.chat_seen.set(last);
        }
        request_animation_frame(move || list.set_scroll_top(list.scroll_height()));
    });
    let send = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let said = text.with_untracked(|text| text.trim().to_owned());
        if !said.is_empty() {
            game.act(Action::Chat { text: said });
            text.set(String::new());
        }
    };
    let who = move |said: &Said| {
        game.of(|live| match live.you == Some(said.by) {
            true => words.play_you().to_owned(),
            false => display_name(live.players.get(said.by), words),
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
                            other.with_untracked(|other| set_muted(other, mute));
                            muted.set(mute);
                        }
                    />
                    <span>{words.chat_mute()}</span>
                </label>
                <button type="button" class="icon-button chat-close" aria-label=words.play_close()
                    on:click=move |_| game.chatting.set(false)>
                    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6 18 18M18 6 6 18"></path></svg>
                </button>
            </header>
            <ol class="chat-list" role="log" aria-label=words.chat_title() tabindex="0" node_ref=list>
                <For each=move || said.get() key=Said::clone let:said>
                    <li data-color=color_name(said.by)>
                        <strong>{untrack(|| who(&said))}</strong> " " <span>{said.text}</span>
                    </li>
                </For>
            </ol>
            <form class="chat-form" on:submit=send>
                <input
                    type="text"
                    data-field="chat"
                    autocomplete="off"
                    maxlength=CHAT_LENGTH
                    aria-label=words.chat_say()
                    placeholder=words.chat_say()
                    prop:value=move || text.get()
                    on:input=move |event| text.set(event_target_value(&event))
                />
                <button type="submit" class="move-play" data-action="say">{words.chat_send()}</button>
            </form>
        </section>
    }
}

fn is_muted(person: &str) -> bool {
    !person.is_empty() && storage::load_or_empty(MUTED).lines().any(|muted| muted == person)
}

/// Remembers it for other games with the same person.
fn set_muted(person: &str, muted: bool) {
    let known = storage::load_or_empty(MUTED);
    let others = known.lines().filter(|known| *known != person);
    let all = muted.then_some(person).into_iter().chain(others).take(MOST_MUTED);
    storage::store(MUTED, &all.map(|person| format!("{person}\n")).collect::<String>());
}
