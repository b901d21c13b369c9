//! The page of a challenge: shows its link to the challenger, and lets others accept it.

use khet_protocol::{
    Challenge, ChallengeId, ChallengeResponse, ClientMessage, ColorPreference, ErrorCode,
    ServerMessage, Subscription,
};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::formatting::options_line;
use super::introduction::Introduction;
use super::qr;
use super::socket::LiveConnection;
use super::unreachable::Loader;
use crate::api::me;
use crate::api::{self, NO_BODY, RequestError};
use crate::board::BoardPicture;
use crate::browser::clipboard;
use crate::browser::share::share_link;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// The page of a challenge.
#[component]
pub(super) fn ChallengePage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let id = untrack(|| navigation.subject());
    let path = format!("/api/challenges/{id}");
    let loader = Loader::new(move || {
        let path = path.clone();
        async move {
            let result = api::get::<ChallengeResponse>(&path).await;
            if let Ok(ChallengeResponse { game: Some(game), .. }) = &result {
                navigation.replace_with(Page::Game, game.as_str());
            }
            result
        }
    });
    let content = move |result: Result<ChallengeResponse, RequestError>| match result {
        // The page of the game is opened instead.
        Ok(ChallengeResponse { game: Some(_), .. }) => ().into_any(),
        Ok(ChallengeResponse { challenge, own: true, .. }) => {
            view! { <OwnChallenge challenge/> }.into_any()
        }
        Ok(ChallengeResponse { challenge, .. }) => {
            view! { <ReceivedChallenge challenge/> }.into_any()
        }
        Err(error) => {
            let text = match error.code() {
                Some(ErrorCode::NotFound | ErrorCode::Malformed) => {
                    words.challenge_gone().to_owned()
                }
                _ => error.message(words),
            };
            view! {
                <h1>{words.challenge_title()}</h1>
                <p>{text}</p>
                <p><a class="button primary" href=navigation.path(Page::Friend)>{words.friend_title()}</a></p>
            }
            .into_any()
        }
    };
    view! { <div class="page challenge">{loader.view(content)}</div> }
}

/// Renders the start position of a challenge.
fn start_picture(challenge: &Challenge) -> impl IntoView + use<> {
    let position = challenge.options.position().ok();
    view! {
        <div class="challenge-board">{position.map(|position| view! { <BoardPicture position/> })}</div>
    }
}

/// The link of the user's own challenge, shown until it is accepted.
#[component]
fn OwnChallenge(challenge: Challenge) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let id = challenge.id;
    let connected = RwSignal::new(false);
    LiveConnection::open(
        connected,
        move || ClientMessage::Subscribe(Subscription::Challenge { id }),
        move |message| match message {
            ServerMessage::Paired { game } => navigation.replace_with(Page::Game, game.as_str()),
            ServerMessage::Challenge(answer) => {
                if let Some(game) = answer.game {
                    navigation.replace_with(Page::Game, game.as_str());
                }
            }
            _ => {}
        },
    );
    let origin = window().location().origin().unwrap_or_default();
    let link = format!("{origin}{}", untrack(|| navigation.path_of(Page::Challenge, id.as_str())));
    let withdraw = move |_| {
        spawn_local(async move {
            // An error means that the challenge is gone already.
            let _ = api::send_for_text("DELETE", &format!("/api/challenges/{id}"), NO_BODY).await;
            navigation.replace_with(Page::Friend, "");
        });
    };
    let color = match challenge.color {
        ColorPreference::Silver => words.challenge_you_silver(),
        ColorPreference::Red => words.challenge_you_red(),
        ColorPreference::Random => words.challenge_you_either(),
    };
    view! {
        <h1>{words.challenge_send()}</h1>
        <p class="challenge-about">{words.challenge_send_about()}</p>
        <div class="challenge-sides">
            <ChallengeLink link/>
            <div class="challenge-what">
                {start_picture(&challenge)}
                <p class="challenge-terms">{options_line(&challenge.options, words)}</p>
                <p class="field-about">{color}</p>
                <p class="challenge-waits" role="status">
                    <span class="pulse" aria-hidden="true"></span>
                    {move || match connected.get() {
                        true => words.challenge_waiting(),
                        false => words.online_reconnecting(),
                    }}
                </p>
                <button type="button" class="button quiet" data-action="withdraw" on:click=withdraw>
                    {words.challenge_withdraw()}
                </button>
            </div>
        </div>
    }
}

