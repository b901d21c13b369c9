//! Live games to watch, one of them running on a board.

use std::time::Duration;

use khet_protocol::{GameId, WatchResponse};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::game::Screen;
use super::summary::GameCard;
use super::ways::Ways;
use crate::api::{self, RequestError};
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// How often the list is asked for.
const FRESH: Duration = Duration::from_secs(15);

/// The page.
#[component]
pub(super) fn WatchPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let answer = RwSignal::new(None::<Result<WatchResponse, RequestError>>);
    let look = move || {
        if !document().hidden() {
            spawn_local(async move {
                let found = api::get::<WatchResponse>("/api/watch").await;
                // A list that is there stays, while the server can't be reached.
                if found.is_ok() || answer.try_with_untracked(Option::is_none) == Some(true) {
                    let _ = answer.try_set(Some(found));
                }
            });
        }
    };
    look();
    let looking = set_interval_with_handle(look, FRESH);
    on_cleanup(move || {
        if let Ok(looking) = looking {
            looking.clear();
        }
    });
    let featured =
        Memo::new(move |_| answer.with(|answer| answer.as_ref()?.as_ref().ok()?.featured));
    let board = move || {
        featured.get().map(|id: GameId| view! {
            <section class="featured" aria-labelledby="watch-featured">
                <h2 id="watch-featured">{words.watch_featured()}</h2>
                <Screen id/>
                <a class="button" href=navigation.path_of(Page::Game, id.as_str())>{words.watch_title()}</a>
            </section>
        })
    };
    let list = move || match answer.get() {
        None => ().into_any(),
        Some(Err(error)) => view! { <p>{error.message(words)}</p> }.into_any(),
        Some(Ok(answer)) if answer.games.is_empty() => {
            view! { <p class="field-about">{words.watch_none()}</p> }.into_any()
        }
        Some(Ok(answer)) => view! {
            <section aria-labelledby="watch-all">
                <h2 id="watch-all">{words.watch_all()}</h2>
                <ul class="listed-games">
                    {answer.games.into_iter().map(|live| view! {
                        <GameCard game=live.game watching=live.spectators/>
                    }).collect_view()}
                </ul>
            </section>
        }
        .into_any(),
    };
    view! {
        <div class="page listed">
            <Ways/>
            <h1>{words.watch_title()}</h1>
            {board}
            {list}
        </div>
    }
}
