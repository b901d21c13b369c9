//! The leaderboard: the best players of each speed.

use khet_protocol::{Leaderboard, LeaderboardEntry, Speed};
use leptos::prelude::*;

use super::unreachable::Loader;
use crate::api::{self, RequestError};
use crate::game_ui::names::speed_name;
use crate::game_ui::profile_name::{ProfileName, rating_text};
use crate::languages::use_words;

/// The leaderboard page.
#[component]
pub(super) fn LeaderboardPage() -> impl IntoView {
    let words = use_words();
    let speed = RwSignal::new(Speed::Blitz);
    let loader = move |speed: Speed| {
        Loader::new(move || async move {
            api::get::<Leaderboard>(&format!("/api/leaderboard/{speed}")).await
        })
    };
    let speeds = Speed::ALL.map(|each| {
        view! {
            <label>
                <input type="radio" name="speed" data-field=format!("speed-{each}")
                    prop:checked=move || speed.get() == each
                    on:change=move |_| speed.set(each)/>
                <span>{speed_name(each, words)}</span>
            </label>
        }
    });
    let row = |LeaderboardEntry { rank, person, games }: LeaderboardEntry| {
        let value = person.rating;
        // The rating has its own column.
        let profile = khet_protocol::PublicProfile { rating: None, ..person };
        view! {
            <tr>
                <td class="number">{rank}</td>
                <td><ProfileName profile/></td>
                <td class="number">{value.map(rating_text)}</td>
                <td class="number">{games}</td>
            </tr>
        }
    };
    let table = move |result: Result<Leaderboard, RequestError>| match result {
        Err(error) => view! { <p>{error.message(words)}</p> }.into_any(),
        Ok(board) if board.leaders.is_empty() => {
            view! { <p class="field-about">{words.leaders_none()}</p> }.into_any()
        }
        Ok(board) => view! {
            <table class="leaders">
                <thead>
                    <tr>
                        <th class="number" scope="col">{words.leaders_place()}</th>
                        <th scope="col">{words.archive_player()}</th>
                        <th class="number" scope="col">{words.leaders_rating()}</th>
                        <th class="number" scope="col">{words.leaders_games()}</th>
                    </tr>
                </thead>
                <tbody>{board.leaders.into_iter().map(row).collect_view()}</tbody>
            </table>
        }
        .into_any(),
    };
    view! {
        <div class="page listed">
            <h1>{words.leaders_title()}</h1>
            <fieldset class="choice leaders-speeds">
                <legend>{words.leaders_speed()}</legend>
                {speeds.into_iter().collect_view()}
            </fieldset>
            <section aria-live="polite">{move || loader(speed.get()).view(table)}</section>
        </div>
    }
}
