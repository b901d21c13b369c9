//! The page of a player: ratings with graphs, and games.

use khet_protocol::{
    ErrorCode, FullProfile, GameQuery, PersonName, RatingHistory, RatingPoint, SpeedRating,
};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::archive::GameList;
use super::formatting::day;
use super::nav::OnlineNav;
use crate::api::{self, RequestError};
use crate::game_ui::names::speed_name;
use crate::game_ui::profile_name::rating_text;
use crate::languages::{Words, use_words};
use crate::routing::NotFound;
use crate::routing::use_navigation;

/// The page of a player.
#[component]
pub(super) fn ProfilePage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let Ok(name) = untrack(|| navigation.subject()).parse::<PersonName>() else {
        return view! { <NotFound/> }.into_any();
    };
    let response = RwSignal::new(None::<Result<(FullProfile, Vec<RatingHistory>), RequestError>>);
    spawn_local(async move {
        let path = format!("/api/people/{name}");
        let result = match api::get::<FullProfile>(&path).await {
            Ok(profile) => {
                let histories = api::get(&format!("{path}/ratings")).await;
                // The ratings are shown without graphs if the histories cannot be loaded.
                Ok((profile, histories.unwrap_or_default()))
            }
            Err(error) => Err(error),
        };
        let _ = response.try_set(Some(result));
    });
    let content = move || match response.get() {
        None => ().into_any(),
        Some(Err(error)) => {
            let text = match error.code() {
                Some(ErrorCode::NotFound) => words.person_none().to_owned(),
                _ => error.message(words),
            };
            view! { <h1>{words.person_title()}</h1> <p>{text}</p> }.into_any()
        }
        Some(Ok((profile, histories))) => view! { <Profile profile histories/> }.into_any(),
    };
    view! { <div class="page listed"><OnlineNav/>{content}</div> }.into_any()
}

#[component]
fn Profile(profile: FullProfile, histories: Vec<RatingHistory>) -> impl IntoView {
    let words = use_words();
    let FullProfile { name, since, ratings, won, drawn, lost, .. } = profile;
    let unrated = ratings.is_empty();
    let card = |SpeedRating { speed, rating: value, games }: SpeedRating| {
        let history = histories.iter().find(|history| history.speed == speed);
        let graph = history.and_then(|history| graph(history, words));
        view! {
            <li class="card" data-speed=speed.name()>
                <span>{speed_name(speed, words)}</span>
                <strong>{rating_text(value)}</strong>
                <span class="listed-more">{words.leaders_games()} ": " {games}</span>
                {graph}
            </li>
        }
    };
    let query = GameQuery { player: Some(name.clone()), ..GameQuery::default() };
    view! {
        <h1>{name.to_string()}</h1>
        <p class="field-about">
            {words.person_since(day(since, words))} <br/> {words.person_record(won, drawn, lost)}
        </p>
        <section>
            <Show when=move || unrated>
                <p class="field-about">{words.person_no_ratings()}</p>
            </Show>
            <ul class="ratings">{ratings.into_iter().map(card).collect_view()}</ul>
        </section>
        <section aria-labelledby="person-games">
            <h2 id="person-games">{words.archive_title()}</h2>
            <GameList query/>
        </section>
    }
}

/// Returns the graph of a rating over its games.
fn graph(history: &RatingHistory, words: Words) -> Option<impl IntoView + use<>> {
    let (first, last) = (history.points.first()?, history.points.last()?);
    let points = graph_points(&history.points)?;
    let label = words.person_graph(speed_name(history.speed, words), first.value, last.value);
    Some(view! {
        <svg class="graph" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label=label>
            <path class="graph-ground" d=format!("M0 40L{points}L100 40Z")></path>
            <path class="graph-line" d=format!("M{points}")></path>
        </svg>
    })
}

/// Returns the points of the graph in a frame of 100 by 40, evenly spaced by game, or `None` if
/// there are fewer than two.
fn graph_points(points: &[RatingPoint]) -> Option<String> {
    if points.len() < 2 {
        return None;
    }
    let values = points.iter().map(|point| f64::from(point.value));
    let min = values.clone().fold(f64::INFINITY, f64::min);
    let max = values.clone().fold(f64::NEG_INFINITY, f64::max);
    let height = (max - min).max(1.0);
    let step = 100.0 / (points.len() - 1) as f64;
    let points = values.zip(0..).map(|(value, index)| {
        format!("{:.1} {:.1}", step * f64::from(index), 38.0 - 36.0 * (value - min) / height)
    });
    Some(points.collect::<Vec<_>>().join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graph_fills_its_frame() {
        let point = |value| RatingPoint { at: 0, value };
        assert_eq!(graph_points(&[]), None);
        assert_eq!(graph_points(&[point(1500)]), None);
        let points = [point(1500), point(1600), point(1550)];
        assert_eq!(graph_points(&points).as_deref(), Some("0.0 38.0L50.0 2.0L100.0 20.0"));
        assert_eq!(graph_points(&[point(1500); 2]).as_deref(), Some("0.0 38.0L100.0 38.0"));
    }
}
