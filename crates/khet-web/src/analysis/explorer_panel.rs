//! The opening explorer: the moves that were played from the position in games on this server, with
//! their results.

use khet::GamePosition;
use khet_protocol::{
    CommaSeparated, ExplorerGame, ExplorerMove, ExplorerQuery, ExplorerResponse, RatingBand,
    ResultCounts, SpeedClass,
};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::state::AnalysisState;
use crate::api;
use crate::languages::Words;
use crate::routing::{Page, use_navigation};

/// The filters, the moves that were played with their results, and recent games.
#[component]
pub(super) fn ExplorerPanel(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let speed = RwSignal::new(None::<SpeedClass>);
    let band = RwSignal::new(None::<RatingBand>);
    let (response, status) = query_explorer(analysis, speed, band);
    let rows = move || {
        let moves = response.with(|response| {
            response.as_ref().map(|response| response.moves.clone()).unwrap_or_default()
        });
        moves.into_iter().map(|mv| move_row(analysis, mv)).collect_view()
    };
    let games = move || {
        let recent = response.with(|response| {
            response.as_ref().map(|response| response.recent.clone()).unwrap_or_default()
        });
        recent.into_iter().map(|game| game_link(game, words)).collect_view()
    };
    let has_games = move || {
        response
            .with(|response| response.as_ref().is_some_and(|response| !response.recent.is_empty()))
    };
    let state = move || if response.with(Option::is_some) { "known" } else { "unknown" };
    view! {
        <div class="explorer" data-state=state>
            <Filters words speed band/>
            <p role="status">{move || status.get()}</p>
            <ul class="explorer-moves">{rows}</ul>
            <Show when=has_games>
                <h2>{words.explorer_recent()}</h2>
                <ul class="explorer-games">{games}</ul>
            </Show>
        </div>
    }
}

/// Queries the server whenever the position or a filter changes. Returns the latest response, and a
/// status message for the user.
fn query_explorer(
    analysis: AnalysisState,
    speed: RwSignal<Option<SpeedClass>>,
    band: RwSignal<Option<RatingBand>>,
) -> (RwSignal<Option<ExplorerResponse>>, RwSignal<String>) {
    let words = analysis.words;
    let response = RwSignal::new(None::<ExplorerResponse>);
    let status = RwSignal::new(String::new());
    // Number of the latest query. Late responses to earlier queries are ignored.
    let latest = StoredValue::new(0u32);
    let position = Memo::new(move |_| analysis.tree.with(|tree| *tree.game().position()));
    Effect::new(move |_| {
        let position = position.get();
        let query = ExplorerQuery {
            position: Some(position.placement().to_string()),
            rules: position.rules(),
            speeds: speed.get().map(|speed| CommaSeparated(vec![speed])),
            // The chosen rating band and all above it.
            ratings: band.get().map(|lowest| {
                CommaSeparated(RatingBand::ALL.into_iter().filter(|band| *band >= lowest).collect())
            }),
        };
        latest.update_value(|latest| *latest += 1);
        let number = latest.get_value();
        spawn_local(async move {
            let path = format!("/api/explorer?{}", api::query(&query));
            let result = api::get::<ExplorerResponse>(&path).await;
            if latest.try_get_value() != Some(number) {
                return;
            }
            let (new_response, new_status) = match result {
                Ok(found) if found.moves.is_empty() => {
                    (Some(found), words.explorer_empty().to_owned())
                }
                Ok(found) => (Some(found), String::new()),
                Err(error) => (None, error.message(words)),
            };
            let _ = status.try_set(new_status);
            let _ = response.try_set(new_response);
        });
    });
    (response, status)
}

/// The filters by speed and by rating.
#[component]
fn Filters(
    words: Words,
    speed: RwSignal<Option<SpeedClass>>,
    band: RwSignal<Option<RatingBand>>,
) -> impl IntoView {
    let speeds = SpeedClass::ALL.map(|speed| {
        view! { <option value=speed.name()>{speed_class_name(speed, words)}</option> }
    });
    let bands = RatingBand::ALL.into_iter().skip(1).map(|band| {
        view! { <option value=band.name()>{words.explorer_from(band.name())}</option> }
    });
    view! {
        <div class="field-pair">
            <label class="field">
                <span>{words.explorer_speed()}</span>
                <select data-field="pace"
                    on:change=move |event| speed.set(event_target_value(&event).parse().ok())>
                    <option value="">{words.explorer_all()}</option>
                    {speeds.into_iter().collect_view()}
                </select>
            </label>
            <label class="field">
                <span>{words.explorer_rating()}</span>
                <select data-field="band"
                    on:change=move |event| band.set(event_target_value(&event).parse().ok())>
                    <option value="">{words.explorer_all()}</option>
                    {bands.collect_view()}
                </select>
            </label>
        </div>
    }
}

fn speed_class_name(speed: SpeedClass, words: Words) -> &'static str {
    match speed {
        SpeedClass::NoClock => words.explorer_no_clock(),
        SpeedClass::Clocked(speed) => crate::game_ui::names::speed_name(speed, words),
    }
}

/// A move with the number of games and their results as a bar and in numbers.
fn move_row(analysis: AnalysisState, ExplorerMove { mv, results }: ExplorerMove) -> impl IntoView {
    let words = analysis.words;
    let share = |part: u64| format!("{:.1}%", 100.0 * part as f64 / results.games.max(1) as f64);
    let ResultCounts { games, silver, draws, red } = results;
    let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let label = words.explorer_move(mv, number(games), number(silver), number(draws), number(red));
    view! {
        <li>
            <button type="button" class="move" data-move=mv.to_string() data-games=games
                aria-label=label
                on:click=move |_| analysis.play(mv)>
                <span>{mv.to_string()}</span>
                <span class="explorer-count">{games}</span>
                <span class="explorer-bar" style=("--silver-share", share(silver))
                    style=("--red-share", share(red))></span>
                <span class="explorer-score">{words.localized_number(&score(results))}</span>
            </button>
        </li>
    }
}

/// Formats Silver's share of the points in percent.
fn score(results: ResultCounts) -> String {
    let (points, games) = (2 * results.silver + results.draws, results.games.max(1));
    let tenths = (1_000 * points + games) / (2 * games);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// A link to a game in which the position occurred.
fn game_link(game: ExplorerGame, words: Words) -> impl IntoView {
    let navigation = use_navigation();
    let name = |name: Option<String>, rating: Option<u16>| {
        let name = name.unwrap_or_else(|| words.explorer_unknown_player().to_owned());
        rating.map_or_else(|| name.clone(), |rating| format!("{name} ({rating})"))
    };
    let players =
        format!("{} – {}", name(game.silver, game.silver_rating), name(game.red, game.red_rating));
    let score = khet::GameResult::from_winner(game.winner).text();
    let search = match (game.game, game.imported) {
        (Some(id), _) => format!("?game={id}"),
        (None, Some(id)) => format!("?imported={id}"),
        (None, None) => String::new(),
    };
    view! {
        <li><a href=navigation.path(Page::Analysis) + &search>{game.mv.to_string()} " · " {players} " · " {score} " " {game.date}</a></li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_half_a_point() {
        assert_eq!(score(ResultCounts::new(2, 0, 0)), "100.0");
        assert_eq!(score(ResultCounts::new(1, 2, 1)), "50.0");
        assert_eq!(score(ResultCounts::new(0, 1, 3)), "12.5");
    }
}
