//! The state of the lobby page: the connection, the user's seek, and requests to the server.

use std::time::Duration;

use khet::{Rules, Setup, TimeControl};
use khet_protocol::{
    Challenge, ChallengeId, ChallengeResponse, ClientMessage, ColorPreference, GameId, GameOptions,
    GameSummary, LobbyResponse, NewChallenge, PairedResponse, PersonId, PersonKind, PublicProfile,
    ServerMessage, Start, Subscription,
};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::entry::{BotOffer, Entry, casual};
use crate::api::me;
use crate::api::{self, NO_BODY, RequestError, error_message};
use crate::browser::{random::random_u32, time::now};
use crate::game_ui::profile_name::display_name;
use crate::languages::Words;
use crate::online::socket::LiveConnection;
use crate::routing::{Navigation, Page};
use crate::state_handle::StateHandle;

/// Interval of the page's timer.
const TICK_INTERVAL: Duration = Duration::from_secs(1);
/// Time without a connection after which the page says so; shorter losses repair themselves.
const UNREACHABLE_AFTER: Duration = Duration::from_secs(2);
/// Time for which a bot may think about a challenge.
const BOT_TIMEOUT: Duration = Duration::from_secs(10);

/// Returns the seek of a quick pairing.
pub(super) fn quick_pairing(time: TimeControl, rated: bool) -> NewChallenge {
    let options = GameOptions {
        start: Start::Setup(Setup::Classic.into()),
        rules: Rules::Standard,
        time,
        rated,
        private: false,
    };
    NewChallenge { options, color: ColorPreference::Random, open: false, to: None }
}

/// The game that the user seeks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OwnSeek {
    pub(super) challenge: NewChallenge,
    /// When the user began to wait.
    since: Duration,
}

/// A bot that was challenged instead of waiting on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ChallengedBot {
    name: String,
    since: Duration,
    /// The challenge, once it is posted.
    challenge: Option<ChallengeId>,
}

/// The state of the lobby page.
pub(super) type LobbyState = StateHandle<LobbySignals>;

/// The signals and stored values of the lobby page.
pub(super) struct LobbySignals {
    pub(super) words: Words,
    navigation: Navigation,
    /// The last state that the server sent.
    pub(super) response: RwSignal<Option<LobbyResponse>>,
    pub(super) message: RwSignal<String>,
    pub(super) connected: RwSignal<bool>,
    /// The server has not answered for a while.
    pub(super) unreachable: RwSignal<bool>,
    /// The last time when there was a connection.
    connected_at: StoredValue<Duration>,
    connection: StoredValue<Option<StoredValue<LiveConnection, LocalStorage>>, LocalStorage>,
    /// The signed-in account or guest.
    pub(super) me: RwSignal<Option<(PersonId, PersonKind)>>,
    /// A request for a guest session is in progress.
    entering: StoredValue<bool>,
    /// The unfinished games of this person.
    pub(super) my_games: RwSignal<Vec<GameSummary>>,
    /// Quick pairings are for rated games.
    pub(super) rated: RwSignal<bool>,
    pub(super) seek: RwSignal<Option<OwnSeek>>,
    /// How long the user has waited.
    pub(super) waited: RwSignal<Duration>,
    /// The seek was sent on the current connection. The server drops it when the connection closes.
    seek_sent: StoredValue<bool>,
    challenged_bot: RwSignal<Option<ChallengedBot>>,
    /// A game was opened. Its start is announced twice to the player who accepts.
    left: StoredValue<bool>,
}

