//! The page with live games, one of them shown on a board.

use std::time::Duration;

use khet_protocol::{GameId, WatchResponse};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::game::LiveBoard;
use super::game_card::GameCard;
use super::nav::OnlineNav;
use crate::api::{self, RequestError};
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// Interval between requests for the list.
const REFRESH_INTERVAL: Duration = Duration::from_secs(15);

/// The page with live games.
#[component]
pub(super) fn WatchPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let response = RwSignal::new(None::<Result<WatchResponse, RequestError>>);
    let refresh = move || {
        if !document().hidden() {
            spawn_local(async move {
                let result = api::get::<WatchResponse>("/api/watch").await;
                // While the server is unreachable, the last list stays.
                if result.is_ok() || response.try_with_untracked(Option::is_none) == Some(true) {
                    let _ = response.try_set(Some(result));
                }
            });
        }
    };
    refresh();
    let timer = set_interval_with_handle(refresh, REFRESH_INTERVAL);
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
    let featured =
        Memo::new(move |_| response.with(|response| response.as_ref()?.as_ref().ok()?.featured));
    let board = move || {
        featured.get().map(|id: GameId| view! {
            <section class="featured" aria-labelledby="watch-featured">
                <h2 id="watch-featured">{words.watch_featured()}</h2>
                <LiveBoard id/>
                <a class="button" href=navigation.path_of(Page::Game, id.as_str())>{words.watch_title()}</a>
            </section>
        })
    };
    let list = move || match response.get() {
        None => ().into_any(),
        Some(Err(error)) => view! { <p>{error.message(words)}</p> }.into_any(),
        Some(Ok(response)) if response.games.is_empty() => {
            view! { <p class="field-about">{words.watch_none()}</p> }.into_any()
        }
        Some(Ok(response)) => view! {
            <section aria-labelledby="watch-all">
                <h2 id="watch-all">{words.watch_all()}</h2>
                <ul class="listed-games">
                    {response.games.into_iter().map(|live| view! {
                        <GameCard game=live.game spectators=live.spectators/>
                    }).collect_view()}
                </ul>
            </section>
        }
        .into_any(),
    };
    view! {
        <div class="page listed">
            <OnlineNav/>
            <h1>{words.watch_title()}</h1>
            {board}
            {list}
        </div>
    }
}
