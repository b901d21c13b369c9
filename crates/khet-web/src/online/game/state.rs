//! The state of a page with an online game, and every change to it.

use khet::{Color, GamePosition};
use khet_protocol::{
    Action, ApiError, ClientMessage, Event, EventKind, GameId, GameJoined, ServerMessage,
    Subscription,
};
use leptos::prelude::*;

use super::client_game::{ClientGame, GameChange};
use crate::api::error_message;
use crate::board::{LONGEST_SHOT, Scene};
use crate::browser::random::random_u32;
use crate::game::session::{GameSession, Mode};
use crate::game_ui::move_navigation::MoveNavigation;
use crate::languages::Words;
use crate::online::socket::LiveConnection;
use crate::routing::{Navigation, Page};
use crate::rules::{Move, classic};
use crate::settings::use_settings;
use crate::state_handle::StateHandle;

/// The dialogs, of which at most one is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OnlineGameDialog {
    Resign,
    Abort,
    Draw,
    More,
}

/// Returns the local time, in milliseconds since 1970.
pub(super) fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// The state of a page with an online game.
pub(super) type OnlineGame = StateHandle<OnlineGameSignals>;

/// The signals and stored values of a page with an online game.
pub(super) struct OnlineGameSignals {
    pub(super) id: GameId,
    pub(super) words: Words,
    navigation: Navigation,
    /// The game, or `None` until the server has answered.
    pub(super) client: RwSignal<Option<ClientGame>>,
    /// The game on the board.
    pub(super) session: RwSignal<GameSession>,
    /// The game as shown around the board. It follows `session` only after the shot animation,
    /// so that the text does not give away what the shot will do.
    pub(super) revealed: RwSignal<GameSession>,
    /// The connection to the server is open.
    pub(super) connected: RwSignal<bool>,
    connection: StoredValue<Option<StoredValue<LiveConnection, LocalStorage>>, LocalStorage>,
    /// The reason why the game cannot be shown.
    pub(super) load_error: RwSignal<Option<String>>,
    pub(super) message: RwSignal<String>,
    pub(super) now: RwSignal<u64>,
    shooting: RwSignal<bool>,
    pub(super) flipped: RwSignal<bool>,
    pub(super) dialog: RwSignal<Option<OnlineGameDialog>>,
    pub(super) chat_open: RwSignal<bool>,
    /// Number of the last chat message that was seen.
    pub(super) last_seen_message: RwSignal<u32>,
}

impl OnlineGame {
    /// Opens a game and the connection to the server.
    pub(super) fn new(id: GameId, words: Words, navigation: Navigation) -> OnlineGame {
        let empty =
            GameSession::new(classic(), Mode::Online { you: None }, khet::TimeControl::Unlimited);
        let game = StateHandle::allocate(OnlineGameSignals {
            id,
            words,
            navigation,
            client: RwSignal::new(None),
            session: RwSignal::new(empty.clone()),
            revealed: RwSignal::new(empty),
            connected: RwSignal::new(false),
            connection: StoredValue::new_local(None),
            load_error: RwSignal::new(None),
            message: RwSignal::new(String::new()),
            now: RwSignal::new(now()),
            shooting: RwSignal::new(false),
            flipped: RwSignal::new(false),
            dialog: RwSignal::new(None),
            chat_open: RwSignal::new(false),
            last_seen_message: RwSignal::new(0),
        });
        let connection = LiveConnection::open(
            game.connected,
            move || game.subscribe(),
            move |message| game.handle_message(message),
        );
        game.connection.set_value(Some(connection));
        game
    }

    /// Returns whether the server could not be reached at the last attempt.
    pub(super) fn is_unreachable(self) -> bool {
        let connection = self.connection.get_value();
        let unreachable = connection
            .and_then(|connection| connection.try_with_value(LiveConnection::unreachable));
        unreachable.is_some_and(|unreachable| unreachable.get())
    }

    /// Connects to the server at once.
    pub(super) fn reconnect(self) {
        if let Some(connection) = self.connection.get_value() {
            connection.try_with_value(LiveConnection::reconnect);
        }
    }

    /// Returns whether the server has sent the game.
    pub(super) fn is_loaded(self) -> Memo<bool> {
        Memo::new(move |_| self.client.with(Option::is_some))
    }

    /// Returns the message that subscribes to the events that are missing.
    fn subscribe(self) -> ClientMessage {
        let seen = self.client.try_with_untracked(|client| {
            client.as_ref().map(|client| client.state.last_event_number())
        });
        ClientMessage::Subscribe(Subscription::Game {
            id: self.id,
            seen: seen.flatten().unwrap_or(0),
        })
    }

