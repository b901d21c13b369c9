//! The program of the puzzles. It works without a server; with an account it keeps the progress there.
//!
//! | module | content |
//! |---|---|
//! | `puzzle_set` | the published puzzles, loaded in slices |
//! | `solving`, `solver`, `solver_board` | a puzzle that is being solved, what follows after which shot, its board |
//! | `overview_page` | the puzzle of the day, and the ways to solve puzzles |
//! | `solve_page`, `training` | a puzzle by itself or in training, with hints and refutations |
//! | `series`, `series_page` | storm and streak |
//! | `progress`, `account`, `dashboard_page` | results on this device and in the account |
//! | `theme_names` | the names of themes |

mod account;
mod dashboard_page;
mod overview_page;
mod progress;
mod puzzle_set;
mod series;
mod series_page;
mod solve_page;
mod solver;
mod solver_board;
mod solving;
mod theme_names;
mod training;

use std::cell::Cell;

use khet_protocol::PuzzleRunKind;
use leptos::prelude::*;

use self::dashboard_page::DashboardPage;
use self::overview_page::OverviewPage;
use self::series_page::SeriesPage;
use self::solve_page::{PuzzleOrigin, SolvePage};
use crate::browser::focus::focus_if_lost;
use crate::languages::Words;
use crate::routing::{NotFound, Page, use_navigation};

/// Returns the view of a page of this program.
pub(crate) fn page(page: Page) -> AnyView {
    match page {
        Page::Puzzles => view! { <OverviewPage/> }.into_any(),
        Page::Puzzle => {
            let subject = untrack(|| use_navigation().subject());
            match subject.as_str() {
                "daily" => view! { <SolvePage origin=PuzzleOrigin::Daily/> }.into_any(),
                "training" => view! { <SolvePage origin=PuzzleOrigin::Training/> }.into_any(),
                "storm" => view! { <SeriesPage kind=PuzzleRunKind::Storm/> }.into_any(),
                "streak" => view! { <SeriesPage kind=PuzzleRunKind::Streak/> }.into_any(),
                "dashboard" => view! { <DashboardPage/> }.into_any(),
                // A puzzle's name never looks like one of these words, because it has no vowels.
                name => match name.parse() {
                    Ok(id) => view! { <SolvePage origin=PuzzleOrigin::Named(id)/> }.into_any(),
                    Err(_) => view! { <NotFound/> }.into_any(),
                },
            }
        }
        _ => view! { <NotFound/> }.into_any(),
    }
}

/// Sets the title of the document, after the frame has set that of all pages of puzzles. Moves the
/// focus to the page if it replaces another one and the link to it is gone.
fn show_title(words: Words, title: &'static str) {
    thread_local! {
        /// True if this document has shown a page before.
        static SHOWN: Cell<bool> = const { Cell::new(false) };
    }
    request_animation_frame(move || {
        document().set_title(&format!("{title} · {}", words.app_name()));
    });
    if SHOWN.replace(true) {
        focus_if_lost("#main".to_owned());
    }
}
