//! The dashboard: rating, results by theme, and the last attempts, of the account or of this device.

use khet_protocol::{PuzzleDashboard, PuzzleHistoryEntry, Rating, RatingPoint};
use khet_puzzles::PuzzleTheme;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::progress::{self, AttemptTotals, PuzzleProgress};
use super::solve_page::training_path;
use super::theme_names::theme_name;
use super::{account, show_title};
use crate::game_ui::dates::{day_and_time, iso_time};
use crate::game_ui::profile_name::rating_text;
use crate::game_ui::rating_graph::rating_graph;
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// The number of attempts that are listed.
const MAX_HISTORY: usize = 50;
/// The number of puzzles of a theme from which on it can count as weak.
const MIN_TRIED: u32 = 5;

/// The data of the dashboard.
#[derive(Clone)]
pub(super) struct DashboardContent {
    is_account: bool,
    pub(super) rating: Rating,
    pub(super) total: AttemptTotals,
    pub(super) best_storm: u16,
    pub(super) best_streak: u16,
    themes: Vec<(PuzzleTheme, AttemptTotals)>,
    /// The themes that are weak by the ratings of their puzzles, the weakest first. A device does not
    /// know them, because it does not keep these ratings.
    weak: Vec<PuzzleTheme>,
    /// The rating after each attempt, the oldest first.
    points: Vec<RatingPoint>,
    history: Vec<PuzzleHistoryEntry>,
}

impl DashboardContent {
    /// Returns the data of this device.
    fn of_device(progress: &PuzzleProgress) -> DashboardContent {
        let themes = PuzzleTheme::ALL.into_iter().zip(progress.themes);
        let attempts = progress.attempts.iter().rev().take(MAX_HISTORY);
        DashboardContent {
            is_account: false,
            rating: progress.rating(),
            total: progress.total,
            best_storm: progress.best_storm,
            best_streak: progress.best_streak,
            themes: themes.filter(|(_, totals)| totals.tried > 0).collect(),
            weak: Vec::new(),
            points: progress
                .attempts
                .iter()
                .map(|stored| RatingPoint { at: stored.attempt.at, value: stored.rating })
                .collect(),
            history: attempts
                .map(|stored| PuzzleHistoryEntry {
                    puzzle: stored.attempt.puzzle,
                    at: stored.attempt.at,
                    solved: stored.attempt.solved,
                    rating: None,
                })
                .collect(),
        }
    }

    /// Returns the account's data.
    fn of_account(dashboard: PuzzleDashboard) -> DashboardContent {
        let totals = |tried, solved| AttemptTotals { tried, solved };
        let themes = dashboard.themes.iter();
        let weak = dashboard.weak_themes();
        DashboardContent {
            is_account: true,
            rating: dashboard.rating,
            total: totals(dashboard.attempts, dashboard.solved),
            best_storm: dashboard.best_storm,
            best_streak: dashboard.best_streak,
            themes: themes
                .map(|score| (score.theme, totals(score.attempts, score.solved)))
                .collect(),
            weak: weak.into_iter().map(|score| score.theme).collect(),
            points: dashboard.points,
            history: dashboard.history,
        }
    }

    /// Returns the themes: the weak ones, then those that were tried often enough, by the share of
    /// solved puzzles, then the others.
    fn sorted_themes(&self) -> Vec<(PuzzleTheme, AttemptTotals)> {
        let mut themes = self.themes.clone();
        themes.sort_by_key(|(theme, totals)| {
            let rank = self.weak.iter().position(|weak| weak == theme).unwrap_or(usize::MAX);
            (rank, totals.tried < MIN_TRIED, share(*totals))
        });
        themes
    }

    /// Returns the data of this device, which that of the account replaces once it is loaded. Sends
    /// before what the account does not have.
    pub(super) fn load() -> RwSignal<DashboardContent> {
        let content = RwSignal::new(DashboardContent::of_device(&progress::load()));
        if account::is_signed_in() {
            spawn_local(async move {
                account::send_progress().await;
                // Without a server, the progress of the device stays.
                if let Ok(dashboard) = account::dashboard().await {
                    // The page may have been closed by then.
                    let _ = content.try_set(DashboardContent::of_account(dashboard));
                }
            });
        }
        content
    }
}

/// Returns the share of solved puzzles in percent.
fn share(totals: AttemptTotals) -> u32 {
    totals.solved.saturating_mul(100).checked_div(totals.tried).unwrap_or(0)
}

