//! The page that creates a challenge for a friend.

use khet::Color;
use khet_protocol::{ChallengeResponse, ErrorCode, NewChallenge, PersonName};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::challenge_form::{ChallengeFields, ChallengeForm, Visibility};
use crate::api;
use crate::api::me;
use crate::board::{Board, Scene};
use crate::game_ui::move_navigation::flip_by_key;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};
use crate::rules::classic;

/// The page that creates a challenge. The link is shown on the challenge page.
#[component]
pub(super) fn FriendPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let form = ChallengeForm::new(Visibility::Link);
    // Queries are read with `_` as a space, but names contain underscores.
    let to = navigation.query_parameter("to").map(|name| name.replace(' ', "_"));
    let to: Option<PersonName> = to.and_then(|name| name.parse().ok());
    let title = match &to {
        Some(name) => words.friend_title_to(name),
        None => words.friend_title().to_owned(),
    };
    let (about, send) = match to {
        Some(_) => (words.friend_about_to(), words.friend_send()),
        None => (words.friend_about(), words.friend_create_link()),
    };
    let sending = RwSignal::new(false);
    let problem = RwSignal::new(String::new());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(challenge) = untrack(|| form.new_challenge()) else {
            return problem.set(words.challenge_form_impossible().to_owned());
        };
        let challenge = NewChallenge { to: to.clone(), ..challenge };
        if sending.get_untracked() {
            return;
        }
        form.save();
        sending.set(true);
        problem.set(String::new());
        spawn_local(async move {
            let response =
                api::send::<ChallengeResponse>("POST", "/api/challenges", Some(&challenge)).await;
            match response {
                Ok(response) => {
                    me::remember();
                    navigation.go_to(Page::Challenge, response.challenge.id.as_str());
                }
                Err(error) => {
                    let _ = sending.try_set(false);
                    let text = match error.code() {
                        Some(ErrorCode::NotFound) => words.person_none().to_owned(),
                        _ => error.message(words),
                    };
                    let _ = problem.try_set(text);
                }
            }
        });
    };
    view! {
        <div class="game-page choosing">
            <StartPreview form/>
            <form class="new-game" data-form="friend" on:submit=submit>
                <h1>{title}</h1>
                <p class="field-about">{about}</p>
                <ChallengeFields form/>
                <p class="field-problem" role="status">{move || problem.get()}</p>
                <div class="new-game-actions">
                    <button
                        type="submit"
                        class="button primary"
                        data-action="make-link"
                        aria-disabled=move || sending.get().to_string()
                    >
                        {send}
                    </button>
                </div>
            </form>
        </div>
    }
}

/// The selected start position on a board.
#[component]
pub(super) fn StartPreview(form: ChallengeForm) -> impl IntoView {
    let bottom = RwSignal::new(Color::Silver);
    flip_by_key(move || bottom.update(|bottom| *bottom = !*bottom));
    let scene = Memo::new(move |_| {
        let start = form.options().choice.start();
        let mut scene = Scene::of(start.unwrap_or_else(|_| classic()));
        scene.bottom = bottom.get();
        scene
    });
    view! {
        <div class="game-board">
            <div class="game-fit"><Board scene=scene/></div>
        </div>
    }
}
