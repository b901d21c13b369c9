//! A player's page: ratings with their graphs, and games.

use khet_protocol::{
    ErrorCode, FullProfile, GameQuery, PersonName, RatingHistory, RatingPoint, SpeedRating,
};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::archive::FoundGames;
use super::names::day;
use super::ways::Ways;
use crate::api::{self, RequestError};
use crate::game_ui::names::speed_name;
use crate::game_ui::profile_name::rating_text;
use crate::languages::{Words, use_words};
use crate::routing::NotFound;
use crate::routing::use_navigation;

/// The page.
#[component]
pub(super) fn PersonPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let Ok(name) = untrack(|| navigation.about()).parse::<PersonName>() else {
        return view! { <NotFound/> }.into_any();
    };
    let found = RwSignal::new(None::<Result<(FullProfile, Vec<RatingHistory>), RequestError>>);
    spawn_local(async move {
        let path = format!("/api/people/{name}");
        let answer = match api::get::<FullProfile>(&path).await {
            Ok(profile) => {
                let histories = api::get(&format!("{path}/ratings")).await;
                // Without graphs there are still numbers.
                Ok((profile, histories.unwrap_or_default()))
            }
            Err(error) => Err(error),
        };
        let _ = found.try_set(Some(answer));
    });
    let content = move || match found.get() {
        None => ().into_any(),
        Some(Err(error)) => {
            let text = match error.code() {
                Some(ErrorCode::NotFound) => words.person_none().to_owned(),
                _ => error.message(words),
            };
            view! { <h1>{words.person_title()}</h1> <p>{text}</p> }.into_any()
        }
        Some(Ok((profile, histories))) => view! { <Person profile histories/> }.into_any(),
    };
    view! { <div class="page listed"><Ways/>{content}</div> }.into_any()
}

#[component]
fn Person(profile: FullProfile, histories: Vec<RatingHistory>) -> impl IntoView {
    let words = use_words();
    let FullProfile { name, since, ratings, won, drawn, lost, .. } = profile;
    let none = ratings.is_empty();
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
            <Show when=move || none>
                <p class="field-about">{words.person_no_ratings()}</p>
            </Show>
            <ul class="ratings">{ratings.into_iter().map(card).collect_view()}</ul>
        </section>
        <section aria-labelledby="person-games">
            <h2 id="person-games">{words.archive_title()}</h2>
            <FoundGames query/>
        </section>
    }
}

/// The line of a rating over its games.
fn graph(history: &RatingHistory, words: Words) -> Option<impl IntoView + use<>> {
    let (first, last) = (history.points.first()?, history.points.last()?);
    let line = line(&history.points)?;
    let label = words.person_graph(speed_name(history.speed, words), first.value, last.value);
    Some(view! {
        <svg class="graph" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label=label>
            <path class="graph-ground" d=format!("M0 40L{line}L100 40Z")></path>
            <path class="graph-line" d=format!("M{line}")></path>
        </svg>
    })
}

/// The points in a frame of 100 by 40, the same step for each game; nothing of a single one.
fn line(points: &[RatingPoint]) -> Option<String> {
    if points.len() < 2 {
        return None;
    }
    let values = points.iter().map(|point| f64::from(point.value));
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
    let height = (most - least).max(1.0);
    let step = 100.0 / (points.len() - 1) as f64;
    let places = values.zip(0..).map(|(value, at)| {
        format!("{:.1} {:.1}", step * f64::from(at), 38.0 - 36.0 * (value - least) / height)
    });
    Some(places.collect::<Vec<_>>().join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_fills_its_frame() {
        let point = |value| RatingPoint { at: 0, value };
        assert_eq!(line(&[]), None);
        assert_eq!(line(&[point(1500)]), None);
        let points = [point(1500), point(1600), point(1550)];
        assert_eq!(line(&points).as_deref(), Some("0.0 38.0L50.0 2.0L100.0 20.0"));
        assert_eq!(line(&[point(1500); 2]).as_deref(), Some("0.0 38.0L100.0 38.0"));
    }
}
