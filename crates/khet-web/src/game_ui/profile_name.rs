//! Names of players, with rating and a link to their page.

use khet_protocol::{PersonKind, PublicProfile, Rating};
use leptos::prelude::*;

use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// Returns the name of a player. Guests and deleted accounts have generic names.
pub(crate) fn display_name(profile: &PublicProfile, words: Words) -> String {
    match (&profile.name, profile.kind) {
        (Some(name), _) => name.to_string(),
        (None, PersonKind::Deleted) => words.online_deleted_account().to_owned(),
        (None, _) => words.online_guest().to_owned(),
    }
}

/// Returns a rating as text, with a question mark while it is provisional.
pub(crate) fn rating_text(rating: Rating) -> String {
    format!("{}{}", rating.value, if rating.is_provisional() { "?" } else { "" })
}

/// The name and rating of a player, linked to the player's page unless it is a guest.
#[component]
pub(crate) fn ProfileName(profile: PublicProfile) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let text = display_name(&profile, words);
    let account_name = profile.name.as_ref().filter(|_| profile.kind != PersonKind::Deleted);
    let name = match account_name {
        Some(name) => {
            let path = navigation.path_of(Page::Person, name.as_str());
            view! { <a class="face-name" href=path>{text}</a> }.into_any()
        }
        None => view! { <span class="face-name">{text}</span> }.into_any(),
    };
    view! {
        <span class="face">
            {name}
            {(profile.kind == PersonKind::Bot).then(|| view! { <span class="face-bot">{words.online_bot()}</span> })}
            {profile.rating.map(|value| view! { <span class="face-rating">{rating_text(value)}</span> })}
        </span>
    }
}