impl LobbyState {
    pub(super) fn new(words: Words, navigation: Navigation) -> LobbyState {
        let lobby = StateHandle::allocate(LobbySignals {
            words,
            navigation,
            response: RwSignal::new(None),
            message: RwSignal::new(String::new()),
            connected: RwSignal::new(false),
            unreachable: RwSignal::new(false),
            connected_at: StoredValue::new(now()),
            connection: StoredValue::new_local(None),
            me: RwSignal::new(None),
            entering: StoredValue::new(false),
            my_games: RwSignal::new(Vec::new()),
            rated: RwSignal::new(false),
            seek: RwSignal::new(None),
            waited: RwSignal::new(Duration::ZERO),
            seek_sent: StoredValue::new(false),
            challenged_bot: RwSignal::new(None),
            left: StoredValue::new(false),
        });
        let subscribe = move || {
            lobby.seek_sent.try_set_value(false);
            ClientMessage::Subscribe(Subscription::Lobby)
        };
        let connection = LiveConnection::open(lobby.connected, subscribe, move |message| {
            lobby.handle_message(message);
        });
        lobby.connection.set_value(Some(connection));
        let timer = set_interval_with_handle(move || lobby.tick(), TICK_INTERVAL);
        on_cleanup(move || {
            if let Ok(timer) = timer {
                timer.clear();
            }
        });
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

    /// Updates what depends on the time.
    fn tick(self) {
        let now = now();
        if self.connected.get_untracked() {
            self.connected_at.set_value(now);
        }
        let silent = now.saturating_sub(self.connected_at.get_value());
        let unreachable = silent >= UNREACHABLE_AFTER;
        if self.unreachable.get_untracked() != unreachable {
            self.unreachable.set(unreachable);
        }
        if let Some(since) = self.seek.with_untracked(|seek| seek.as_ref().map(|seek| seek.since)) {
            self.waited.set(now.saturating_sub(since));
        }
        let is_late = |bot: &ChallengedBot| now.saturating_sub(bot.since) >= BOT_TIMEOUT;
        if self.challenged_bot.with_untracked(|bot| bot.as_ref().is_some_and(is_late)) {
            self.resume_after_bot();
        }
    }

    /// Calls `act` with the connection, if there is one.
    fn with_connection(self, act: &dyn Fn(&LiveConnection)) {
        if let Some(connection) = self.connection.get_value() {
            connection.try_with_value(act);
        }
    }

    /// Connects at once instead of after the usual delay.
    pub(super) fn reconnect(self) {
        self.with_connection(&LiveConnection::reconnect);
    }

    fn handle_message(self, message: ServerMessage) {
        match message {
            ServerMessage::Lobby(response) => {
                let _ = self.response.try_set(Some(response));
                let _ = self.unreachable.try_set(false);
                if self.seek.with_untracked(Option::is_some) {
                    spawn_local(self.send_seek());
                }
            }
            ServerMessage::LobbyCounts(counts) => {
                let _ = self.response.try_update(|response| {
                    if let Some(response) = response {
                        response.counts = counts;
                    }
                });
            }
            ServerMessage::Paired { game } => self.open_game(game),
            ServerMessage::ChallengeDeclined { challenge } => {
                let bot = self.challenged_bot.get_untracked();
                if bot.is_some_and(|bot| bot.challenge == Some(challenge)) {
                    self.resume_after_bot();
                }
            }
            ServerMessage::Refused { error, .. } => {
                let _ = self.seek.try_set(None);
                let _ = self.message.try_set(error_message(&error, self.words));
            }
            _ => {}
        }
    }

    /// Opens a game that has started.
    fn open_game(self, game: GameId) {
        if self.left.try_update_value(|left| std::mem::replace(left, true)) == Some(false) {
            self.navigation.go_to(Page::Game, game.as_str());
        }
    }

    /// Shows why a request failed.
    fn show_error(self, error: &RequestError) {
        let _ = self.message.try_set(error.message(self.words));
    }

    /// Signs up as a guest if the person is not signed in. Returns whether the person has a session
    /// on the current socket.
    ///
    /// The server reads the session when a socket is opened, so the socket is opened again; the
    /// answer to its subscription continues what needs the session. If the server can't be reached,
    /// that happens after the next connection.
    async fn become_guest(self) -> bool {
        if self.me.try_get_untracked().flatten().is_some() {
            return true;
        }
        if self.entering.try_update_value(|entering| std::mem::replace(entering, true))
            != Some(false)
        {
            return false;
        }
        let guest = api::send::<PublicProfile>("POST", "/api/guest", NO_BODY).await;
        let _ = self.entering.try_update_value(|entering| *entering = false);
        match guest {
            Ok(guest) => {
                me::remember();
                let _ = self.me.try_set(Some((guest.id, guest.kind)));
                self.with_connection(&LiveConnection::reconnect);
            }
            Err(RequestError::Unreachable) => {}
            Err(error) => {
                let _ = self.seek.try_set(None);
                self.show_error(&error);
            }
        }
        false
    }

    /// Sends the seek, unless there is none, it was sent on this connection, or a bot was asked
    /// instead.
    async fn send_seek(self) {
        if !self.become_guest().await || self.connected.try_get_untracked() != Some(true) {
            return;
        }
        let Some(seek) = self.seek.try_get_untracked().flatten() else { return };
        if self.seek_sent.get_value() || self.challenged_bot.with_untracked(Option::is_some) {
            return;
        }
        let challenge = Box::new(seek.challenge);
        let message = ClientMessage::Seek { key: random_u32().max(1), challenge };
        self.with_connection(&|connection| self.seek_sent.set_value(connection.send(&message)));
    }

    /// Ends the seek on the server.
    fn unseek(self) {
        if self.seek_sent.get_value() {
            self.with_connection(&|connection| {
                connection.send(&ClientMessage::Unseek);
            });
        }
        self.seek_sent.set_value(false);
    }

    /// Seeks this game instead of the last one, or cancels the seek if it is for the same game.
    pub(super) fn toggle_seek(self, challenge: NewChallenge) {
        let same = self.is_seeking(&challenge);
        self.cancel_seek();
        if !same {
            self.waited.set(Duration::ZERO);
            self.start_seek(OwnSeek { challenge, since: now() });
        }
    }

    fn start_seek(self, seek: OwnSeek) {
        self.seek.set(Some(seek));
        spawn_local(self.send_seek());
    }

    /// Returns whether the user seeks this game.
    pub(super) fn is_seeking(self, challenge: &NewChallenge) -> bool {
        self.seek.with(|seek| seek.as_ref().is_some_and(|seek| seek.challenge == *challenge))
    }

    /// Cancels the seek, and the challenge to a bot.
    pub(super) fn cancel_seek(self) {
        self.message.set(String::new());
        self.unseek();
        self.seek.set(None);
        self.withdraw_from_bot();
    }

    /// Changes whether quick pairings are rated. A seek goes on with the new value.
    pub(super) fn set_rated(self, rated: bool) {
        self.rated.set(rated);
        if let Some(mut seek) = self.seek.get_untracked() {
            self.cancel_seek();
            seek.challenge.options.rated = rated;
            self.start_seek(seek);
        }
    }

    /// Plays the author of a seek or a challenge.
    pub(super) fn accept(self, entry: &Entry) {
        self.message.set(String::new());
        let path = entry.accept_path();
        let is_seek = matches!(entry, Entry::Seek(_));
        spawn_local(async move {
            let game = if is_seek {
                let paired = api::send::<PairedResponse>("POST", &path, NO_BODY).await;
                paired.map(|paired| Some(paired.game))
            } else {
                let accepted = api::send::<ChallengeResponse>("POST", &path, NO_BODY).await;
                accepted.map(|accepted| accepted.game)
            };
            match game {
                Ok(Some(game)) => {
                    me::remember();
                    self.open_game(game);
                }
                Ok(None) => {}
                Err(error) => self.show_error(&error),
            }
        });
    }

    /// Withdraws the user's own challenge.
    pub(super) fn withdraw(self, challenge: &Challenge) {
        let path = format!("/api/challenges/{}", challenge.id);
        spawn_local(async move {
            if let Err(error) = api::send_for_text("DELETE", &path, NO_BODY).await {
                self.show_error(&error);
            }
        });
    }

    /// Creates an open challenge.
    pub(super) fn create_challenge(self, challenge: NewChallenge) {
        self.message.set(String::new());
        spawn_local(async move {
            self.become_guest().await;
            let sent = api::send::<ChallengeResponse>("POST", "/api/challenges", Some(&challenge));
            if let Err(error) = sent.await {
                self.show_error(&error);
            }
        });
    }

    /// Plays a bot instead of waiting on.
    pub(super) fn play_bot(self, offer: BotOffer) {
        match offer {
            BotOffer::Posted(challenge) => self.accept(&Entry::Challenge(challenge)),
            BotOffer::Waiting(profile) => self.challenge_bot(&profile),
        }
    }

    /// Challenges a bot to the casual game of the seek, which pauses until the bot has answered.
    fn challenge_bot(self, bot: &PublicProfile) {
        let Some(seek) = self.seek.get_untracked() else { return };
        self.message.set(String::new());
        self.unseek();
        let name = display_name(bot, self.words);
        self.challenged_bot.set(Some(ChallengedBot { name, since: now(), challenge: None }));
        let challenge = NewChallenge { to: bot.name.clone(), ..casual(&seek.challenge) };
        spawn_local(async move {
            let sent = api::send::<ChallengeResponse>("POST", "/api/challenges", Some(&challenge));
            match sent.await {
                Ok(response) => {
                    let id = response.challenge.id;
                    let waiting = self.challenged_bot.try_update(|bot| {
                        let bot = bot.as_mut()?;
                        bot.challenge = Some(id);
                        Some(())
                    });
                    if waiting.flatten().is_none() {
                        withdraw_later(id);
                    }
                }
                Err(error) => {
                    let _ = self.challenged_bot.try_set(None);
                    self.show_error(&error);
                    self.send_seek().await;
                }
            }
        });
    }

    /// Returns the name of the bot that was challenged.
    pub(super) fn challenged_bot_name(self) -> Option<String> {
        self.challenged_bot.with(|bot| bot.as_ref().map(|bot| bot.name.clone()))
    }

    /// Withdraws the challenge to a bot.
    fn withdraw_from_bot(self) {
        let bot = self.challenged_bot.try_update(Option::take).flatten();
        if let Some(challenge) = bot.and_then(|bot| bot.challenge) {
            withdraw_later(challenge);
        }
    }

    /// Waits for people again after a bot has declined or not answered.
    fn resume_after_bot(self) {
        if let Some(name) = self.challenged_bot_name() {
            self.message.set(self.words.lobby_bot_declined(&name));
        }
        self.withdraw_from_bot();
        spawn_local(self.send_seek());
    }
}

/// Withdraws a challenge. An error means that it is gone already.
fn withdraw_later(challenge: ChallengeId) {
    spawn_local(async move {
        let path = format!("/api/challenges/{challenge}");
        let _ = api::send_for_text("DELETE", &path, NO_BODY).await;
    });
}
