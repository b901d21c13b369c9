//! The page of a challenge: shows its link to the challenger, and lets others accept it.

use khet::AnyPosition;
use khet_protocol::{
    Challenge, ChallengeId, ChallengeResponse, ClientMessage, ColorPreference, ErrorCode,
    PersonName, ServerMessage, Subscription,
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
use crate::app::inbox_menu::challenge_title;
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
    let closed = move |text: String| {
        view! {
            <h1>{words.challenge_title()}</h1>
            <p>{text}</p>
            <p><a class="button primary" href=navigation.path(Page::Friend)>{words.friend_title()}</a></p>
        }
        .into_any()
    };
    let content = move |result: Result<ChallengeResponse, RequestError>| match result {
        // The page of the game is opened instead.
        Ok(ChallengeResponse { game: Some(_), .. }) => ().into_any(),
        Ok(ChallengeResponse { challenge, own: true, declined, .. }) => {
            view! { <OwnChallenge challenge declined/> }.into_any()
        }
        Ok(ChallengeResponse { declined: true, .. }) => closed(words.challenge_gone().to_owned()),
        Ok(ChallengeResponse { challenge, .. }) => {
            view! { <ReceivedChallenge challenge/> }.into_any()
        }
        Err(error) => closed(match error.code() {
            Some(ErrorCode::NotFound | ErrorCode::Malformed) => words.challenge_gone().to_owned(),
            _ => error.message(words),
        }),
    };
    view! { <div class="page challenge">{loader.view(content)}</div> }
}

/// Renders the start position of a challenge.
fn start_picture(challenge: &Challenge) -> impl IntoView + use<> {
    let position = match challenge.options.position() {
        Ok(AnyPosition::Standard(position)) => Some(position),
        _ => None,
    };
    view! {
        <div class="challenge-board">{position.map(|position| view! { <BoardPicture position/> })}</div>
    }
}

/// The user's own challenge: its link until it is accepted, or that it was declined.
#[component]
fn OwnChallenge(challenge: Challenge, declined: bool) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let id = challenge.id;
    let connected = RwSignal::new(false);
    let declined = RwSignal::new(declined);
    LiveConnection::open(
        connected,
        move || ClientMessage::Subscribe(Subscription::Challenge { id }),
        move |message| match message {
            ServerMessage::Paired { game } => navigation.replace_with(Page::Game, game.as_str()),
            ServerMessage::ChallengeDeclined { .. } => drop(declined.try_set(true)),
            ServerMessage::Challenge(answer) => {
                if let Some(game) = answer.game {
                    navigation.replace_with(Page::Game, game.as_str());
                } else if answer.declined {
                    let _ = declined.try_set(true);
                }
            }
            _ => {}
        },
    );
    let link = Page::Challenge.link_to_share(id.as_str(), "");
    let (title, about) = match &challenge.to {
        Some(name) => (words.challenge_sent_to(name), words.challenge_sent_about(name)),
        None => (words.challenge_send().to_owned(), words.challenge_send_about().to_owned()),
    };
    view! {
        <h1>{title}</h1>
        <Show when=move || !declined.get()>
            <p class="challenge-about">{about.clone()}</p>
        </Show>
        <div class="challenge-sides">
            <Show when=move || !declined.get()>
                <ChallengeLink link=link.clone()/>
            </Show>
            <SentChallenge challenge connected declined/>
        </div>
    }
}

/// The options of the user's own challenge, whether it is answered, and a button to withdraw it.
#[component]
fn SentChallenge(
    challenge: Challenge,
    connected: RwSignal<bool>,
    declined: RwSignal<bool>,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let picture = start_picture(&challenge);
    let Challenge { id, options, color, to, .. } = challenge;
    // Also removes a declined challenge, which the challenger has seen.
    let withdraw = move |_| {
        spawn_local(async move {
            // An error means that the challenge is gone already.
            let _ = api::send_for_text("DELETE", &format!("/api/challenges/{id}"), NO_BODY).await;
            navigation.replace_with(Page::Friend, "");
        });
    };
    let color = match color {
        ColorPreference::Silver => words.challenge_you_silver(),
        ColorPreference::Red => words.challenge_you_red(),
        ColorPreference::Random => words.challenge_you_either(),
    };
    let status = move || match (declined.get(), &to) {
        (true, to) => {
            words.inbox_declined(to.as_ref().map_or_else(String::new, ToString::to_string))
        }
        (false, _) if !connected.get() => words.online_reconnecting().to_owned(),
        (false, Some(name)) => words.challenge_waiting_for(name),
        (false, None) => words.challenge_waiting().to_owned(),
    };
    let button =
        move || if declined.get() { words.friend_title() } else { words.challenge_withdraw() };
    view! {
        <div class="challenge-what">
            {picture}
            <p class="challenge-terms">{options_line(&options, words)}</p>
            <p class="field-about">{color}</p>
            <p class="challenge-waits" role="status" data-declined=move || declined.get().to_string()>
                <span class="pulse" aria-hidden="true" hidden=move || declined.get()></span>
                {status}
            </p>
            <button type="button" class="button quiet" data-action="withdraw" on:click=withdraw>
                {button}
            </button>
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
    let name = challenge.by.name.as_ref().map(PersonName::as_str);
    // A guest's rating and name say nothing.
    let by = name.is_some().then(|| {
        let profile = challenge.by.clone();
        view! { <p class="challenge-by"><ProfileName profile/></p> }
    });
    let buttons = match &challenge.to {
        Some(to) if !is_own_name(to) => {
            view! { <p>{words.challenge_for_other(to)}</p> }.into_any()
        }
        to => view! {
            <div class="challenge-buttons">
                <button type="button" class="button primary large" data-action="accept" on:click=accept>
                    {words.challenge_play()}
                </button>
                {to.is_some().then(|| view! { <DeclineButton id/> })}
            </div>
        }
        .into_any(),
    };
    view! {
        <div class="challenge-sides">
            <div class="challenge-what">
                <h1>{challenge_title(name, words)}</h1>
                {by}
                <p class="challenge-terms">{options_line(&challenge.options, words)}</p>
                <p class="field-about">{color}</p>
                {buttons}
                <div role="status">{error}</div>
            </div>
            {start_picture(&challenge)}
        </div>
        <Introduction/>
    }
}

/// Returns whether this is the name of the account of this browser.
fn is_own_name(name: &PersonName) -> bool {
    let account = me::shown_account().get_untracked();
    account.is_some_and(|account| account.name.eq_ignore_ascii_case(name.as_str()))
}

/// The button that declines a challenge to the user.
#[component]
fn DeclineButton(id: ChallengeId) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let decline = move |_| {
        spawn_local(async move {
            // An error means that the challenge is gone already.
            let _ = api::send_for_text("DELETE", &format!("/api/challenges/{id}"), NO_BODY).await;
            navigation.replace_with(Page::Lobby, "");
        });
    };
    view! {
        <button type="button" class="button large" data-action="decline" on:click=decline>
            {words.game_decline()}
        </button>
    }
}