/// The dashboard.
#[component]
pub(crate) fn DashboardPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    show_title(words, words.puzzles_progress());
    let content = DashboardContent::load();
    let numbers = move || {
        let content = content.get();
        let numbers = [
            (words.puzzles_rating_name(), rating_text(content.rating)),
            (words.puzzles_tried(), content.total.tried.to_string()),
            (words.puzzles_solved_share(), words.puzzles_percent(share(content.total))),
            (words.puzzles_best_storm(), content.best_storm.to_string()),
            (words.puzzles_best_streak(), content.best_streak.to_string()),
        ];
        numbers.map(|(name, number)| view! { <div><dt>{name}</dt><dd>{number}</dd></div> })
    };
    let source = move || match content.with(|content| content.is_account) {
        true => words.puzzles_of_account(),
        false => words.puzzles_of_device(),
    };
    let themes = move || {
        let rows = content.with(DashboardContent::sorted_themes).into_iter().map(|(theme, totals)| {
            let is_weak = content.with(|content| content.weak.contains(&theme));
            let mark = is_weak.then(|| view! { <span class="failed">{words.puzzles_weak()}</span> });
            view! {
                <tr>
                    <th scope="row">
                        <a href=training_path(navigation, Some(theme))>{theme_name(theme, words)}</a> " " {mark}
                    </th>
                    <td>{format!("{} / {}", totals.solved, totals.tried)}</td>
                    <td>
                        <meter min="0" max="100" value=share(totals).to_string() aria-label=theme_name(theme, words)></meter>
                        " " {words.puzzles_percent(share(totals))}
                    </td>
                </tr>
            }
        });
        rows.collect_view()
    };
    let graph = move || {
        let label = |first, last| words.puzzles_graph(first, last);
        content.with(|content| rating_graph(&content.points, label, words))
    };
    let is_empty = move || content.with(|content| content.total.tried == 0);
    let history = move || {
        content.get().history.into_iter().map(|entry| history_row(&entry, words)).collect_view()
    };
    view! {
        <div class="page puzzles-dashboard" data-source=move || if content.with(|it| it.is_account) { "account" } else { "device" }>
            <h1>{words.puzzles_progress()}</h1>
            <p>{source}</p>
            <dl class="puzzle-numbers">{numbers}</dl>
            <p hidden=move || !is_empty()>{words.puzzles_progress_none()}</p>
            {graph}
            <section hidden=is_empty>
                <h2>{words.puzzles_weak_themes()}</h2>
                <table class="puzzle-table"><tbody>{themes}</tbody></table>
                <h2>{words.puzzles_history()}</h2>
                <ul class="puzzle-history">{history}</ul>
            </section>
            <p class="puzzle-next">
                <a class="button primary" href=training_path(navigation, None)>{words.puzzles_training()}</a>
                <a class="button" href=navigation.path(Page::Puzzles)>{words.puzzles_all()}</a>
            </p>
        </div>
    }
}

/// Returns the row of a past attempt.
fn history_row(entry: &PuzzleHistoryEntry, words: Words) -> impl IntoView + use<> {
    let navigation = use_navigation();
    let id = entry.puzzle.to_string();
    let (class, result) = match entry.solved {
        true => ("solved", words.puzzles_attempt_solved()),
        false => ("failed", words.puzzles_attempt_failed()),
    };
    let change = entry.rating.map(|change| format!("{} → {}", change.before, change.after));
    view! {
        <li>
            <a href=navigation.path_of(Page::Puzzle, &id)>{id.clone()}</a>
            <span class=class>{result}</span>
            <span>{change}</span>
            <time datetime=iso_time(entry.at)>{day_and_time(entry.at, words)}</time>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use khet_protocol::ThemeScore;

    use super::*;

    #[test]
    fn weakest_themes_come_first_if_they_were_tried_often_enough() {
        let mut content = DashboardContent::of_device(&PuzzleProgress::default());
        let totals = |tried, solved| AttemptTotals { tried, solved };
        content.themes = vec![
            (PuzzleTheme::Swap, totals(10, 9)),
            (PuzzleTheme::Defence, totals(1, 0)),
            (PuzzleTheme::LongBeam, totals(10, 2)),
        ];
        let sorted: Vec<PuzzleTheme> =
            content.sorted_themes().into_iter().map(|(theme, _)| theme).collect();
        assert_eq!(sorted, [PuzzleTheme::LongBeam, PuzzleTheme::Swap, PuzzleTheme::Defence]);
    }

    #[test]
    fn weak_themes_of_an_account_come_before_hard_ones() {
        let score = |theme, solved, performance| ThemeScore {
            theme,
            attempts: 20,
            solved,
            performance: Some(performance),
        };
        let content = DashboardContent::of_account(PuzzleDashboard {
            rating: Rating { value: 1500, deviation: 80 },
            attempts: 60,
            solved: 30,
            best_storm: 0,
            best_streak: 0,
            // Puzzles with long beams are hard: few were solved, but as many as expected.
            themes: vec![
                score(PuzzleTheme::LongBeam, 4, 1510),
                score(PuzzleTheme::Swap, 14, 1380),
                score(PuzzleTheme::Defence, 12, 1200),
            ],
            points: Vec::new(),
            days: Vec::new(),
            history: Vec::new(),
        });
        let sorted: Vec<PuzzleTheme> =
            content.sorted_themes().into_iter().map(|(theme, _)| theme).collect();
        assert_eq!(sorted, [PuzzleTheme::Defence, PuzzleTheme::Swap, PuzzleTheme::LongBeam]);
        assert_eq!(content.weak, [PuzzleTheme::Defence, PuzzleTheme::Swap]);
    }
}
