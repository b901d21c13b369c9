//! What is shown over the board: more to do, the papers, the keys.

use leptos::prelude::*;

use super::desk::{Desk, Sheet};
use super::study::{Study, Unreadable};
use super::{keys, link};
use crate::address::{Page, position_search, use_navigation};
use crate::dialog::OneOf;
use crate::play::papers::{Papers, copy};

/// All of them.
#[component]
pub(super) fn Sheets(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let close = words.play_close();
    view! {
        <OneOf which=desk.sheet sheet=Sheet::More name="more" title=words.play_more().to_owned() close>
            <More desk/>
        </OneOf>
        <OneOf which=desk.sheet sheet=Sheet::Papers name="papers" title=words.play_record().to_owned() close>
            <StudyPapers desk/>
        </OneOf>
        <OneOf which=desk.sheet sheet=Sheet::Keys name="keys" title=words.analysis_keys().to_owned() close>
            <table class="keys">
                <tbody>
                    {keys::table(words).map(|(key, does)| view! {
                        <tr><th scope="row"><kbd>{key}</kbd></th><td>{does}</td></tr>
                    }).into_iter().collect_view()}
                </tbody>
            </table>
        </OneOf>
    }
}

#[component]
fn More(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let navigation = use_navigation();
    let note = RwSignal::new(String::new());
    let copy_link = move |_| {
        let origin = window().location().origin().unwrap_or_default();
        let path = Page::Analysis.path(navigation.language().get_untracked());
        match desk.study.with_untracked(|study| link::write(study.record())) {
            Some(tree) => copy(words, note, &format!("{origin}{path}#{tree}")),
            None => note.set(words.analysis_link_too_long().to_owned()),
        }
    };
    let editor = move || {
        let position = desk.study.with(|study| *study.game().position());
        navigation.path(Page::Editor) + &position_search(&position.placement(), position.rules())
    };
    let before = Desk::before();
    view! {
        <div class="more">
            <button type="button" class="button" data-action="papers" on:click=move |_| desk.sheet.set(Some(Sheet::Papers))>
                {words.play_record()}
            </button>
            <button type="button" class="button" data-action="copy-link" on:click=copy_link>{words.analysis_link()}</button>
            <a class="button" data-action="edit" href=editor>{words.analysis_edit()}</a>
            <button type="button" class="button" data-action="new-study" on:click=move |_| {
                desk.open(Study::of(khet::Setup::Classic.position()));
                navigation.note("");
                desk.sheet.set(None);
            }>{words.analysis_new()}</button>
            {before.map(|before| view! {
                <button type="button" class="button" data-action="before" on:click=move |_| {
                    desk.open(before.clone());
                    navigation.note("");
                    desk.sheet.set(None);
                }>{words.analysis_before()}</button>
            })}
            <button type="button" class="button" data-action="keys" on:click=move |_| desk.sheet.set(Some(Sheet::Keys))>
                {words.analysis_keys()}
            </button>
            <p class="papers-note" role="status">{move || note.get()}</p>
        </div>
    }
}

/// The record with its variations, and the position.
#[component]
fn StudyPapers(desk: Desk) -> impl IntoView {
    let words = desk.words;
    let record = desk.study.with_untracked(|study| study.record().to_string());
    let position =
        desk.study.with_untracked(|study| study.game().position().placement().to_string());
    let open = move |text: String| {
        let rules = desk.study.with_untracked(|study| study.record().start().rules());
        let study = Study::open(&text, rules).map_err(|problem| match problem {
            Unreadable::Wrong(problem) => words.play_unreadable(problem),
            Unreadable::TooLong => words.analysis_too_long().to_owned(),
        })?;
        desk.open(study);
        desk.sheet.set(None);
        Ok(())
    };
    view! { <Papers words record position open=Callback::new(open)/> }
}
