//! Names of players, with rating and a link to their page.

use khet_protocol::{PersonKind, PublicProfile, Rating};
use leptos::prelude::*;

use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// Returns a person's name; guests and deleted accounts have a generic one.
pub(crate) fn name(face: &PublicProfile, words: Words) -> String {
    match (&face.name, face.kind) {
        (Some(name), _) => name.to_string(),
        (None, PersonKind::Gone) => words.online_deleted_account().to_owned(),
        (None, _) => words.online_guest().to_owned(),
    }
}

/// Returns a rating as text, with a question mark while it is provisional.
pub(crate) fn rating(rating: Rating) -> String {
    format!("{}{}", rating.value, if rating.is_provisional() { "?" } else { "" })
}

/// A person's name and rating, linked to their page if they have one.
#[component]
pub(crate) fn ProfileName(face: PublicProfile) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let shown = name(&face, words);
    let named = face.name.as_ref().filter(|_| face.kind != PersonKind::Gone);
    let name = match named {
        Some(name) => {
            let path = navigation.path_of(Page::Person, name.as_str());
            view! { <a class="face-name" href=path>{shown}</a> }.into_any()
        }
        None => view! { <span class="face-name">{shown}</span> }.into_any(),
    };
    view! {
        <span class="face">
            {name}
            {(face.kind == PersonKind::Bot).then(|| view! { <span class="face-bot">{words.online_bot()}</span> })}
            {face.rating.map(|value| view! { <span class="face-rating">{rating(value)}</span> })}
        </span>
    }
}
