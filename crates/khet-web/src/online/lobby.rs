//! The lobby: quick pairing, open challenges, and the form for the user's own open challenge.

use khet::{Rules, Setup, TimeControl};
use khet_protocol::{
    Challenge, ChallengeResponse, ClientMessage, ColorPreference, GameOptions, GameSummary,
    LobbyResponse, NewChallenge, PersonId, PersonKind, PublicProfile, ServerMessage, Speed, Start,
    Subscription,
};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::challenge_form::{ChallengeFields, ChallengeForm};
use super::formatting::{options_line, time_name};
use super::game_card::GameCard;
use super::nav::OnlineNav;
use super::socket::LiveConnection;
use crate::api::me;
use crate::api::{self, NO_BODY, error_message};
use crate::browser::random::random_u32;
use crate::game_ui::names::speed_name;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::{Words, use_words};
use crate::routing::{Navigation, Page, use_navigation};

/// Returns the seek of a quick pairing.
fn quick_pairing(time: TimeControl, rated: bool) -> NewChallenge {
    let options =
        GameOptions { start: Start::Setup(Setup::Classic), rules: Rules::Standard, time, rated };
    NewChallenge { options, color: ColorPreference::Random, open: false, to: None }
}

/// The state of the lobby page.
#[derive(Clone, Copy)]
struct LobbyState {
    words: Words,
    navigation: Navigation,
    /// The last state that the server sent.
    response: RwSignal<Option<LobbyResponse>>,
    message: RwSignal<String>,
    connected: RwSignal<bool>,
    connection: StoredValue<Option<StoredValue<LiveConnection, LocalStorage>>, LocalStorage>,
    /// The signed-in account or guest.
    me: RwSignal<Option<(PersonId, PersonKind)>>,
    /// The unfinished games of this person.
    my_games: RwSignal<Vec<GameSummary>>,
    /// Quick pairings are for rated games.
    rated: RwSignal<bool>,
    seek: RwSignal<Option<NewChallenge>>,
    /// The seek was sent on the current connection. The server drops it when the connection closes.
    seek_sent: StoredValue<bool>,
}

impl LobbyState {
    fn new(words: Words, navigation: Navigation) -> LobbyState {
        let lobby = LobbyState {
            words,
            navigation,
            response: RwSignal::new(None),
            message: RwSignal::new(String::new()),
            connected: RwSignal::new(false),
            connection: StoredValue::new_local(None),
            me: RwSignal::new(None),
            my_games: RwSignal::new(Vec::new()),
            rated: RwSignal::new(false),
            seek: RwSignal::new(None),
            seek_sent: StoredValue::new(false),
        };
        let subscribe = move || {
            lobby.seek_sent.try_set_value(false);
            ClientMessage::Subscribe(Subscription::Lobby)
        };
        let connection = LiveConnection::open(lobby.connected, subscribe, move |message| {
            lobby.handle_message(message);
        });
        lobby.connection.set_value(Some(connection));
        spawn_local(lobby.load_me());
        lobby
    }

    /// Loads the signed-in person and the person's unfinished games, such as correspondence games.
    async fn load_me(self) {
        if let Some(me) = me::fetch().await {
            let _ = self.me.try_set(Some((me.id, me.kind)));
            let _ = self.rated.try_set(me.kind == PersonKind::Account);
            if let Ok(games) = api::get::<Vec<GameSummary>>("/api/me/games").await {
                let _ = self.my_games.try_set(games);
            }
        }
    }

    /// Calls `act` with the connection, if there is one.
    fn with_connection(self, act: &dyn Fn(&LiveConnection)) {
        if let Some(connection) = self.connection.get_value() {
            connection.try_with_value(act);
        }
    }

    fn handle_message(self, message: ServerMessage) {
        match message {
            ServerMessage::Lobby(response) => {
                let _ = self.response.try_set(Some(response));
                self.send_seek();
            }
            ServerMessage::Paired { game } => self.navigation.go_to(Page::Game, game.as_str()),
            ServerMessage::Refused { error, .. } => {
                let _ = self.seek.try_set(None);
                let _ = self.message.try_set(error_message(&error, self.words));
            }
            _ => {}
        }
    }

    /// Sends the seek, unless there is none or it was sent on this connection.
    fn send_seek(self) {
        let Some(challenge) = self.seek.get_untracked() else { return };
        if !self.seek_sent.get_value() {
            let message =
                ClientMessage::Seek { key: random_u32().max(1), challenge: Box::new(challenge) };
            self.with_connection(&|connection| self.seek_sent.set_value(connection.send(&message)));
        }
    }

