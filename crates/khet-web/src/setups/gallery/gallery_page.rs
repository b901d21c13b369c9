//! The gallery page: the official setups, and the community setups with sorting and filters.

use khet::PieceBox;
use khet_protocol::{GallerySetup, PersonName, SetupCursor, SetupPage, SetupQuery, SetupSort};
use leptos::prelude::*;

use super::official_setups::{OfficialSetups, TowerSetups};
use super::reports::Reports;
use super::setup_card::SetupCard;
use crate::api;
use crate::api::paging::Paged;
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// Number of setups per request; small, because each has a picture.
const PAGE_SIZE: u32 = 12;

const SORTS: [SetupSort; 4] =
    [SetupSort::Newest, SetupSort::Plays, SetupSort::Likes, SetupSort::Balance];

/// Returns the form value and the label of a sort order.
fn sort_option(sort: SetupSort, words: Words) -> (&'static str, &'static str) {
    match sort {
        SetupSort::Newest => ("newest", words.setups_newest()),
        SetupSort::Plays => ("plays", words.setups_most_played()),
        SetupSort::Likes => ("likes", words.setups_most_liked()),
        SetupSort::Balance => ("balance", words.setups_most_even()),
    }
}

/// The gallery page.
#[component]
pub(crate) fn SetupsPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let query = RwSignal::new(SetupQuery::default());
    let author = RwSignal::new(String::new());
    let problem = RwSignal::new(String::new());
    let sorts = SORTS.map(|sort| {
        let (value, name) = sort_option(sort, words);
        view! { <option value=value>{name}</option> }
    });
    let sort = move |event| {
        let value = event_target_value(&event);
        let sort = SORTS.into_iter().find(|sort| sort_option(*sort, words).0 == value);
        query.update(|query| query.sort = sort);
    };
    let filter_by_box = move |event| {
        let value = event_target_value(&event);
        let chosen = PieceBox::ALL.into_iter().find(|piece_box| piece_box.name() == value);
        query.update(|query| query.piece_box = chosen);
    };
    let filter_by_author = move |event: leptos::ev::SubmitEvent| {
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
                <a class="button primary" data-action="design"
                    href=navigation.path(Page::Editor)>{words.editor_title()}</a>
            </div>
            <section aria-labelledby="official-title">
                <h2 id="official-title">{words.setups_official()}</h2>
                <OfficialSetups/>
            </section>
            <section aria-labelledby="tower-title">
                <h2 id="tower-title">{words.setups_tower()}</h2>
                <TowerSetups/>
            </section>
            <section aria-labelledby="players-title">
                <h2 id="players-title">{words.setups_community()}</h2>
                <form class="filters" data-form="setups" on:submit=filter_by_author>
                    <label class="field">
                        <span>{words.setups_sort()}</span>
                        <select data-field="sort"
                            on:change=sort>{sorts.into_iter().collect_view()}</select>
                    </label>
                    <label class="field">
                        <span>{words.setups_box()}</span>
                        <select data-field="box" on:change=filter_by_box>
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
                    <button type="submit" class="button"
                        data-action="search">{words.archive_search()}</button>
                </form>
                <p class="field-problem" role="status">{move || problem.get()}</p>
                {move || view! { <SetupResults query=query.get()/> }}
            </section>
            <Reports/>
        </div>
    }
}

/// The setups that match a query, loaded page by page.
#[component]
fn SetupResults(query: SetupQuery) -> impl IntoView {
    let words = use_words();
    let setups: Paged<GallerySetup, SetupCursor> = Paged::new(words.setups_none(), move |after| {
        let query = SetupQuery { after, limit: Some(PAGE_SIZE), ..query.clone() };
        async move {
            let path = format!("/api/setups?{}", api::query(&query));
            let result = api::get::<SetupPage>(&path).await;
            result.map(|page| (page.setups, page.next)).map_err(|error| error.message(words))
        }
    });
    // Shown until the first response.
    setups.message.set(words.setups_loading().to_owned());
    view! {
        <p class="field-about" role="status" data-status="">{move || setups.message.get()}</p>
        <ul class="setup-cards">
            <For each=move || setups.items.get() key=|card| card.id let:card>
                <SetupCard card/>
            </For>
        </ul>
        <div class="list-actions">{setups.more("more-setups", words.setups_more())}</div>
    }
}
