//! The page that creates a challenge for a friend.

use khet_protocol::ChallengeResponse;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::challenge_form::{ChallengeFields, ChallengeForm};
use crate::api;
use crate::api::me;
use crate::board::{Board, Scene};
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// The page that creates a challenge. The link is shown on the challenge page.
#[component]
pub(super) fn FriendPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let form = ChallengeForm::new();
    let sending = RwSignal::new(false);
    let problem = RwSignal::new(String::new());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(challenge) = untrack(|| form.new_challenge(false)) else {
            return problem.set(words.challenge_form_impossible().to_owned());
        };
        if sending.get_untracked() {
            return;
        }
        untrack(|| form.options()).save();
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
                    let _ = problem.try_set(error.message(words));
                }
            }
        });
    };
    view! {
        <div class="game-page choosing">
            <StartPreview form/>
            <form class="new-game" data-form="friend" on:submit=submit>
                <h1>{words.friend_title()}</h1>
                <p class="field-about">{words.friend_about()}</p>
                <ChallengeFields form/>
                <p class="field-problem" role="status">{move || problem.get()}</p>
                <div class="new-game-actions">
                    <button
                        type="submit"
                        class="button primary"
                        data-action="make-link"
                        aria-disabled=move || sending.get().to_string()
                    >
                        {words.friend_create_link()}
                    </button>
                </div>
            </form>
        </div>
    }
}

/// The selected start position on a board.
#[component]
pub(super) fn StartPreview(form: ChallengeForm) -> impl IntoView {
    let scene = Memo::new(move |_| {
        let start = form.options().choice.start();
        Scene::of(start.unwrap_or_else(|_| khet::Setup::Classic.position()))
    });
    view! {
        <div class="game-board">
            <div class="game-fit"><Board scene=scene/></div>
        </div>
    }
}