    /// Signs up as a guest if the person is not signed in. The server reads the session when a
    /// socket is opened, so the socket is opened again.
    async fn become_guest(self) {
        if self.me.try_get_untracked().flatten().is_some() {
            return;
        }
        match api::send::<PublicProfile>("POST", "/api/guest", NO_BODY).await {
            Ok(guest) => {
                me::remember();
                let _ = self.me.try_set(Some((guest.id, guest.kind)));
                self.with_connection(&LiveConnection::reconnect);
            }
            Err(error) => {
                let _ = self.seek.try_set(None);
                let _ = self.message.try_set(error.message(self.words));
            }
        }
    }

    /// Seeks this game instead of the last one, or cancels the seek if it is for the same game.
    fn toggle_seek(self, challenge: NewChallenge) {
        self.message.set(String::new());
        let same = self.seek.with_untracked(|seek| seek.as_ref() == Some(&challenge));
        if self.seek.with_untracked(Option::is_some) {
            self.with_connection(&|connection| {
                connection.send(&ClientMessage::Unseek);
            });
        }
        self.seek_sent.set_value(false);
        self.seek.set((!same).then_some(challenge));
        spawn_local(async move {
            self.become_guest().await;
            if self.connected.try_get_untracked() == Some(true) {
                self.send_seek();
            }
        });
    }

    /// Changes whether quick pairings are rated. Cancels the seek, which has the old value.
    fn set_rated(self, rated: bool) {
        if let Some(challenge) = self.seek.get_untracked() {
            self.toggle_seek(challenge);
        }
        self.rated.set(rated);
    }

    /// Accepts a challenge and opens its game.
    fn accept(self, challenge: &Challenge) {
        let path = format!("/api/challenges/{}/accept", challenge.id);
        spawn_local(async move {
            match api::send::<ChallengeResponse>("POST", &path, NO_BODY).await {
                Ok(ChallengeResponse { game: Some(game), .. }) => {
                    me::remember();
                    self.navigation.go_to(Page::Game, game.as_str());
                }
                Ok(_) => {}
                Err(error) => drop(self.message.try_set(error.message(self.words))),
            }
        });
    }

    /// Withdraws the user's own challenge.
    fn withdraw(self, challenge: &Challenge) {
        let path = format!("/api/challenges/{}", challenge.id);
        spawn_local(async move {
            if let Err(error) = api::send_for_text("DELETE", &path, NO_BODY).await {
                let _ = self.message.try_set(error.message(self.words));
            }
        });
    }

    /// Creates an open challenge.
    fn create_challenge(self, challenge: NewChallenge) {
        spawn_local(async move {
            self.become_guest().await;
            let sent = api::send::<ChallengeResponse>("POST", "/api/challenges", Some(&challenge));
            if let Err(error) = sent.await {
                let _ = self.message.try_set(error.message(self.words));
            }
        });
    }
}

/// The lobby page.
#[component]
pub(super) fn LobbyPage() -> impl IntoView {
    let words = use_words();
    let lobby = LobbyState::new(words, use_navigation());
    let counts = move || {
        lobby.response.with(|response| {
            let response = response.as_ref()?;
            Some(words.lobby_counts(response.people as usize, response.games as usize))
        })
    };
    let my_games = move || {
        lobby.my_games.get().into_iter().map(|game| view! { <GameCard game/> }).collect_view()
    };
    view! {
        <div class="page lobby" data-connected=move || lobby.connected.get().to_string()>
            <OnlineNav/>
            <h1>{words.lobby_title()}</h1>
            <p class="field-about">{counts}</p>
            <Show when=move || !lobby.my_games.with(Vec::is_empty)>
                <section aria-labelledby="lobby-mine">
                    <h2 id="lobby-mine">{words.lobby_my_games()}</h2>
                    <ul class="listed-games">{my_games}</ul>
                </section>
            </Show>
            <QuickPairing lobby/>
            <OpenChallenges lobby/>
        </div>
    }
}

/// The buttons that seek a game with a common time control.
#[component]
fn QuickPairing(lobby: LobbyState) -> impl IntoView {
    let words = lobby.words;
    let pairings = move || {
        let rated = lobby.rated.get();
        let pairing = |time| view! { <PairingButton lobby challenge=quick_pairing(time, rated)/> };
        TimeControl::PRESETS.map(pairing).into_iter().collect_view()
    };
    let has_account = move || matches!(lobby.me.get(), Some((_, PersonKind::Account)));
    let status = move || {
        lobby.seek.with(Option::is_some).then(|| {
            view! {
                <p class="lobby-waits">
                    <span class="pulse" aria-hidden="true"></span>
                    {words.lobby_seeking()}
                </p>
            }
        })
    };
    view! {
        <section aria-labelledby="lobby-quick">
            <h2 id="lobby-quick">{words.lobby_quick()}</h2>
            <p class="field-about">{words.lobby_quick_about()}</p>
            <Show when=has_account>
                <label class="switch lobby-rated">
                    <span>{words.online_rated()}</span>
                    <input type="checkbox" role="switch" data-switch="rated"
                        prop:checked=move || lobby.rated.get()
                        on:change=move |event| lobby.set_rated(event_target_checked(&event))/>
                </label>
            </Show>
            <ul class="pairs">{pairings}</ul>
            <div role="status">{status}</div>
            <p class="field-problem" role="status" data-message="">
                {move || lobby.message.get()}
            </p>
        </section>
    }
}

