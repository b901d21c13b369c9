//! What was played from the position in games on this server, and what came of it.

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

/// The list of moves that were played, with the games to choose from.
#[component]
pub(super) fn Explorer(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let pace = RwSignal::new(None::<SpeedClass>);
    let band = RwSignal::new(None::<RatingBand>);
    let answer = RwSignal::new(None::<ExplorerResponse>);
    let told = RwSignal::new(String::new());
    // Counts questions: a late answer to an old one is not taken.
    let asked = StoredValue::new(0u32);
    let position = Memo::new(move |_| analysis.study.with(|study| *study.game().position()));
    Effect::new(move |_| {
        let position = position.get();
        let query = ExplorerQuery {
            position: Some(position.placement().to_string()),
            rules: position.rules(),
            speeds: pace.get().map(|pace| CommaSeparated(vec![pace])),
            // A band and all above it.
            ratings: band.get().map(|least| {
                CommaSeparated(RatingBand::ALL.into_iter().filter(|band| *band >= least).collect())
            }),
        };
        asked.update_value(|asked| *asked += 1);
        let number = asked.get_value();
        spawn_local(async move {
            let path = format!("/api/explorer?{}", api::query(&query));
            let found = api::get::<ExplorerResponse>(&path).await;
            // Something else may be asked by now.
            if asked.try_get_value() != Some(number) {
                return;
            }
            match found {
                Ok(found) => {
                    let _ = told.try_set(if found.moves.is_empty() {
                        words.explorer_empty().to_owned()
                    } else {
                        String::new()
                    });
                    let _ = answer.try_set(Some(found));
                }
                Err(error) => {
                    let _ = told.try_set(error.message(words));
                    let _ = answer.try_set(None);
                }
            }
        });
    });
    let rows = move || {
        let moves = answer
            .with(|answer| answer.as_ref().map(|answer| answer.moves.clone()).unwrap_or_default());
        moves.into_iter().map(|mv| row(analysis, mv)).collect_view()
    };
    let games = move || {
        let recent = answer
            .with(|answer| answer.as_ref().map(|answer| answer.recent.clone()).unwrap_or_default());
        recent.into_iter().map(|game| played(game, words)).collect_view()
    };
    let any = move || {
        answer.with(|answer| answer.as_ref().is_some_and(|answer| !answer.recent.is_empty()))
    };
    view! {
        <div class="explorer" data-state=move || if answer.with(Option::is_some) { "known" } else { "unknown" }>
            <div class="field-pair">
                <label class="field">
                    <span>{words.explorer_speed()}</span>
                    <select data-field="pace" on:change=move |event| pace.set(event_target_value(&event).parse().ok())>
                        <option value="">{words.explorer_all()}</option>
                        {SpeedClass::ALL.map(|pace| view! { <option value=pace.name()>{pace_name(pace, words)}</option> })
                            .into_iter().collect_view()}
                    </select>
                </label>
                <label class="field">
                    <span>{words.explorer_rating()}</span>
                    <select data-field="band" on:change=move |event| band.set(event_target_value(&event).parse().ok())>
                        <option value="">{words.explorer_all()}</option>
                        {RatingBand::ALL.into_iter().skip(1).map(|band| view! {
                            <option value=band.name()>{words.explorer_from(band.name())}</option>
                        }).collect_view()}
                    </select>
                </label>
            </div>
            <p role="status">{move || told.get()}</p>
            <ul class="explorer-moves">{rows}</ul>
            <Show when=any>
                <h2>{words.explorer_recent()}</h2>
                <ul class="explorer-games">{games}</ul>
            </Show>
        </div>
    }
}

fn pace_name(pace: SpeedClass, words: Words) -> &'static str {
    match pace {
        SpeedClass::NoClock => words.explorer_no_clock(),
        SpeedClass::Clocked(speed) => crate::game_ui::names::speed_name(speed, words),
    }
}

/// A move: how often, and how the games ended, as a bar with numbers.
fn row(
    analysis: AnalysisState,
    ExplorerMove { mv, results: tally }: ExplorerMove,
) -> impl IntoView {
    let words = analysis.words;
    let share = |part: u64| format!("{:.1}%", 100.0 * part as f64 / tally.games.max(1) as f64);
    let ResultCounts { games, silver, draws, red } = tally;
    let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let label = words.explorer_move(mv, number(games), number(silver), number(draws), number(red));
    view! {
        <li>
            <button type="button" class="move" data-move=mv.to_string() data-games=games aria-label=label
                on:click=move |_| analysis.play(mv)>
                <span>{mv.to_string()}</span>
                <span class="explorer-count">{games}</span>
                <span class="explorer-bar" style=("--silver-share", share(silver)) style=("--red-share", share(red))></span>
                <span class="explorer-score">{score(tally)}</span>
            </button>
        </li>
    }
}

/// Silver's share of the points in percent.
fn score(tally: ResultCounts) -> String {
    let points = 2 * tally.silver + tally.draws;
    format!("{:.1}", 50.0 * points as f64 / tally.games.max(1) as f64)
}

/// A game that went on from here.
fn played(game: ExplorerGame, words: Words) -> impl IntoView {
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