/// The link of a challenge: as a QR code, as text, and with buttons to copy and share it.
#[component]
fn ChallengeLink(link: String) -> impl IntoView {
    let words = use_words();
    let note = RwSignal::new(String::new());
    let (copied_link, shared_link) = (link.clone(), link.clone());
    let code = qr::Code::of(&link).map(|code| {
        // The standard requires a light margin of four modules.
        let side = code.size() + 8;
        view! {
            <svg class="qr" viewBox=format!("-4 -4 {side} {side}") role="img" aria-label=words.challenge_code()>
                <path class="qr-light" d=format!("M-4 -4h{side}v{side}h-{side}z")></path>
                <path class="qr-dark" d=code.path()></path>
            </svg>
        }
    });
    view! {
        <div class="challenge-link">
            {code}
            <label class="field">
                <span>{words.challenge_link()}</span>
                <input type="text" readonly data-text="link" prop:value=link
                    on:focus=move |event| { event_target::<web_sys::HtmlInputElement>(&event).select(); }/>
            </label>
            <div class="challenge-buttons">
                <button type="button" class="button primary" data-action="copy-link"
                    on:click=move |_| clipboard::copy_link(words, note, &copied_link)>
                    {words.challenge_copy()}
                </button>
                <button type="button" class="button" data-action="share"
                    on:click=move |_| share_link(words, note, words.challenge_share(), &shared_link)>
                    {words.shell_share()}
                </button>
            </div>
            <p class="dialog-note" role="status">{move || note.get()}</p>
        </div>
    }
}

/// The challenge of another player, with a button to accept it.
#[component]
fn ReceivedChallenge(challenge: Challenge) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let problem = RwSignal::new(None::<RequestError>);
    let sending = RwSignal::new(false);
    let id: ChallengeId = challenge.id;
    let rated = challenge.options.rated;
    let accept = move |_| {
        if sending.get_untracked() {
            return;
        }
        sending.set(true);
        spawn_local(async move {
            let path = format!("/api/challenges/{id}/accept");
            match api::send::<ChallengeResponse>("POST", &path, NO_BODY).await {
                Ok(ChallengeResponse { game: Some(game), .. }) => {
                    me::remember();
                    navigation.replace_with(Page::Game, game.as_str());
                }
                Ok(_) => drop(problem.try_set(Some(RequestError::Unreachable))),
                Err(error) => {
                    let _ = sending.try_set(false);
                    let _ = problem.try_set(Some(error));
                }
            }
        });
    };
    let color = match challenge.color {
        ColorPreference::Silver => words.challenge_you_red(),
        ColorPreference::Red => words.challenge_you_silver(),
        ColorPreference::Random => words.challenge_you_either(),
    };
    let error = move || {
        let error = problem.get()?;
        Some(match error.code() {
            Some(ErrorCode::Forbidden | ErrorCode::SignedOut) if rated => view! {
                <p class="field-problem">
                    {words.challenge_form_rated_needs_account()} " "
                    <a href=navigation.path(Page::Account)>{words.account_title()}</a>
                </p>
            }
            .into_any(),
            Some(ErrorCode::Taken | ErrorCode::NotFound) => {
                view! { <p class="field-problem">{words.challenge_taken()}</p> }.into_any()
            }
            _ => view! { <p class="field-problem">{error.message(words)}</p> }.into_any(),
        })
    };
    view! {
        <div class="challenge-sides">
            <div class="challenge-what">
                <h1>{words.challenge_invited()}</h1>
                <p class="challenge-by"><ProfileName profile=challenge.by.clone()/></p>
                <p class="challenge-terms">{options_line(&challenge.options, words)}</p>
                <p class="field-about">{color}</p>
                <p>
                    <button type="button" class="button primary large" data-action="accept" on:click=accept>
                        {words.challenge_play()}
                    </button>
                </p>
                <div role="status">{error}</div>
            </div>
            {start_picture(&challenge)}
        </div>
        <Introduction/>
    }
}
