//! The page with all lessons and a table of contents.

use std::ops::RangeFrom;

use leptos::prelude::*;

use super::lesson::{Chapter, Lesson};
use super::lesson_board::{LessonBoard, task_id};
use super::lessons::CHAPTERS;
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// Page width in pixels from which the table of contents is open beside the lessons.
const MIN_WIDTH_WITH_CONTENTS: f64 = 1100.0;

/// The rules page.
#[component]
pub fn LearnPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    // The lessons do not exist yet when the browser scrolls to the fragment of the URL.
    Effect::new(|_| {
        let hash = window().location().hash().unwrap_or_default();
        let anchor = hash.trim_start_matches('#');
        if let Some(target) = document().get_element_by_id(anchor).filter(|_| !anchor.is_empty()) {
            target.scroll_into_view();
        }
    });
    let mut indices = 0..;
    let chapters =
        CHAPTERS.iter().map(|chapter| chapter_view(chapter, words, &mut indices)).collect_view();
    view! {
        <article class="learn">
            <header class="learn-head">
                <h1>{words.learn_title()}</h1>
                <p>{words.learn_lead()}</p>
            </header>
            <Contents/>
            <div class="learn-chapters">
                {chapters}
                <p class="learn-end">
                    <a class="button primary" href=navigation.path(Page::Computer)>
                        {words.home_computer()}
                    </a>
                </p>
            </div>
        </article>
    }
}

/// The table of contents: links to all chapters and lessons.
#[component]
fn Contents() -> impl IntoView {
    let words = use_words();
    let wide = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(0.0)
        >= MIN_WIDTH_WITH_CONTENTS;
    let lesson = move |lesson: &'static Lesson| {
        view! { <li><a href=format!("#{}", lesson.anchor)>{(lesson.title)(words)}</a></li> }
    };
    let chapter = move |chapter: &'static Chapter| {
        view! {
            <li>
                <a href=format!("#{}", chapter.anchor)>{(chapter.title)(words)}</a>
                <ol>{chapter.lessons.iter().map(lesson).collect_view()}</ol>
            </li>
        }
    };
    view! {
        <nav class="learn-contents" aria-labelledby="learn-contents-title">
            <details open=wide>
                <summary id="learn-contents-title">{words.learn_contents()}</summary>
                <ol>{CHAPTERS.iter().map(chapter).collect_view()}</ol>
            </details>
        </nav>
    }
}

/// Renders a chapter. `indices` numbers the lessons of all chapters.
fn chapter_view(
    chapter: &'static Chapter,
    words: Words,
    indices: &mut RangeFrom<u32>,
) -> impl IntoView + use<> {
    let title_id = format!("{}-title", chapter.anchor);
    let lessons = chapter.lessons.iter().zip(indices);
    let lessons = lessons.map(|(lesson, index)| lesson_view(lesson, words, index)).collect_view();
    view! {
        <section class="chapter" id=chapter.anchor aria-labelledby=title_id>
            <h2 id=title_id.clone()>{(chapter.title)(words)}</h2>
            {lessons}
        </section>
    }
}

fn lesson_view(lesson: &'static Lesson, words: Words, index: u32) -> impl IntoView {
    let title_id = format!("{}-title", lesson.anchor);
    let paragraphs = lesson.text.iter().map(|text| view! { <p>{text(words)}</p> }).collect_view();
    view! {
        <section class="lesson" id=lesson.anchor aria-labelledby=title_id>
            <div class="lesson-text">
                <h3 id=title_id.clone()>{(lesson.title)(words)}</h3>
                {paragraphs}
                <p class="lesson-task" id=task_id(lesson)>{(lesson.task)(words)}</p>
            </div>
            <LessonBoard lesson index/>
        </section>
    }
}
