//! The page of the gallery: the shelf, and what players have published, sorted and filtered.

use khet::PieceBox;
use khet_protocol::{GallerySetup, PersonName, SetupCursor, SetupPage, SetupQuery, SetupSort};
use leptos::prelude::*;

use super::card::SetupCardView;
use super::report::Reports;
use super::shelf::Shelf;
use crate::api;
use crate::api::paging::Paged;
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// So many setups at a time: each has a picture.
const PAGE: u32 = 12;

const SORTS: [SetupSort; 4] =
    [SetupSort::Newest, SetupSort::Plays, SetupSort::Likes, SetupSort::Balance];

fn sort_name(sort: SetupSort, words: Words) -> (&'static str, &'static str) {
    match sort {
        SetupSort::Newest => ("newest", words.setups_newest()),
        SetupSort::Plays => ("plays", words.setups_most_played()),
        SetupSort::Likes => ("likes", words.setups_most_liked()),
        SetupSort::Balance => ("balance", words.setups_most_even()),
    }
}

/// The page.
#[component]
pub(crate) fn SetupsPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let query = RwSignal::new(SetupQuery::default());
    let author = RwSignal::new(String::new());
    let problem = RwSignal::new(String::new());
    let sorts = SORTS.map(|sort| {
        let (value, name) = sort_name(sort, words);
        view! { <option value=value>{name}</option> }
    });
    let sort = move |event| {
        let value = event_target_value(&event);
        let sort = SORTS.into_iter().find(|sort| sort_name(*sort, words).0 == value);
        query.update(|query| query.sort = sort);
    };
    let pieces = move |event| {
        let value = event_target_value(&event);
        let boxes = PieceBox::ALL;
        let chosen = boxes.into_iter().find(|pieces| pieces.name() == value);
        query.update(|query| query.piece_box = chosen);
    };
    let by_author = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let name = author.with_untracked(|name| name.trim().to_owned());
        let name = if name.is_empty() { Ok(None) } else { name.parse::<PersonName>().map(Some) };
        match name {
            Ok(author) => {
                problem.set(String::new());
                query.update(|query| query.author = author);
            }
            Err(_) => problem.set(words.person_none().to_owned()),
        }
    };
    view! {
        <div class="page gallery">
            <div class="gallery-head">
                <h1>{words.setups_title()}</h1>
                <a class="button primary" data-action="design" href=navigation.path(Page::Editor)>{words.editor_title()}</a>
            </div>
            <section aria-labelledby="shelf-title">
                <h2 id="shelf-title">{words.setups_official()}</h2>
                <Shelf/>
            </section>
            <section aria-labelledby="players-title">
                <h2 id="players-title">{words.setups_community()}</h2>
                <form class="filters" data-form="setups" on:submit=by_author>
                    <label class="field">
                        <span>{words.setups_sort()}</span>
                        <select data-field="sort" on:change=sort>{sorts.into_iter().collect_view()}</select>
                    </label>
                    <label class="field">
                        <span>{words.setups_box()}</span>
                        <select data-field="box" on:change=pieces>
                            <option value="">{words.archive_any()}</option>
                            <option value="standard">{words.play_group_standard()}</option>
                            <option value="khet2">{words.play_group_khet2()}</option>
                        </select>
                    </label>
                    <label class="field">
                        <span>{words.setups_author()}</span>
                        <input type="text" data-field="author" autocomplete="off" maxlength="20"
                            on:input=move |event| author.set(event_target_value(&event))/>
                    </label>
                    <button type="submit" class="button" data-action="search">{words.archive_search()}</button>
                </form>
                <p class="field-problem" role="status">{move || problem.get()}</p>
                {move || view! { <FoundSetups query=query.get()/> }}
            </section>
            <Reports/>
        </div>
    }
}

/// The setups of a question, a page at a time.
#[component]
fn FoundSetups(query: SetupQuery) -> impl IntoView {
    let words = use_words();
    let setups: Paged<GallerySetup, SetupCursor> = Paged::new(words.setups_none(), move |after| {
        let query = SetupQuery { after, limit: Some(PAGE), ..query.clone() };
        async move {
            let path = format!("/api/setups?{}", api::query(&query));
            let found = api::get::<SetupPage>(&path).await;
            found.map(|page| (page.setups, page.next)).map_err(|error| error.message(words))
        }
    });
    // Until the first answer.
    setups.told.set(words.setups_loading().to_owned());
    view! {
        <p class="field-about" role="status" data-told="">{move || setups.told.get()}</p>
        <ul class="setup-cards">
            <For each=move || setups.items.get() key=|card| card.id let:card>
                <SetupCardView card/>
            </For>
        </ul>
        <div class="list-actions">{setups.more("more-setups", words.setups_more())}</div>
    }
}