    /// Subscribes again some time after this error.
    fn subscribe_later(self, error: &ApiError) {
        if let Some(connection) = self.connection.get_value() {
            connection.try_with_value(|connection| connection.subscribe_later(error));
        }
    }

    /// Requests all events again.
    fn reload(self) {
        self.send(&ClientMessage::Subscribe(Subscription::Game { id: self.id, seen: 0 }));
    }

    /// Sends a message if connected, and returns whether it was sent.
    fn send(self, message: &ClientMessage) -> bool {
        let connection = self.connection.get_value();
        let sent = connection.and_then(|connection| {
            connection.try_with_value(|connection| {
                let sent = connection.send(message);
                connection.expect_answer();
                sent
            })
        });
        sent == Some(true)
    }

    fn handle_message(self, message: ServerMessage) {
        if self.client.is_disposed() {
            return;
        }
        match message {
            ServerMessage::GameJoined(joined) => self.handle_joined(&joined),
            ServerMessage::Event(event) => self.handle_event(&event),
            ServerMessage::Presence(presence) => self.client.update(|client| {
                if let Some(client) = client {
                    client.presence = presence;
                }
            }),
            ServerMessage::Refused { key: 0, error }
                if self.client.with_untracked(Option::is_none) =>
            {
                self.load_error.set(Some(error_message(&error, self.words)));
            }
            ServerMessage::Refused { key, error } => {
                // A rejected move is removed from the board. One that the server could not handle stays
                // and is sent again after the next subscription.
                let is_kept = self.client.try_update(|client| {
                    client.as_mut().is_some_and(|client| client.refuse_move(key, &error))
                });
                if is_kept == Some(true) {
                    self.subscribe_later(&error);
                }
                self.message.set(error_message(&error, self.words));
            }
            _ => {}
        }
    }

    /// Handles the state of the game after subscribing or reconnecting.
    fn handle_joined(self, joined: &GameJoined) {
        let resumed = self.client.try_update(|client| {
            let client = client.as_mut()?;
            if joined.after != client.state.last_event_number() || joined.you != client.you {
                return None;
            }
            self.session.try_update(|session| client.resume(joined, session, now()).ok()).flatten()
        });
        match resumed.flatten() {
            Some(change) => self.update_after(change),
            None if joined.after != 0 => return self.reload(),
            None => match ClientGame::new(joined, now()) {
                Ok((mut client, session)) => {
                    client.unconfirmed = self
                        .client
                        .with_untracked(|old| old.as_ref().and_then(|old| old.unconfirmed))
                        .filter(|unconfirmed| !client.is_confirmed(*unconfirmed));
                    self.client.set(Some(client));
                    self.shooting.set(false);
                    self.session.set(session);
                    self.update_after(GameChange::Other);
                }
                Err(_) => {
                    return self.load_error.set(Some(self.words.online_outdated_page().to_owned()));
                }
            },
        }
        self.message.set(String::new());
        // The unconfirmed move may have been lost with the connection, so it is sent again.
        let unconfirmed = self
            .client
            .with_untracked(|client| client.as_ref().and_then(|client| client.unconfirmed));
        if let Some(unconfirmed) = unconfirmed {
            self.send(&unconfirmed.message());
        }
    }

    fn handle_event(self, event: &Event) {
        let change = self.client.try_update(|client| {
            let client = client.as_mut()?;
            self.session.try_update(|session| client.apply(event, session).ok()).flatten()
        });
        let Some(change) = change.flatten() else { return self.reload() };
        if change == GameChange::None {
            return;
        }
        self.update_after(change);
        match event.kind {
            EventKind::Ended(_) => self.dialog.set(None),
            EventKind::Rematched { game } if self.you().is_some() => {
                self.navigation.go_to(Page::Game, game.as_str());
            }
            EventKind::TimeAdded { by, time } => {
                let seconds = usize::try_from(time / 1000).unwrap_or(usize::MAX);
                let text = match Some(by) == self.you() {
                    true => self.words.game_time_given(seconds),
                    false => self.words.game_time_got(seconds),
                };
                self.message.set(text);
            }
            EventKind::DrawDeclined { by } if Some(by) != self.you() => {
                self.message.set(self.words.game_draw_declined().to_owned());
            }
            EventKind::TakebackDeclined { by } if Some(by) != self.you() => {
                self.message.set(self.words.game_takeback_declined().to_owned());
            }
            EventKind::RematchDeclined { by } if Some(by) != self.you() => {
                self.message.set(self.words.game_rematch_declined().to_owned());
            }
            EventKind::Move { .. } => self.message.set(String::new()),
            _ => {}
        }
    }

