//! The overview of the puzzles: that of the day, training by theme, storm, streak, progress.

use khet_puzzles::{Puzzle, PuzzleTheme};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::dashboard_page::DashboardContent;
use super::progress::{self, AttemptTotals};
use super::puzzle_set;
use super::solve_page::training_path;
use super::theme_names::{theme_about, theme_name};
use crate::board::BoardPicture;
use crate::game_ui::profile_name::rating_text;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};
use crate::rules::Position;

/// The overview.
#[component]
pub(crate) fn OverviewPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let content = DashboardContent::load();
    let storm = Signal::derive(move || content.with(|content| content.best_storm));
    let streak = Signal::derive(move || content.with(|content| content.best_streak));
    let series = [
        ("storm", words.puzzles_storm(), words.puzzles_storm_about(), storm),
        ("streak", words.puzzles_streak(), words.puzzles_streak_about(), streak),
    ];
    let series = series.map(|(subject, name, about, best)| {
        let best = move || {
            let best = best.get();
            (best > 0).then(|| view! { <p class="puzzle-best">{words.puzzles_best(best)}</p> })
        };
        view! {
            <a class="puzzle-card" href=navigation.path_of(Page::Puzzle, subject)>
                <h2>{name}</h2>
                <p>{about}</p>
                {best}
            </a>
        }
    });
    let about_progress = move || {
        let (rating, AttemptTotals { tried, solved }) =
            content.with(|content| (content.rating, content.total));
        if tried == 0 {
            return words.puzzles_progress_none().to_owned();
        }
        words.puzzles_progress_about(rating_text(rating), solved, tried)
    };
    view! {
        <div class="page puzzles-overview">
            <h1>{words.shell_puzzles()}</h1>
            <p>{words.puzzles_lead()}</p>
            <div class="puzzle-cards">
                <DailyCard/>
                <a class="puzzle-card" href=training_path(navigation, None)>
                    <h2>{words.puzzles_training()}</h2>
                    <p>{words.puzzles_training_about()}</p>
                </a>
                {series.collect_view()}
                <a class="puzzle-card" href=navigation.path_of(Page::Puzzle, "dashboard")>
                    <h2>{words.puzzles_progress()}</h2>
                    <p>{about_progress}</p>
                </a>
            </div>
            <ThemeList/>
        </div>
    }
}

/// The puzzle of the day with its picture.
#[component]
fn DailyCard() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let puzzle: RwSignal<Option<Puzzle>> = RwSignal::new(None);
    let failed = RwSignal::new(false);
    spawn_local(async move {
        let found = puzzle_set::daily_puzzle().await.ok().flatten();
        // The page may have been closed by then.
        let _ = failed.try_set(found.is_none());
        let _ = puzzle.try_set(found);
    });
    let picture = move || {
        puzzle.with(|puzzle| {
            let position = Position::from(*puzzle.as_ref()?.line.start());
            Some(view! { <BoardPicture position/> })
        })
    };
    let is_solved = |puzzle: &Puzzle| {
        let id = puzzle.id();
        let attempts = progress::load().attempts;
        attempts.iter().any(|stored| stored.attempt.puzzle == id && stored.attempt.solved)
    };
    let task = move || {
        let known = puzzle
            .with(|puzzle| puzzle.as_ref().map(|puzzle| (puzzle.line.solver(), is_solved(puzzle))));
        if known.is_some_and(|(_, is_solved)| is_solved) {
            return words.puzzles_solved();
        }
        match known.map(|(solver, _)| solver) {
            Some(khet::Color::Silver) => words.puzzles_task_silver(),
            Some(khet::Color::Red) => words.puzzles_task_red(),
            None if failed.get() => words.puzzles_unreachable(),
            None => "",
        }
    };
    view! {
        <a class="puzzle-card daily" href=navigation.path_of(Page::Puzzle, "daily")>
            <h2>{words.home_puzzle()}</h2>
            <div class="puzzle-picture">{picture}</div>
            <p>{task}</p>
        </a>
    }
}

/// The themes, each with its number of puzzles and a link to its training.
#[component]
fn ThemeList() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let counts: RwSignal<Vec<usize>> = RwSignal::new(Vec::new());
    spawn_local(async move {
        if let Ok(index) = puzzle_set::index().await {
            // The page may have been closed by then.
            let _ = counts.try_set(PuzzleTheme::ALL.map(|theme| index.count(theme)).to_vec());
        }
    });
    let themes = PuzzleTheme::ALL.into_iter().map(|theme| {
        let count = move || {
            let count = counts.with(|counts| counts.get(theme as usize).copied());
            count.map(|count| words.puzzles_count(count))
        };
        // A theme that no puzzle has yet leads nowhere.
        let is_empty = move || counts.with(|counts| counts.get(theme as usize).copied()) == Some(0);
        view! {
            <li hidden=is_empty>
                <a href=training_path(navigation, Some(theme))>
                    <strong>{theme_name(theme, words)}</strong>
                    <span>{theme_about(theme, words)}</span>
                    <small>{count}</small>
                </a>
            </li>
        }
    });
    view! {
        <section aria-labelledby="puzzle-themes-title">
            <h2 id="puzzle-themes-title">{words.puzzles_themes()}</h2>
            <ul class="puzzle-theme-list">{themes.collect_view()}</ul>
        </section>
    }
}
