//! Games that were played: searched by player, setup, result and date, downloaded as records.

use khet::Setup;
use khet_protocol::{ErrorCode, GameCursor, GamePage, GameQuery, GameSummary, ResultFilter};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::summary::GameCard;
use super::ways::Ways;
use crate::api;
use crate::api::paging::Paged;
use crate::game_ui::names::setup_name;
use crate::languages::use_words;

/// So many games at a time.
const PAGE: u32 = 24;

/// The page.
#[component]
pub(super) fn GamesPage() -> impl IntoView {
    let words = use_words();
    let query = RwSignal::new(GameQuery::default());
    let player = RwSignal::new(String::new());
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
    let setups = Setup::ALL.into_iter().map(|setup| {
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
        <div class="page listed">
            <Ways/>
            <h1>{words.archive_title()}</h1>
            <form class="filters" data-form="search" on:submit=search>
                <label class="field">
                    <span>{words.archive_player()}</span>
                    <input type="text" data-field="player" autocomplete="off" maxlength="20"
                        on:input=move |event| player.set(event_target_value(&event))/>
                </label>
                <label class="field">
                    <span>{words.play_setup()}</span>
                    <select data-field="setup" on:change=move |event| {
                        let setup = Some(event_target_value(&event)).filter(|setup| !setup.is_empty());
                        draft.update(|draft| draft.setup = setup);
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
                        draft.update(|draft| draft.result = result);
                    }>
                        <option value="">{words.archive_any()}</option>
                        {results.into_iter().collect_view()}
                    </select>
                </label>
                <label class="field">
                    <span>{words.archive_since()}</span>
                    <input type="date" data-field="since" on:change=move |event| {
                        let since = day_begins(&event_target_value(&event));
                        draft.update(|draft| draft.since = since);
                    }/>
                </label>
                <label class="field">
                    <span>{words.archive_until()}</span>
                    <input type="date" data-field="until" on:change=move |event| {
                        let until = day_begins(&event_target_value(&event));
                        draft.update(|draft| draft.before = until.map(|day| day + 24 * 60 * 60 * 1000));
                    }/>
                </label>
                <button type="submit" class="button primary" data-action="search">{words.archive_search()}</button>
            </form>
            <p class="field-problem" role="status">{move || problem.get()}</p>
            {move || view! { <FoundGames query=query.get()/> }}
        </div>
    }
}

/// When a day that was chosen begins, here.
fn day_begins(text: &str) -> Option<u64> {
    let date = js_sys::Date::new(&JsValue::from_str(&format!("{text}T00:00:00")));
    let time = date.get_time();
    (time.is_finite() && time > 0.0).then_some(time as u64)
}

/// The games of a question, a page at a time.
#[component]
pub(super) fn FoundGames(query: GameQuery) -> impl IntoView {
    let words = use_words();
    let export = format!("/api/export?{}", api::query(&query));
    let games: Paged<GameSummary, GameCursor> = Paged::new(words.archive_none(), move |after| {
        let query = GameQuery { after, limit: Some(PAGE), ..query.clone() };
        async move {
            let path = format!("/api/games?{}", api::query(&query));
            let found = api::get::<GamePage>(&path).await;
            found.map(|page| (page.games, page.next)).map_err(|error| match error.code() {
                Some(ErrorCode::NotFound) => words.archive_none().to_owned(),
                _ => error.message(words),
            })
        }
    });
    view! {
        <p class="field-about" role="status">{move || games.told.get()}</p>
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
