//! The state of a page with an online game, and every change to it.

use khet::{Color, Move};
use khet_protocol::{
    Action, ClientMessage, Event, EventKind, GameId, GameJoined, ServerMessage, Subscription,
};
use leptos::prelude::*;

use super::live::{Heard, Live};
use crate::api::error_message;
use crate::board::{LONGEST_SHOT, Scene};
use crate::browser::random::random_u32;
use crate::game::session::{Mode, Session};
use crate::game_ui::move_navigation::MoveNavigation;
use crate::languages::Words;
use crate::online::socket::Line;
use crate::routing::{Navigation, Page};

/// The dialogs, of which at most one is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OpenDialog {
    Resign,
    Abort,
    Draw,
    More,
}

/// Our clock, in milliseconds since 1970.
pub(super) fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// The state of the page.
#[derive(Clone, Copy)]
pub(super) struct OnlineGame {
    pub(super) id: GameId,
    pub(super) words: Words,
    navigation: Navigation,
    /// The game; nothing before the server's first answer.
    pub(super) live: RwSignal<Option<Live>>,
    /// The game on the board.
    pub(super) session: RwSignal<Session>,
    /// The game as shown around the board. It follows `session` only after the shot animation,
    /// so that the text does not give away what the shot will do.
    pub(super) revealed: RwSignal<Session>,
    /// The line to the server is open.
    pub(super) open: RwSignal<bool>,
    line: StoredValue<Option<StoredValue<Line, LocalStorage>>, LocalStorage>,
    /// Why there is no game to show.
    pub(super) nothing: RwSignal<Option<String>>,
    pub(super) message: RwSignal<String>,
    pub(super) now: RwSignal<u64>,
    shooting: RwSignal<bool>,
    pub(super) flipped: RwSignal<bool>,
    pub(super) dialog: RwSignal<Option<OpenDialog>>,
    pub(super) result_seen: RwSignal<bool>,
    pub(super) chatting: RwSignal<bool>,
    /// The last said thing that was seen.
    pub(super) chat_seen: RwSignal<u32>,
}

impl OnlineGame {
    /// Opens a game and the connection to the server.
    pub(super) fn new(id: GameId, words: Words, navigation: Navigation) -> OnlineGame {
        let empty = Session::new(
            khet::Setup::Classic.position(),
            Mode::Online { you: None },
            khet::TimeControl::Unlimited,
        );
        let game = OnlineGame {
            id,
            words,
            navigation,
            live: RwSignal::new(None),
            session: RwSignal::new(empty.clone()),
            revealed: RwSignal::new(empty),
            open: RwSignal::new(false),
            line: StoredValue::new_local(None),
            nothing: RwSignal::new(None),
            message: RwSignal::new(String::new()),
            now: RwSignal::new(now()),
            shooting: RwSignal::new(false),
            flipped: RwSignal::new(false),
            dialog: RwSignal::new(None),
            result_seen: RwSignal::new(false),
            chatting: RwSignal::new(false),
            chat_seen: RwSignal::new(0),
        };
        let line = Line::open(game.open, move || game.hello(), move |message| game.hear(message));
        game.line.set_value(Some(line));
        game
    }

    fn hello(self) -> ClientMessage {
        let seen = self.live.try_with_untracked(|live| live.as_ref().map(|live| live.state.last()));
        ClientMessage::Subscribe(Subscription::Game {
            id: self.id,
            seen: seen.flatten().unwrap_or(0),
        })
    }

    /// Asks for everything anew.
    fn start_over(self) {
        self.say(&ClientMessage::Subscribe(Subscription::Game { id: self.id, seen: 0 }));
    }

    fn say(self, message: &ClientMessage) -> bool {
        let line = self.line.get_value();
        let said = line.and_then(|line| {
            line.try_with_value(|line| {
                let said = line.say(message);
                line.expect_answer();
                said
            })
        });
        said == Some(true)
    }

    // --- what the server says

    fn hear(self, message: ServerMessage) {
        if self.live.is_disposed() {
            return;
        }
        match message {
            ServerMessage::GameJoined(welcome) => self.welcome(&welcome),
            ServerMessage::Event(event) => self.event(&event),
            ServerMessage::Presence(presence) => self.live.update(|live| {
                if let Some(live) = live {
                    live.presence = presence;
                }
            }),
            ServerMessage::Refused { key: 0, error }
                if self.live.with_untracked(Option::is_none) =>
            {
                self.nothing.set(Some(error_message(&error, self.words)));
            }
            ServerMessage::Refused { key, error } => {
                // A move that was refused lies on the board no more.
                self.live.update(|live| {
                    if let Some(live) = live {
                        live.pending.take_if(|pending| pending.key == key);
                    }
                });
                self.message.set(error_message(&error, self.words));
            }
            _ => {}
        }
    }

