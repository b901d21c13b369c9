//! The page with live games: one of them large on a board, the others as cards.

use std::time::Duration;

use khet_protocol::{GameId, LiveGame, WatchResponse};
use leptos::prelude::*;

use super::game::LiveBoard;
use super::game_card::GameCard;
use super::unreachable::Loader;
use crate::api::{self, RequestError};
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// Interval between requests for the list.
const REFRESH_INTERVAL: Duration = Duration::from_secs(5);

/// The page with live games.
#[component]
pub(super) fn WatchPage() -> impl IntoView {
    let words = use_words();
    let loader = Loader::new(|| api::get::<WatchResponse>("/api/watch"));
    let refresh = move || {
        if !document().hidden() {
            loader.reload();
        }
    };
    let timer = set_interval_with_handle(refresh, REFRESH_INTERVAL);
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
    let content = move |result: Result<WatchResponse, RequestError>| match result {
        Err(error) => view! { <p>{error.message(words)}</p> }.into_any(),
        Ok(_) => view! { <LiveGames loader/> }.into_any(),
    };
    view! {
        <div class="page listed watch">
            <h1>{words.watch_title()}</h1>
            {loader.view(content)}
        </div>
    }
}

/// The featured game, and the others beside or below it.
#[component]
fn LiveGames(loader: Loader<WatchResponse>) -> impl IntoView {
    let words = use_words();
    // The server features games with a recent move. Without one, the first game is shown.
    let featured = Memo::new(move |_| {
        let first = |response: &WatchResponse| response.games.first().map(|live| live.game.id);
        loader.with(|response| response.featured.or_else(|| first(response))).flatten()
    });
    let others = Memo::new(move |_| {
        let games = loader.with(|response| response.games.clone()).unwrap_or_default();
        let other = |live: &LiveGame| Some(live.game.id) != featured.get();
        games.into_iter().filter(other).collect::<Vec<LiveGame>>()
    });
    let no_games = Memo::new(move |_| featured.get().is_none() && others.with(Vec::is_empty));
    view! {
        <Show when=move || no_games.get()><NoGames/></Show>
        <div class="watch-games">
            {move || featured.get().map(|id| view! { <FeaturedGame id/> })}
            <Show when=move || !others.with(Vec::is_empty)>
                <section class="watch-others" aria-labelledby="watch-others">
                    <h2 id="watch-others">{words.watch_others()}</h2>
                    <ul class="listed-games">
                        <For each=move || others.get()
                            key=|live| (live.game.id, live.game.moves, live.spectators) let:live>
                            <GameCard game=live.game spectators=live.spectators/>
                        </For>
                    </ul>
                </section>
            </Show>
        </div>
    }
}

/// The featured game on a live board, with a link to its page.
#[component]
fn FeaturedGame(id: GameId) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    view! {
        <section class="featured" aria-label=words.watch_featured() data-game=id.to_string()>
            <LiveBoard id/>
            <a class="button" data-action="open-game" href=navigation.path_of(Page::Game, id.as_str())>
                {words.watch_open()}
            </a>
        </section>
    }
}

/// The page while no game is played, with ways to go on.
#[component]
fn NoGames() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    view! {
        <p class="field-about">{words.watch_none()}</p>
        <div class="list-actions">
            <a class="button primary" href=navigation.path(Page::Lobby)>{words.watch_play()}</a>
            <a class="button" href=navigation.path(Page::Archive)>{words.watch_finished()}</a>
        </div>
    }
}
