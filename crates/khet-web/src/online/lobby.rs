//! The lobby: quick pairing, open challenges, and a challenge of one's own.

use khet::{Rules, Setup, TimeControl};
use khet_protocol::{
    Challenge, ChallengeResponse, ClientMessage, ColorPreference, GameOptions, GameSummary,
    LobbyResponse, NewChallenge, PersonId, PersonKind, PublicProfile, ServerMessage, Speed, Start,
    Subscription,
};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::names::{options_line, time_name};
use super::offer::{OfferFields, OfferForm};
use super::socket::Line;
use super::summary::GameCard;
use super::ways::Ways;
use crate::api::me;
use crate::api::{self, NOTHING, error_message};
use crate::browser::random::random_u32;
use crate::game_ui::names::speed_name;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// Returns the seek of a quick pairing.
fn quick_pairing(time: TimeControl, rated: bool) -> NewChallenge {
    let options =
        GameOptions { start: Start::Setup(Setup::Classic), rules: Rules::Standard, time, rated };
    NewChallenge { options, color: ColorPreference::Random, open: false, to: None }
}

/// The page.
#[component]
pub(super) fn LobbyPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let lobby = RwSignal::new(None::<LobbyResponse>);
    let message = RwSignal::new(String::new());
    let open = RwSignal::new(false);
    let mine = RwSignal::new(Vec::<GameSummary>::new());
    let rated = RwSignal::new(false);
    let somebody = RwSignal::new(None::<(PersonId, PersonKind)>);
    // What is looked for: its clocks. The server forgets it with the connection, so each is told of it anew.
    let seeking = RwSignal::new(None::<NewChallenge>);
    let told = StoredValue::new(false);
    let line = StoredValue::new_local(None::<StoredValue<Line, LocalStorage>>);
    let with_line = move |act: &dyn Fn(&Line)| {
        if let Some(line) = line.get_value() {
            line.try_with_value(act);
        }
    };
    let seek = move || {
        let Some(challenge) = seeking.get_untracked() else { return };
        if !told.get_value() {
            let message =
                ClientMessage::Seek { key: random_u32().max(1), challenge: Box::new(challenge) };
            with_line(&|line| told.set_value(line.say(&message)));
        }
    };
    line.set_value(Some(Line::open(
        open,
        move || {
            told.try_set_value(false);
            ClientMessage::Subscribe(Subscription::Lobby)
        },
        move |heard| match heard {
            ServerMessage::Lobby(answer) => {
                let _ = lobby.try_set(Some(answer));
                seek();
            }
            ServerMessage::Paired { game } => navigation.go_to(Page::Game, game.as_str()),
            ServerMessage::Refused { error, .. } => {
                let _ = seeking.try_set(None);
                let _ = message.try_set(error_message(&error, words));
            }
            _ => {}
        },
    )));
    spawn_local(async move {
        if let Some(answer) = me::ask().await {
            let _ = somebody.try_set(Some((answer.id, answer.kind)));
            let _ = rated.try_set(answer.kind == PersonKind::Account);
            // A game by correspondence waits here for its next move.
            if let Ok(games) = api::get::<Vec<GameSummary>>("/api/me/games").await {
                let _ = mine.try_set(games);
            }
        }
    });
    // A socket is whoever opened it: nobody becomes a guest first.
    let become_somebody = move || async move {
        if somebody.try_get_untracked().flatten().is_none() {
            match api::send::<PublicProfile>("POST", "/api/guest", NOTHING).await {
                Ok(face) => {
                    me::remember();
                    let _ = somebody.try_set(Some((face.id, face.kind)));
                    with_line(&Line::reconnect);
                }
                Err(error) => {
                    let _ = seeking.try_set(None);
                    let _ = message.try_set(error.message(words));
                }
            }
        }
    };
    let choose = move |challenge: NewChallenge| {
        message.set(String::new());
        let same = seeking.with_untracked(|seeking| seeking.as_ref() == Some(&challenge));
        if seeking.with_untracked(Option::is_some) {
            with_line(&|line| {
                line.say(&ClientMessage::Unseek);
            });
        }
        told.set_value(false);
        seeking.set((!same).then_some(challenge));
        spawn_local(async move {
            become_somebody().await;
            if open.try_get_untracked() == Some(true) {
                seek();
            }
        });
    };
    let pairs = move || {
        let rated = rated.get();
        TimeControl::PRESETS.map(move |time| quick_pairing(time, rated)).into_iter().map(|challenge| {
            let time = challenge.options.time;
            let speed = Speed::of(time).map(|speed| speed_name(speed, words));
            let wanted = challenge.clone();
            let pressed =
                move || seeking.with(|seeking| seeking.as_ref() == Some(&wanted)).to_string();
            view! {
                <li>
                    <button type="button" class="pair" data-pair=time.to_string() aria-pressed=pressed
                        on:click=move |_| choose(challenge.clone())>
                        <strong>{time_name(time, words)}</strong>
                        <span>{speed}</span>
                    </button>
                </li>
            }
        }).collect_view()
    };
    let account = move || matches!(somebody.get(), Some((_, PersonKind::Account)));
    let waits = move || {
        seeking.with(Option::is_some).then(|| {
            view! {
                <p class="lobby-waits">
                    <span class="pulse" aria-hidden="true"></span>
                    {words.lobby_seeking()}
                </p>
            }
        })
    };
    let challenges = Memo::new(move |_| {
        lobby.with(|lobby| lobby.as_ref().map(|lobby| lobby.challenges.clone())).unwrap_or_default()
    });
    let accept = move |challenge: Challenge| {
        spawn_local(async move {
            let path = format!("/api/challenges/{}/accept", challenge.id);
            match api::send::<ChallengeResponse>("POST", &path, NOTHING).await {
                Ok(ChallengeResponse { game: Some(game), .. }) => {
                    me::remember();
                    navigation.go_to(Page::Game, game.as_str());
                }
                Ok(_) => {}
                Err(error) => drop(message.try_set(error.message(words))),
            }
        });
    };
    let withdraw = move |challenge: Challenge| {
        spawn_local(async move {
            let path = format!("/api/challenges/{}", challenge.id);
            if let Err(error) = api::send_without_answer("DELETE", &path, NOTHING).await {
                let _ = message.try_set(error.message(words));
            }
        });
    };
    let made = move |challenge: NewChallenge| {
        spawn_local(async move {
            become_somebody().await;
            let made = api::send::<ChallengeResponse>("POST", "/api/challenges", Some(&challenge));
            if let Err(error) = made.await {
                let _ = message.try_set(error.message(words));
            }
        });
    };
    let row = move |challenge: Challenge| {
        let own = move || somebody.get().is_some_and(|(id, _)| id == challenge.by.id);
        let (mine, yours) = (challenge.clone(), challenge.clone());
        let color = match challenge.color {
            ColorPreference::Silver => words.challenge_you_red(),
            ColorPreference::Red => words.challenge_you_silver(),
            ColorPreference::Random => "",
        };
        view! {
            <li class="lobby-row" data-challenge=challenge.id.to_string()>
                <span class="lobby-by"><ProfileName profile=challenge.by.clone()/></span>
                <span class="lobby-terms">{options_line(&challenge.options, words)}</span>
                <span class="lobby-color">{color}</span>
                {move || {
                    let (mine, yours) = (mine.clone(), yours.clone());
                    if own() {
                        view! {
                            <button type="button" class="button" data-action="withdraw"
                                on:click=move |_| withdraw(mine.clone())>{words.challenge_withdraw()}</button>
                        }.into_any()
                    } else {
                        view! {
                            <button type="button" class="button primary" data-action="accept"
                                on:click=move |_| accept(yours.clone())>{words.challenge_play()}</button>
                        }.into_any()
                    }
                }}
            </li>
        }
    };
    let counts = move || {
        lobby.with(|lobby| {
            lobby
                .as_ref()
                .map(|lobby| words.lobby_counts(lobby.people as usize, lobby.games as usize))
        })
    };
    view! {
        <div class="page lobby" data-open=move || open.get().to_string()>
            <Ways/>
            <h1>{words.lobby_title()}</h1>
            <p class="field-about">{counts}</p>
            <Show when=move || !mine.with(Vec::is_empty)>
                <section aria-labelledby="lobby-mine">
                    <h2 id="lobby-mine">{words.lobby_my_games()}</h2>
                    <ul class="listed-games">
                        {move || mine.get().into_iter().map(|game| view! { <GameCard game/> }).collect_view()}
                    </ul>
                </section>
            </Show>
            <section aria-labelledby="lobby-quick">
                <h2 id="lobby-quick">{words.lobby_quick()}</h2>
                <p class="field-about">{words.lobby_quick_about()}</p>
                <Show when=account>
                    <label class="switch lobby-rated">
                        <span>{words.online_rated()}</span>
                        <input type="checkbox" role="switch" data-switch="rated"
                            prop:checked=move || rated.get()
                            on:change=move |event| {
                                // What is looked for is no longer what is offered.
                                if let Some(challenge) = seeking.get_untracked() {
                                    choose(challenge);
                                }
                                rated.set(event_target_checked(&event));
                            }/>
                    </label>
                </Show>
                <ul class="pairs">{pairs}</ul>
                <div role="status">{waits}</div>
                <p class="field-problem" role="status" data-message="">{move || message.get()}</p>
            </section>
            <section aria-labelledby="lobby-open">
                <h2 id="lobby-open">{words.lobby_open()}</h2>
                <ul class="lobby-list">
                    <For each=move || challenges.get() key=|challenge| challenge.id let:challenge>
                        {row(challenge)}
                    </For>
                </ul>
                <Show when=move || lobby.with(Option::is_some) && challenges.with(Vec::is_empty)>
                    <p class="field-about">{words.lobby_empty()}</p>
                </Show>
                <OwnChallenge on_made=Callback::new(made)/>
            </section>
        </div>
    }
}

