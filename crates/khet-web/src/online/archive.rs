//! The archive of finished games: search by player, setup, result and date, and export.

use khet::AnySetup;
use khet_protocol::{ErrorCode, GameCursor, GamePage, GameQuery, GameSummary, ResultFilter};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::game_card::GameCard;
use super::unreachable::{UnreachableNotice, retry_automatically};
use crate::api::paging::Paged;
use crate::api::{self, RequestError};
use crate::game_ui::names::setup_name;
use crate::languages::use_words;
use crate::routing::use_navigation;

/// Number of games per request.
const PAGE_SIZE: u32 = 24;

/// The page of the game archive.
#[component]
pub(super) fn ArchivePage() -> impl IntoView {
    let words = use_words();
    // Names have no spaces, as which query parameters are read.
    let linked = use_navigation().query_parameter("player").map(|name| name.replace(' ', "_"));
    let linked_player = linked.as_ref().and_then(|name| name.parse().ok());
    let query = RwSignal::new(GameQuery { player: linked_player, ..GameQuery::default() });
    let player = RwSignal::new(linked.unwrap_or_default());
    let draft = RwSignal::new(GameQuery::default());
    let problem = RwSignal::new(String::new());
    let search = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let name = player.with_untracked(|name| name.trim().to_owned());
        let player = if name.is_empty() { Ok(None) } else { name.parse().map(Some) };
        match player {
            Ok(player) => {
                problem.set(String::new());
                query.set(GameQuery { player, ..draft.get_untracked() });
            }
            Err(_) => problem.set(words.person_none().to_owned()),
        }
    };
    view! {
        <div class="page listed">
            <h1>{words.archive_title()}</h1>
            <form class="filters" data-form="search" on:submit=search>
                <label class="field">
                    <span>{words.archive_player()}</span>
                    <input type="text" data-field="player" autocomplete="off" maxlength="20"
                        prop:value=move || player.get()
                        on:input=move |event| player.set(event_target_value(&event))/>
                </label>
                <FilterFields query=draft/>
                <button type="submit" class="button primary" data-action="search">{words.archive_search()}</button>
            </form>
            <p class="field-problem" role="status">{move || problem.get()}</p>
            {move || view! { <GameList query=query.get()/> }}
        </div>
    }
}

/// The filters by setup, result and date.
#[component]
fn FilterFields(query: RwSignal<GameQuery>) -> impl IntoView {
    let words = use_words();
    let setups = AnySetup::all().map(|setup| {
        view! { <option value=setup.name()>{setup_name(setup, words)}</option> }
    });
    let results = [
        ("silver", words.play_silver_wins()),
        ("red", words.play_red_wins()),
        ("draw", words.play_drawn()),
    ];
    let results = results.map(|(value, name)| view! { <option value=value>{name}</option> });
    let result_of = |text: &str| match text {
        "silver" => Some(ResultFilter::Silver),
        "red" => Some(ResultFilter::Red),
        "draw" => Some(ResultFilter::Draw),
        _ => None,
    };
    view! {
        <label class="field">
            <span>{words.play_setup()}</span>
            <select data-field="setup" on:change=move |event| {
                let setup = Some(event_target_value(&event)).filter(|setup| !setup.is_empty());
                query.update(|query| query.setup = setup);
            }>
                <option value="">{words.archive_any()}</option>
                {setups.collect_view()}
                <option value="position">{words.play_own_position()}</option>
            </select>
        </label>
        <label class="field">
            <span>{words.archive_result()}</span>
            <select data-field="result" on:change=move |event| {
                let result = result_of(&event_target_value(&event));
                query.update(|query| query.result = result);
            }>
                <option value="">{words.archive_any()}</option>
                {results.into_iter().collect_view()}
            </select>
        </label>
        <label class="field">
            <span>{words.archive_since()}</span>
            <input type="date" data-field="since" on:change=move |event| {
                let since = start_of_day(&event_target_value(&event));
                query.update(|query| query.since = since);
            }/>
        </label>
        <label class="field">
            <span>{words.archive_until()}</span>
            <input type="date" data-field="until" on:change=move |event| {
                let until = start_of_day(&event_target_value(&event));
                query.update(|query| query.before = until.map(|day| day + 24 * 60 * 60 * 1000));
            }/>
        </label>
    }
}

/// Returns the start of a day in the local time zone, in milliseconds since 1970.
pub(super) fn start_of_day(text: &str) -> Option<u64> {
    let date = js_sys::Date::new(&JsValue::from_str(&format!("{text}T00:00:00")));
    let time = date.get_time();
    (time.is_finite() && time > 0.0).then_some(time as u64)
}

/// The games that match a query, loaded page by page.
#[component]
pub(super) fn GameList(query: GameQuery) -> impl IntoView {
    let words = use_words();
    let export = format!("/api/export?{}", api::query(&query));
    // The first page has failed because the server is unreachable.
    let failed = RwSignal::new(false);
    let games: Paged<GameSummary, GameCursor> = Paged::new(words.archive_none(), move |after| {
        let query = GameQuery { after, limit: Some(PAGE_SIZE), ..query.clone() };
        async move {
            let path = format!("/api/games?{}", api::query(&query));
            let page = api::get::<GamePage>(&path).await;
            let first = query.after.is_none();
            let _ = failed.try_set(first && matches!(page, Err(RequestError::Unreachable)));
            page.map(|page| (page.games, page.next)).map_err(|error| match error {
                RequestError::Unreachable if first => String::new(),
                _ if error.code() == Some(ErrorCode::NotFound) => words.archive_none().to_owned(),
                _ => error.message(words),
            })
        }
    });
    let unreachable = Memo::new(move |_| failed.get());
    let notice = move || {
        let retry = Callback::new(move |()| games.retry());
        unreachable.get().then(|| {
            retry_automatically(retry);
            view! { <UnreachableNotice retry/> }
        })
    };
    view! {
        {notice}
        <p class="field-about" role="status">{move || games.message.get()}</p>
        <ul class="listed-games">
            <For each=move || games.items.get() key=|game| game.id let:game>
                <GameCard game/>
            </For>
        </ul>
        <div class="list-actions">
            {games.more("more-games", words.archive_more())}
            <Show when=move || !games.items.with(Vec::is_empty)>
                <a class="button quiet" href=export.clone() download data-action="export">{words.archive_download()}</a>
            </Show>
        </div>
    }
}
