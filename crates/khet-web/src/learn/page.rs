//! The page of all lessons, with its contents.

use std::ops::RangeFrom;

use leptos::prelude::*;

use super::lesson::{Chapter, Lesson};
use super::lessons::CHAPTERS;
use super::try_board::{TryBoard, task_id};
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// From this width on, the contents stand open beside the lessons.
const WIDE: f64 = 1100.0;

/// The rules page.
#[component]
pub fn LearnPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    // The lessons are not there yet when the browser looks for the address's anchor.
    Effect::new(|_| {
        let hash = window().location().hash().unwrap_or_default();
        let anchor = hash.trim_start_matches('#');
        if let Some(target) = document().get_element_by_id(anchor).filter(|_| !anchor.is_empty()) {
            target.scroll_into_view();
        }
    });
    let mut places = 0..;
    let chapters =
        CHAPTERS.iter().map(|chapter| chapter_view(chapter, words, &mut places)).collect_view();
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

/// All chapters and lessons, as links to their places on the page.
#[component]
fn Contents() -> impl IntoView {
    let words = use_words();
    let wide = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(0.0) >= WIDE;
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

/// A chapter, its lessons in the next of the places on the page.
fn chapter_view(
    chapter: &'static Chapter,
    words: Words,
    places: &mut RangeFrom<u32>,
) -> impl IntoView + use<> {
    let title_id = format!("{}-title", chapter.anchor);
    let lessons = chapter.lessons.iter().zip(places);
    let lessons = lessons.map(|(lesson, place)| lesson_view(lesson, words, place)).collect_view();
    view! {
        <section class="chapter" id=chapter.anchor aria-labelledby=title_id>
            <h2 id=title_id.clone()>{(chapter.title)(words)}</h2>
            {lessons}
        </section>
    }
}

fn lesson_view(lesson: &'static Lesson, words: Words, place: u32) -> impl IntoView {
    let title_id = format!("{}-title", lesson.anchor);
    let paragraphs = lesson.text.iter().map(|text| view! { <p>{text(words)}</p> }).collect_view();
    view! {
        <section class="lesson" id=lesson.anchor aria-labelledby=title_id>
            <div class="lesson-text">
                <h3 id=title_id.clone()>{(lesson.title)(words)}</h3>
                {paragraphs}
                <p class="lesson-task" id=task_id(lesson)>{(lesson.task)(words)}</p>
            </div>
            <TryBoard lesson place/>
        </section>
    }
}
