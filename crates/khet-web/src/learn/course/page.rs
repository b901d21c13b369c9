//! The page of the course: the overview of its chapters, or the step that the address names.

use leptos::prelude::*;

use super::attempt::MAX_STARS;
use super::progress::CourseProgress;
use super::stars::stars_view;
use super::step::{CourseChapter, CourseStep};
use super::step_page::StepPage;
use super::{COURSE, steps};
use crate::browser::focus::focus_if_lost;
use crate::languages::{Words, use_words};
use crate::routing::{Navigation, Page, use_navigation};

/// The page of the course.
#[component]
pub fn CoursePage() -> impl IntoView {
    let step = use_navigation().query_parameter("step");
    let index = steps().position(|known| step.as_deref() == Some(known.id));
    // The link that led here is gone.
    focus_if_lost(".course h1".to_owned());
    match index {
        Some(index) => view! { <StepPage index/> }.into_any(),
        None => view! { <Overview/> }.into_any(),
    }
}

/// Returns the path of a step.
pub(super) fn step_path(navigation: Navigation, step: &CourseStep) -> String {
    format!("{}?step={}", navigation.path(Page::Course), step.id)
}

/// The chapters with their steps and stars.
#[component]
fn Overview() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let progress = CourseProgress::load();
    let continue_link = progress.next_step().map(|step| {
        let label = if progress.has_begun() {
            words.course_continue((step.title)(words))
        } else {
            words.course_start().to_owned()
        };
        let path = step_path(navigation, step);
        view! { <a class="button primary" href=path>{label}</a> }
    });
    let finished = progress.next_step().is_none().then(|| {
        view! {
            <p class="course-finished">{words.course_finished()}</p>
            <a class="button primary" href=navigation.path(Page::Computer)>{words.home_computer()}</a>
            <a class="button" href=navigation.path(Page::Strategy)>{words.strategy_title()}</a>
        }
    });
    let sum = progress.has_begun().then(|| {
        let stars: usize = COURSE.iter().map(|chapter| progress.stars_of(chapter.steps)).sum();
        let count = steps().count();
        let most = count * usize::from(MAX_STARS);
        view! { <p>{words.course_progress(progress.solved_steps(), count, stars, most)}</p> }
    });
    let chapters = COURSE.iter().zip(1..);
    let chapters = chapters
        .map(|(chapter, number)| chapter_view(chapter, number, &progress, navigation, words));
    view! {
        <article class="course">
            <header class="learn-head">
                <h1 tabindex="-1">{words.course_title()}</h1>
                <p>{words.course_lead()}</p>
            </header>
            <div class="course-start">{continue_link} {finished} {sum}</div>
            <div class="course-chapters">{chapters.collect_view()}</div>
        </article>
    }
}

/// Renders a chapter with links to its steps.
fn chapter_view(
    chapter: &'static CourseChapter,
    number: usize,
    progress: &CourseProgress,
    navigation: Navigation,
    words: Words,
) -> AnyView {
    let title_id = format!("course-chapter-{number}");
    let (stars, most) =
        (progress.stars_of(chapter.steps), chapter.steps.len() * usize::from(MAX_STARS));
    let entry = |step: &'static CourseStep| {
        view! {
            <li>
                <a href=step_path(navigation, step)>
                    <span>{(step.title)(words)}</span>
                    {stars_view(progress.stars(step), words)}
                </a>
            </li>
        }
    };
    view! {
        <section aria-labelledby=title_id>
            <h2 id=title_id.clone()>{format!("{number}. {}", (chapter.title)(words))}</h2>
            <p>{words.course_stars(stars, most)}</p>
            <ol>{chapter.steps.iter().map(entry).collect_view()}</ol>
        </section>
    }
    .into_any()
}
