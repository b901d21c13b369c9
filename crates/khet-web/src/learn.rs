//! The learn program: course, rules, strategy guide, and the pages about the app.
//!
//! | module | content |
//! |---|---|
//! | `course` | the course: tasks in six chapters |
//! | `lesson` | the parts of a guide: chapters, lessons, boards |
//! | `lessons`, `tower_lessons`, `rules_page` | the lessons of the rules, and their page |
//! | `strategy` | the lessons of the strategy guide, and its page |
//! | `guide_page`, `reading_progress` | a page of lessons, and the reader's place on it |
//! | `lesson_game`, `lesson_board` | the game on the board of a lesson, and its component |
//! | `article`, `articles` | pages of text: About, Privacy, Questions, Notation |
//!
//! `lesson_tests`, `tower_lesson_tests` and `strategy_tests` check the claims of the lesson texts about their boards.

mod article;
mod articles;
mod course;
mod guide_page;
mod lesson;
mod lesson_board;
mod lesson_game;
#[cfg(test)]
mod lesson_tests;
mod lessons;
mod reading_progress;
mod rules_page;
mod strategy;
#[cfg(test)]
mod strategy_tests;
#[cfg(test)]
mod tower_lesson_tests;
mod tower_lessons;

use leptos::prelude::*;

use self::article::ArticlePage;
use self::course::CoursePage;
use self::rules_page::RulesPage;
use self::strategy::StrategyPage;
use crate::routing::{NotFound, Page};

/// Returns the view of a page of this program.
pub(crate) fn page(page: Page) -> AnyView {
    match page {
        Page::Rules => view! { <RulesPage/> }.into_any(),
        Page::Strategy => view! { <StrategyPage/> }.into_any(),
        Page::Course => view! { <CoursePage/> }.into_any(),
        Page::About => view! { <ArticlePage article=&articles::ABOUT/> }.into_any(),
        Page::Privacy => view! { <ArticlePage article=&articles::PRIVACY/> }.into_any(),
        Page::Faq => view! { <ArticlePage article=&articles::FAQ/> }.into_any(),
        Page::Notation => view! { <ArticlePage article=&articles::NOTATION/> }.into_any(),
        _ => view! { <NotFound/> }.into_any(),
    }
}
