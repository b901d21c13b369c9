//! A page of text with headings.

use leptos::prelude::*;

use super::lesson::LessonText;
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// A page of text.
#[derive(Clone, Copy, Debug)]
pub struct Article {
    /// The title.
    pub title: LessonText,
    /// The first paragraph.
    pub lead: LessonText,
    /// The sections.
    pub sections: &'static [Section],
}

/// A section of an article.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The fragment in links: `#cookies`. It never changes, so that links keep working.
    pub anchor: &'static str,
    /// The title.
    pub title: LessonText,
    /// The paragraphs.
    pub text: &'static [LessonText],
    /// Examples, each with its explanation.
    pub examples: &'static [(&'static str, LessonText)],
    /// Links to other pages, at the end.
    pub links: &'static [(Page, LessonText)],
}

/// Returns a section with paragraphs only. The caller adds its anchor.
pub const fn text(title: LessonText, text: &'static [LessonText]) -> Section {
    Section { anchor: "", title, text, examples: &[], links: &[] }
}

/// The page of an article.
#[component]
pub fn ArticlePage(
    /// The article.
    article: &'static Article,
) -> impl IntoView {
    let words = use_words();
    let sections = article.sections.iter().map(|section| {
        let title_id = format!("{}-title", section.anchor);
        view! {
            <section id=section.anchor aria-labelledby=title_id>
                <h2 id=title_id.clone()>{(section.title)(words)}</h2>
                {section_content(section, words)}
            </section>
        }
    });
    view! {
        <article class="article">
            <h1>{(article.title)(words)}</h1>
            <p class="article-lead">{(article.lead)(words)}</p>
            {sections.collect_view()}
        </article>
    }
}

/// Renders a section without its title.
pub fn section_content(section: &'static Section, words: Words) -> impl IntoView {
    let navigation = use_navigation();
    let text = section.text.iter().map(|text| view! { <p>{text(words)}</p> }).collect_view();
    let example = |(example, meaning): &'static (&'static str, LessonText)| {
        view! {
            <div>
                <dt><code>{*example}</code></dt>
                <dd>{meaning(words)}</dd>
            </div>
        }
    };
    let examples = (!section.examples.is_empty()).then(|| {
        view! { <dl class="examples">{section.examples.iter().map(example).collect_view()}</dl> }
    });
    let link = |(page, name): &'static (Page, LessonText)| {
        view! { <a href=navigation.path(*page)>{name(words)}</a> }
    };
    let links = (!section.links.is_empty()).then(|| {
        view! { <p class="article-links">{section.links.iter().map(link).collect_view()}</p> }
    });
    view! {
        {text}
        {examples}
        {links}
    }
}
