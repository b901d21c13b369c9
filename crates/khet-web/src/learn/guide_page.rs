//! A page of lessons: a table of contents, the reader's progress, and the chapters.

use leptos::prelude::*;
use leptos::web_sys::{Element, Event};

use super::article::{Section, section_content};
use super::lesson::{Chapter, Guide, Lesson};
use super::lesson_board::{LessonBoard, task_id};
use super::reading_progress::{ReadingProgress, reveal};
use crate::languages::{Words, use_words};

/// Page width in pixels from which the table of contents is open beside the lessons.
const MIN_WIDTH_WITH_CONTENTS: f64 = 1100.0;

/// The page of a guide.
#[component]
pub fn GuidePage(
    /// The guide.
    guide: &'static Guide,
    /// The introduction, before the first chapter.
    intro: AnyView,
    /// Links to further pages, after the last chapter.
    next: AnyView,
) -> impl IntoView {
    let words = use_words();
    let progress = ReadingProgress::start(anchors(guide));
    // The lessons do not exist yet when the browser scrolls to the fragment of the URL.
    let reveal_fragment =
        || reveal(window().location().hash().unwrap_or_default().trim_start_matches('#'));
    Effect::new(move |_| reveal_fragment());
    let listener = window_event_listener(leptos::ev::hashchange, move |_| reveal_fragment());
    on_cleanup(move || listener.remove());
    let chapters = guide.chapters.iter().map(|chapter| chapter_view(chapter, words));
    view! {
        <article class="learn">
            <header class="learn-head">
                <h1>{(guide.title)(words)}</h1>
                <p>{(guide.lead)(words)}</p>
            </header>
            <Contents guide progress/>
            <ProgressLine guide progress/>
            <div class="learn-chapters">
                {intro}
                {chapters.collect_view()}
                <p class="learn-end">{next}</p>
            </div>
        </article>
    }
}

/// Returns the anchors of all lessons and notes, in the order of the page.
fn anchors(guide: &Guide) -> Vec<&'static str> {
    let of_chapter = |chapter: &Chapter| {
        let lessons = chapter.lessons.iter().map(|lesson| lesson.anchor);
        let notes = chapter.notes.iter().map(|note| note.anchor);
        lessons.chain(notes).collect::<Vec<_>>()
    };
    guide.chapters.iter().flat_map(of_chapter).collect()
}

/// Returns the title of a lesson or note.
fn title_of(guide: &Guide, anchor: &str, words: Words) -> &'static str {
    for chapter in guide.chapters {
        let lesson = chapter.lessons.iter().find(|lesson| lesson.anchor == anchor);
        let note = chapter.notes.iter().find(|note| note.anchor == anchor);
        if let Some(title) = lesson.map(|lesson| lesson.title).or(note.map(|note| note.title)) {
            return title(words);
        }
    }
    ""
}

/// The line that stays at the top of the window: the current lesson, and how much is read.
#[component]
fn ProgressLine(guide: &'static Guide, progress: ReadingProgress) -> impl IntoView {
    let words = use_words();
    let title = move || progress.current().map(|anchor| title_of(guide, anchor, words));
    view! {
        <div
            class="learn-progress"
            class:reading=move || progress.current().is_some()
            aria-hidden="true"
        >
            <span>{title}</span>
            <i style:transform=move || format!("scaleX({:.3})", progress.share())></i>
        </div>
    }
}

/// The table of contents: links to all chapters, lessons and notes.
#[component]
fn Contents(guide: &'static Guide, progress: ReadingProgress) -> impl IntoView {
    let words = use_words();
    let wide = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(0.0)
        >= MIN_WIDTH_WITH_CONTENTS;
    let entry = move |anchor: &'static str, title: &'static str| {
        let current = move || (progress.current() == Some(anchor)).then_some("location");
        view! { <li><a href=format!("#{anchor}") aria-current=current>{title}</a></li> }
    };
    let chapter = move |chapter: &'static Chapter| {
        let lessons = chapter.lessons.iter().map(|lesson| (lesson.anchor, lesson.title));
        let notes = chapter.notes.iter().map(|note| (note.anchor, note.title));
        let entries = lessons.chain(notes).map(|(anchor, title)| entry(anchor, title(words)));
        view! {
            <li>
                <a href=format!("#{}", chapter.anchor)>{(chapter.title)(words)}</a>
                <ol>{entries.collect_view()}</ol>
            </li>
        }
    };
    view! {
        <nav class="learn-contents" aria-labelledby="learn-contents-title">
            <details open=wide>
                <summary id="learn-contents-title">{words.learn_contents()}</summary>
                <ol>{guide.chapters.iter().map(chapter).collect_view()}</ol>
            </details>
        </nav>
    }
}

/// Renders a chapter.
fn chapter_view(chapter: &'static Chapter, words: Words) -> AnyView {
    let title_id = format!("{}-title", chapter.anchor);
    let open = RwSignal::new(!chapter.folded);
    let lessons = chapter.lessons.iter().zip(0..);
    let lessons = lessons.map(|(lesson, index)| lesson_view(lesson, words, index, open));
    let content = view! {
        {lessons.collect_view()}
        {chapter.notes.iter().map(|note| note_view(note, words)).collect_view()}
    };
    let title = view! { <h2 id=title_id.clone()>{(chapter.title)(words)}</h2> };
    let content = if chapter.folded {
        let toggled = move |event: Event| {
            open.set(event_target::<Element>(&event).has_attribute("open"));
        };
        view! {
            <details class="chapter-fold" on:toggle=toggled>
                <summary>{title}</summary>
                {content}
            </details>
        }
        .into_any()
    } else {
        view! { {title} {content} }.into_any()
    };
    view! {
        <section class="chapter" id=chapter.anchor aria-labelledby=title_id>{content}</section>
    }
    .into_any()
}

fn lesson_view(
    lesson: &'static Lesson,
    words: Words,
    index: u32,
    shown: RwSignal<bool>,
) -> impl IntoView {
    let title_id = format!("{}-title", lesson.anchor);
    let paragraphs = |texts: &'static [fn(Words) -> &'static str]| {
        texts.iter().map(|text| view! { <p>{text(words)}</p> }).collect_view()
    };
    let more = (!lesson.more.is_empty()).then(|| {
        view! {
            <details class="lesson-more">
                <summary>{words.learn_details()}</summary>
                {paragraphs(lesson.more)}
            </details>
        }
    });
    view! {
        <section class="lesson" id=lesson.anchor aria-labelledby=title_id>
            <div class="lesson-text">
                <h3 id=title_id.clone()>{(lesson.title)(words)}</h3>
                {paragraphs(lesson.text)}
                {more}
                <p class="lesson-task" id=task_id(lesson)>{(lesson.task)(words)}</p>
            </div>
            <LessonBoard lesson index shown/>
        </section>
    }
}

/// Renders a rule without a board.
fn note_view(note: &'static Section, words: Words) -> impl IntoView {
    let title_id = format!("{}-title", note.anchor);
    view! {
        <section class="lesson note" id=note.anchor aria-labelledby=title_id>
            <div class="lesson-text">
                <h3 id=title_id.clone()>{(note.title)(words)}</h3>
                {section_content(note, words)}
            </div>
        </section>
    }
}