    /// Updates the page after a change of the game.
    fn update_after(self, change: GameChange) {
        self.now.set(now());
        if change == GameChange::Move {
            self.shooting.set(true);
            let plies = self.plies();
            // The board of a hidden page may never report the end of the animation.
            set_timeout(
                move || {
                    if !self.session.is_disposed() && self.plies() == plies {
                        self.shot_shown();
                    }
                },
                LONGEST_SHOT,
            );
        } else if !self.shooting.get_untracked() {
            self.revealed.set(self.session.get_untracked());
        }
    }

    /// Returns the number of plies played, without tracking it.
    fn plies(self) -> usize {
        self.session.with_untracked(|session| session.game().moves().len())
    }

    /// Handles the end of the shot animation.
    pub(super) fn shot_shown(self) {
        if self.shooting.try_get_untracked() == Some(true) {
            self.shooting.set(false);
            self.revealed.set(self.session.get_untracked());
        }
    }

    /// Sends a move. Its piece moves on the board at once; the shot waits for the confirmation.
    pub(super) fn play(self, mv: Move) {
        self.dialog.set(None);
        let unconfirmed =
            self.client.try_update(|client| client.as_mut()?.make_move(mv, random_u32())).flatten();
        if let Some(unconfirmed) = unconfirmed {
            self.message.set(String::new());
            self.send(&unconfirmed.message());
        }
    }

    /// Sends an action other than a move.
    pub(super) fn send_action(self, action: Action) {
        self.dialog.set(None);
        if !self.send(&ClientMessage::Action { key: random_u32().max(1), action }) {
            self.message.set(self.words.online_unreachable().to_owned());
        }
    }

    /// Shows the position after `ply` moves.
    pub(super) fn show_ply(self, ply: usize) {
        self.session.update(|session| session.view_ply(ply));
        if !self.shooting.get_untracked() {
            self.revealed.set(self.session.get_untracked());
        }
    }

    /// Returns the navigation through the moves.
    pub(super) fn move_navigation(self) -> MoveNavigation {
        let show_ply = Callback::new(move |ply| self.show_ply(ply));
        MoveNavigation { session: self.session, revealed: self.revealed, show_ply }
    }

    /// Returns the side of this player, or `None` for spectators.
    pub(super) fn you(self) -> Option<Color> {
        self.client.with_untracked(|client| client.as_ref().and_then(|client| client.you))
    }

    /// Returns whether the person at this device plays, rather than watches.
    pub(super) fn is_player(self) -> bool {
        self.with_client(|client| client.you.is_some()) == Some(true)
    }

    /// Reads from the game, if it is loaded.
    pub(super) fn with_client<T>(self, read: impl FnOnce(&ClientGame) -> T) -> Option<T> {
        self.client.with(|client| client.as_ref().map(read))
    }

    /// Returns the side at the bottom of the board.
    pub(super) fn bottom(self) -> Color {
        let default_bottom =
            self.with_client(|client| client.you).flatten().unwrap_or(Color::Silver);
        if self.flipped.get() { !default_bottom } else { default_bottom }
    }

    /// Flips the board.
    pub(super) fn flip(self) {
        self.flipped.update(|flipped| *flipped = !*flipped);
    }

    /// Returns whether the player confirms the moves of this game.
    pub(super) fn confirms_moves(self) -> Signal<bool> {
        let settings = use_settings();
        Signal::derive(move || {
            let correspondence =
                self.with_client(|client| client.state.options().time.is_correspondence());
            settings.confirms_moves(correspondence == Some(true))
        })
    }

    /// Returns the scene on the board.
    pub(super) fn scene(self) -> Scene {
        let bottom = self.bottom();
        let unconfirmed = self.with_client(|client| client.unconfirmed).flatten();
        self.session.with(|session| {
            let mut scene = session.scene(bottom, None);
            if let Some(unconfirmed) = unconfirmed.filter(|_| session.is_at_latest()) {
                scene.position = scene.position.before_shot(unconfirmed.mv);
                scene.last = Some(unconfirmed.mv);
                scene.moves = Vec::new();
            }
            scene
        })
    }

    /// Updates the clock display, if the game has clocks or a claim is pending.
    pub(super) fn tick(self) {
        let shows_time = self.client.with_untracked(|client| {
            client.as_ref().is_some_and(|client| {
                client.state.outcome().is_none()
                    && (client.state.clock().is_some() || client.presence.claim_at.is_some())
            })
        });
        if shows_time {
            self.now.set(now());
        }
    }
}