/// The button of a quick pairing, pressed while its seek is active.
#[component]
fn PairingButton(lobby: LobbyState, challenge: NewChallenge) -> impl IntoView {
    let words = lobby.words;
    let time = challenge.options.time;
    let speed = Speed::of(time).map(|speed| speed_name(speed, words));
    let own = challenge.clone();
    let pressed = move || lobby.seek.with(|seek| seek.as_ref() == Some(&own)).to_string();
    view! {
        <li>
            <button type="button" class="pair" data-pair=time.to_string() aria-pressed=pressed
                on:click=move |_| lobby.toggle_seek(challenge.clone())>
                <strong>{time_name(time, words)}</strong>
                <span>{speed}</span>
            </button>
        </li>
    }
}

/// The list of open challenges, and the form for the user's own challenge.
#[component]
fn OpenChallenges(lobby: LobbyState) -> impl IntoView {
    let words = lobby.words;
    let challenges = Memo::new(move |_| {
        let challenges = |response: &LobbyResponse| response.challenges.clone();
        lobby.response.with(|response| response.as_ref().map(challenges)).unwrap_or_default()
    });
    let is_empty = move || lobby.response.with(Option::is_some) && challenges.with(Vec::is_empty);
    view! {
        <section aria-labelledby="lobby-open">
            <h2 id="lobby-open">{words.lobby_open()}</h2>
            <ul class="lobby-list">
                <For each=move || challenges.get() key=|challenge| challenge.id let:challenge>
                    <ChallengeRow lobby challenge/>
                </For>
            </ul>
            <Show when=is_empty>
                <p class="field-about">{words.lobby_empty()}</p>
            </Show>
            <NewOpenChallenge on_post=Callback::new(move |challenge| lobby.create_challenge(challenge))/>
        </section>
    }
}

/// An open challenge, with a button to accept it, or to withdraw the user's own.
#[component]
fn ChallengeRow(lobby: LobbyState, challenge: Challenge) -> impl IntoView {
    let words = lobby.words;
    let color = match challenge.color {
        ColorPreference::Silver => words.challenge_you_red(),
        ColorPreference::Red => words.challenge_you_silver(),
        ColorPreference::Random => "",
    };
    let (id, by) = (challenge.id.to_string(), challenge.by.clone());
    let options = options_line(&challenge.options, words);
    let button = move || {
        let challenge = challenge.clone();
        if lobby.me.get().is_some_and(|(id, _)| id == challenge.by.id) {
            view! {
                <button type="button" class="button" data-action="withdraw"
                    on:click=move |_| lobby.withdraw(&challenge)>{words.challenge_withdraw()}</button>
            }
            .into_any()
        } else {
            view! {
                <button type="button" class="button primary" data-action="accept"
                    on:click=move |_| lobby.accept(&challenge)>{words.challenge_play()}</button>
            }
            .into_any()
        }
    };
    view! {
        <li class="lobby-row" data-challenge=id>
            <span class="lobby-by"><ProfileName profile=by/></span>
            <span class="lobby-terms">{options}</span>
            <span class="lobby-color">{color}</span>
            {button}
        </li>
    }
}

/// The form for an open challenge. Its fields are built when it is opened.
#[component]
fn NewOpenChallenge(on_post: Callback<NewChallenge>) -> impl IntoView {
    let words = use_words();
    let opened = RwSignal::new(false);
    let details = NodeRef::<leptos::html::Details>::new();
    let fields = move || {
        let form = ChallengeForm::new();
        let problem = RwSignal::new("");
        let submit = move |event: leptos::ev::SubmitEvent| {
            event.prevent_default();
            match untrack(|| form.new_challenge(true)) {
                Some(challenge) => {
                    problem.set("");
                    untrack(|| form.options()).save();
                    on_post.run(challenge);
                    if let Some(details) = details.get_untracked() {
                        details.set_open(false);
                    }
                }
                None => problem.set(words.challenge_form_impossible()),
            }
        };
        view! {
            <form class="lobby-form" data-form="open-challenge" on:submit=submit>
                <ChallengeFields form/>
                <p class="field-problem" role="status">{move || problem.get()}</p>
                <button type="submit" class="button primary" data-action="make-challenge">
                    {words.lobby_post_challenge()}
                </button>
            </form>
        }
    };
    view! {
        <details class="lobby-own card" node_ref=details on:toggle=move |_| opened.set(true)>
            <summary>{words.lobby_create_challenge()}</summary>
            {move || opened.get().then(fields)}
        </details>
    }
}