/// The form for a challenge that everybody sees; its fields are made when it is opened.
#[component]
fn OwnChallenge(on_made: Callback<NewChallenge>) -> impl IntoView {
    let words = use_words();
    let wanted = RwSignal::new(false);
    let shut = NodeRef::<leptos::html::Details>::new();
    let fields = move || {
        let form = OfferForm::new();
        let problem = RwSignal::new("");
        let make = move |event: leptos::ev::SubmitEvent| {
            event.prevent_default();
            match untrack(|| form.challenge(true)) {
                Some(challenge) => {
                    problem.set("");
                    untrack(|| form.offer()).remember();
                    on_made.run(challenge);
                    if let Some(details) = shut.get_untracked() {
                        details.set_open(false);
                    }
                }
                None => problem.set(words.challenge_form_impossible()),
            }
        };
        view! {
            <form class="lobby-form" data-form="open-challenge" on:submit=make>
                <OfferFields form/>
                <p class="field-problem" role="status">{move || problem.get()}</p>
                <button type="submit" class="button primary" data-action="make-challenge">{words.lobby_post_challenge()}</button>
            </form>
        }
    };
    view! {
        <details class="lobby-own card" node_ref=shut on:toggle=move |_| wanted.set(true)>
            <summary>{words.lobby_create_challenge()}</summary>
            {move || wanted.get().then(fields)}
        </details>
    }
}