    fn welcome(self, welcome: &GameJoined) {
        let resumed = self.live.try_update(|live| {
            let live = live.as_mut()?;
            if welcome.after != live.state.last() || welcome.you != live.you {
                return None;
            }
            self.session.try_update(|session| live.resume(welcome, session, now()).ok()).flatten()
        });
        match resumed.flatten() {
            Some(heard) => self.follow(heard),
            None if welcome.after != 0 => return self.start_over(),
            None => match Live::begin(welcome, now()) {
                Ok((mut live, session)) => {
                    live.pending = self
                        .live
                        .with_untracked(|old| old.as_ref().and_then(|old| old.pending))
                        .filter(|pending| !live.has_made(*pending));
                    self.result_seen.set(live.state.outcome().is_some());
                    self.live.set(Some(live));
                    self.shooting.set(false);
                    self.session.set(session);
                    self.follow(Heard::Other);
                }
                Err(_) => {
                    return self.nothing.set(Some(self.words.online_outdated_page().to_owned()));
                }
            },
        }
        self.message.set(String::new());
        // What may have been lost on the way goes out again, with its number.
        let pending = self.live.with_untracked(|live| live.as_ref().and_then(|live| live.pending));
        if let Some(pending) = pending {
            self.say(&pending.message());
        }
    }

    fn event(self, event: &Event) {
        let heard = self.live.try_update(|live| {
            let live = live.as_mut()?;
            self.session.try_update(|session| live.hear(event, session).ok()).flatten()
        });
        let Some(heard) = heard.flatten() else { return self.start_over() };
        if heard == Heard::Known {
            return;
        }
        self.follow(heard);
        match event.kind {
            EventKind::Ended(_) => {
                self.dialog.set(None);
                self.result_seen.set(false);
            }
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

    /// Lets the page follow what was heard.
    fn follow(self, heard: Heard) {
        self.now.set(now());
        if heard == Heard::Move {
            self.shooting.set(true);
            let plies = self.plies();
            // A board that nobody sees may never tell that it is done.
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

    fn plies(self) -> usize {
        self.session.with_untracked(|session| session.game().moves().len())
    }

    /// The board has shown the shot.
    pub(super) fn shot_shown(self) {
        if self.shooting.try_get_untracked() == Some(true) {
            self.shooting.set(false);
            self.revealed.set(self.session.get_untracked());
        }
    }

    // --- what is done here

    /// Makes a move: its piece lies on the board at once, its shot runs when the server has it.
    pub(super) fn play(self, mv: Move) {
        self.dialog.set(None);
        let pending = self.live.try_update(|live| live.as_mut()?.make(mv, random_u32())).flatten();
        if let Some(pending) = pending {
            self.message.set(String::new());
            self.say(&pending.message());
        }
    }

    /// Does something else than a move.
    pub(super) fn act(self, act: Action) {
        self.dialog.set(None);
        if !self.say(&ClientMessage::Action { key: random_u32().max(1), action: act }) {
            self.message.set(self.words.online_unreachable().to_owned());
        }
    }

    /// Looks at the position after so many moves.
    pub(super) fn look(self, place: usize) {
        self.session.update(|session| session.look(place));
        if !self.shooting.get_untracked() {
            self.revealed.set(self.session.get_untracked());
        }
    }

    /// Returns the navigation through the moves.
    pub(super) fn move_navigation(self) -> MoveNavigation {
        let look = Callback::new(move |place| self.look(place));
        MoveNavigation { session: self.session, revealed: self.revealed, show_ply: look }
    }

    // --- what is shown

    /// Whom the person here plays.
    pub(super) fn you(self) -> Option<Color> {
        self.live.with_untracked(|live| live.as_ref().and_then(|live| live.you))
    }

    /// Something of the game, as soon as it is there.
    pub(super) fn of<T>(self, get: impl FnOnce(&Live) -> T) -> Option<T> {
        self.live.with(|live| live.as_ref().map(get))
    }

    /// Who sits at the bottom.
    pub(super) fn bottom(self) -> Color {
        let facing = self.of(|live| live.you).flatten().unwrap_or(Color::Silver);
        if self.flipped.get() { !facing } else { facing }
    }

    /// What the board shows.
    pub(super) fn scene(self) -> Scene {
        let bottom = self.bottom();
        let pending = self.of(|live| live.pending).flatten();
        self.session.with(|session| {
            let mut scene = session.scene(bottom, None);
            if let Some(pending) = pending.filter(|_| session.is_present()) {
                scene.position = scene.position.before_shot(pending.mv);
                scene.last = Some(pending.mv);
                scene.moves = Vec::new();
            }
            scene
        })
    }

    /// Time goes on.
    pub(super) fn tick(self) {
        let waits = self.live.with_untracked(|live| {
            live.as_ref().is_some_and(|live| {
                live.state.outcome().is_none()
                    && (live.state.clock().is_some() || live.presence.claim_at.is_some())
            })
        });
        if waits {
            self.now.set(now());
        }
    }
}
