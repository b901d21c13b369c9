//! The page of a player: actions, ratings with graphs, and games.

use khet_protocol::{
    ErrorCode, FullProfile, GameQuery, PersonKind, PersonName, RatingHistory, SpeedRating,
};
use leptos::prelude::*;

use super::archive::GameList;
use super::device_games::DeviceGames;
use super::unreachable::Loader;
use crate::api::me::shown_account;
use crate::api::{self, RequestError};
use crate::browser::share::share_link;
use crate::game::finished_games;
use crate::game_ui::dates::day;
use crate::game_ui::names::speed_name;
use crate::game_ui::profile_name::rating_text;
use crate::game_ui::rating_graph::rating_graph;
use crate::languages::use_words;
use crate::routing::NotFound;
use crate::routing::{Page, use_navigation};

/// The page of a player.
#[component]
pub(super) fn ProfilePage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let Ok(name) = untrack(|| navigation.subject()).parse::<PersonName>() else {
        return view! { <NotFound/> }.into_any();
    };
    let path = format!("/api/people/{name}");
    let loader = Loader::new(move || {
        let path = path.clone();
        async move {
            let profile = api::get::<FullProfile>(&path).await?;
            let histories = api::get::<Vec<RatingHistory>>(&format!("{path}/ratings")).await;
            // The ratings are shown without graphs if the histories cannot be loaded.
            Ok((profile, histories.unwrap_or_default()))
        }
    });
    let content =
        move |result: Result<(FullProfile, Vec<RatingHistory>), RequestError>| match result {
            Err(error) => {
                let text = match error.code() {
                    Some(ErrorCode::NotFound) => words.person_none().to_owned(),
                    _ => error.message(words),
                };
                view! { <h1>{words.person_title()}</h1> <p>{text}</p> }.into_any()
            }
            Ok((profile, histories)) => view! { <Profile profile histories/> }.into_any(),
        };
    view! { <div class="page listed">{loader.view(content)}</div> }.into_any()
}

#[component]
fn Profile(profile: FullProfile, histories: Vec<RatingHistory>) -> impl IntoView {
    let words = use_words();
    let FullProfile { kind, name, since, ratings, won, drawn, lost, .. } = profile;
    let bot = kind == PersonKind::Bot;
    let unrated = ratings.is_empty();
    let card = |SpeedRating { speed, rating: value, games }: SpeedRating| {
        let history = histories.iter().find(|history| history.speed == speed);
        view! {
            <li class="card" data-speed=speed.name()>
                <span>{speed_name(speed, words)}</span>
                <strong>{rating_text(value)}</strong>
                <span class="listed-more">{words.leaders_games()} ": " {games}</span>
                {history.and_then(|history| {
                    let speed = speed_name(history.speed, words);
                    let label = |first, last| words.person_graph(speed, first, last);
                    rating_graph(&history.points, label, words)
                })}
            </li>
        }
    };
    let query = GameQuery { player: Some(name.clone()), ..GameQuery::default() };
    let is_own = is_own_profile(&name);
    let has_local_games = move || is_own.get() && finished_games::count() > 0;
    view! {
        <header class="person">
            <div>
                <h1>
                    {name.to_string()}
                    {bot.then(|| view! { " " <span class="face-bot">{words.online_bot()}</span> })}
                </h1>
                <p class="field-about">
                    {words.person_since(day(since, words))} <br/> {words.person_record(won, drawn, lost)}
                </p>
            </div>
            <PersonActions name=name.clone()/>
        </header>
        <section>
            <Show when=move || unrated>
                <p class="field-about">{words.person_no_ratings()}</p>
            </Show>
            <ul class="ratings">{ratings.into_iter().map(card).collect_view()}</ul>
        </section>
        <section aria-labelledby="person-games">
            <h2 id="person-games">{words.person_games()}</h2>
            <GameList query/>
        </section>
        <Show when=has_local_games>
            <section aria-labelledby="device-games">
                <h2 id="device-games">{words.shell_device_games()}</h2>
                <DeviceGames/>
            </section>
        </Show>
    }
}

/// Returns whether a profile is that of the account in this browser.
fn is_own_profile(name: &PersonName) -> Memo<bool> {
    let account = shown_account();
    let name = name.to_string();
    Memo::new(move |_| account.with(|me| me.as_ref().is_some_and(|me| me.name == name)))
}

/// Links and buttons about a player: challenge, export the games, share the page.
#[component]
fn PersonActions(name: PersonName) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let note = RwSignal::new(String::new());
    let is_own = is_own_profile(&name);
    let challenge = format!("{}?to={name}", navigation.path(Page::Friend));
    let query = GameQuery { player: Some(name.clone()), ..GameQuery::default() };
    let export = format!("/api/export?{}", api::query(&query));
    let share = move |_| {
        share_link(words, note, name.as_str(), &navigation.link_to_share());
    };
    view! {
        <div class="person-actions">
            <div class="list-actions">
                <a class="button primary" data-action="challenge" href=challenge hidden=move || is_own.get()>
                    {words.person_challenge()}
                </a>
                <a class="button" href=export download data-action="export-games">{words.person_export()}</a>
                <button type="button" class="button" data-action="share" on:click=share>{words.shell_share()}</button>
            </div>
            <p class="dialog-note" role="status">{move || note.get()}</p>
        </div>
    }
}
