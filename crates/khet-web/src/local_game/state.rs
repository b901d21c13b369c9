//! A game: one game, and all that is done to it from the page.

use std::time::Duration;

use khet::{Color, Move};
use leptos::prelude::*;

use super::hint::Reason;
use super::saved_game::{self, SavedGame};
use crate::board::{LONGEST_SHOT, Scene};
use crate::browser::focus::{focus_board, focus_new_game_form};
use crate::browser::storage;
use crate::browser::time::{date, now};
use crate::game::options::Choice;
use crate::game::save;
use crate::game::session::{Mode, Session};
use crate::game::{analysis_handover, pending_start};
use crate::game_ui::move_navigation::MoveNavigation;
use crate::languages::Words;
use crate::routing::{Navigation, Page};

/// Which of the two pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameKind {
    Computer,
    Hotseat,
}

impl GameKind {
    /// Its name in the page and in what is kept.
    pub(super) const fn name(self) -> &'static str {
        match self {
            GameKind::Computer => "computer",
            GameKind::Hotseat => "table",
        }
    }

    pub(super) fn game_key(self) -> String {
        format!("khet.game.{}", self.name())
    }

    fn choice_key(self) -> String {
        format!("khet.choice.{}", self.name())
    }
}

/// What is asked before it is done, or shown over the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OpenDialog {
    Resign,
    Draw,
    Record,
    More,
}

/// The state of a page.
#[derive(Clone, Copy)]
pub(crate) struct LocalGame {
    pub(super) kind: GameKind,
    pub(super) words: Words,
    pub(super) session: RwSignal<Session>,
    /// The game as shown around the board. It follows `session` only after the shot animation,
    /// so that the text does not give away what the shot will do.
    pub(super) revealed: RwSignal<Session>,
    /// Number of games started on this page.
    pub(super) number: RwSignal<u32>,
    /// A new game is being chosen.
    pub(super) choosing: RwSignal<bool>,
    pub(super) choice: RwSignal<Choice>,
    pub(super) hint: RwSignal<Option<(Move, Reason)>>,
    pub(super) message: RwSignal<String>,
    pub(super) now: RwSignal<Duration>,
    /// A shot runs on the board.
    pub(super) shooting: RwSignal<bool>,
    /// Seen from the other side.
    pub(super) flipped: RwSignal<bool>,
    /// Who sits at the bottom, if it is not flipped.
    pub(super) facing: RwSignal<Color>,
    pub(super) dialog: RwSignal<Option<OpenDialog>>,
    /// The result in large letters has been put away.
    pub(super) result_seen: RwSignal<bool>,
    /// The computer thinks about its turn, or about a hint.
    pub(super) thinking: RwSignal<bool>,
    /// The computer could not be reached.
    pub(super) lost: RwSignal<bool>,
    /// The computer would take a draw.
    pub(super) welcomes_draw: RwSignal<bool>,
}

impl LocalGame {
    /// Looks into this game on the page of analysis; with a review, if that is wanted.
    pub(super) fn look_into(self, navigation: Navigation, reviews: bool) {
        let record =
            self.session.with_untracked(|session| save::record(session, &date()).to_string());
        analysis_handover::hand_over(&record);
        navigation.leave_for(Page::Analysis, if reviews { "?review=yes" } else { "" });
    }

    /// The game with the game that was played here last, if there is one.
    pub(super) fn new(kind: GameKind, words: Words) -> LocalGame {
        let mut choice = Choice::read(&storage::load_or_empty(&kind.choice_key()));
        let wished = pending_start::take_into(&mut choice);
        let saved = saved_game::load(&kind.game_key());
        let message = match saved {
            SavedGame::Corrupt => words.play_set_aside().to_string(),
            _ => String::new(),
        };
        let saved = match saved {
            SavedGame::Readable(session) => Some(*session),
            _ => None,
        };
        let choosing = saved.is_none() || wished;
        let mut session = saved.unwrap_or_else(|| {
            let mode = match kind {
                GameKind::Computer => choice.against_computer(0),
                GameKind::Hotseat => choice.hotseat(),
            };
            Session::new(khet::Setup::Classic.position(), mode, khet::TimeControl::Unlimited)
        });
        if !hidden() {
            session.go_on(now());
        }
        let facing = facing(&session);
        let ended = session.outcome().is_some();
        LocalGame {
            kind,
            words,
            revealed: RwSignal::new(session.clone()),
            session: RwSignal::new(session),
            number: RwSignal::new(0),
            choosing: RwSignal::new(choosing),
            choice: RwSignal::new(choice),
            hint: RwSignal::new(None),
            message: RwSignal::new(message),
            now: RwSignal::new(now()),
            shooting: RwSignal::new(false),
            flipped: RwSignal::new(false),
            facing: RwSignal::new(facing),
            dialog: RwSignal::new(None),
            result_seen: RwSignal::new(ended),
            thinking: RwSignal::new(false),
            lost: RwSignal::new(false),
            welcomes_draw: RwSignal::new(false),
        }
    }

    /// Who sits at the bottom.
    pub(super) fn bottom(self) -> Color {
        let facing = self.facing.get();
        if self.flipped.get() { !facing } else { facing }
    }

    /// What the board shows.
    pub(super) fn scene(self) -> Scene {
        if self.choosing.get() {
            let start = self.choice.with(Choice::start);
            return Scene::of(start.unwrap_or_else(|_| khet::Setup::Classic.position()));
        }
        let hint = self.hint.get().map(|(mv, _)| mv);
        let bottom = self.bottom();
        self.session.with(|session| session.scene(bottom, hint))
    }

    /// Changes the game. It is revealed at once, unless a shot is being shown.
    pub(super) fn update(self, change: impl FnOnce(&mut Session)) {
        self.session.update(change);
        if !self.shooting.get_untracked() {
            self.revealed.set(self.session.get_untracked());
        }
    }

    /// Changes the game as players do, and saves it.
    fn change(self, change: impl FnOnce(&mut Session, Duration)) {
        let now = now();
        self.now.set(now);
        self.hint.set(None);
        self.message.set(String::new());
        self.update(|session| change(session, now));
        self.save();
    }

    /// Saves the game as it stands.
    pub(super) fn save(self) {
        if self.choosing.get_untracked() {
            return;
        }
        let key = self.kind.game_key();
        if !self.session.with_untracked(|session| saved_game::save(&key, session, now())) {
            self.message.set(self.words.play_not_saved().to_string());
        }
    }

    /// Begins a game, or goes on with an opened one.
    pub(super) fn begin(self, session: Session) {
        self.facing.set(facing(&session));
        self.flipped.set(false);
        self.shooting.set(false);
        self.lost.set(false);
        self.welcomes_draw.set(false);
        self.choosing.set(false);
        self.number.update(|number| *number += 1);
        self.change(|old, _| *old = session);
        focus_board();
        // An opened game that is over is there to be looked at.
        self.result_seen.set(self.session.with_untracked(|session| session.outcome().is_some()));
    }

    /// Remembers what was chosen, and begins.
    pub(super) fn begin_chosen(self, mode: Mode) {
        let choice = self.choice.get_untracked();
        match choice.begin(mode) {
            Ok(session) => {
                storage::store(&self.kind.choice_key(), &choice.write());
                self.begin(session);
            }
            Err(error) => self.message.set(self.words.play_unreadable(error.0)),
        }
    }

    /// Plays a move and lets the board show the shot.
    pub(super) fn play(self, mv: Move) {
        self.dialog.set(None);
        self.change(|session, now| {
            if session.play(mv, now).is_ok() {
                self.shooting.set(true);
                self.result_seen.set(false);
            }
        });
        let shots = move || self.session.try_with_untracked(|session| session.shots().len());
        let (game, shot) = (self.number.get_untracked(), shots());
        // A board that nobody sees may never tell that it is done.
        let done = move || {
            if self.number.try_get_untracked() == Some(game) && shots() == shot {
                self.shot_shown();
            }
        };
        set_timeout(done, LONGEST_SHOT);
    }

    /// The board has shown the shot.
    pub(super) fn shot_shown(self) {
        if self.shooting.try_get_untracked() == Some(true) {
            self.shooting.set(false);
            self.revealed.set(self.session.get_untracked());
            self.facing.set(self.session.with_untracked(facing));
        }
    }

    pub(super) fn take_back(self) {
        self.shooting.set(false);
        self.change(Session::take_back);
        self.facing.set(self.session.with_untracked(facing));
    }

    pub(super) fn resign(self) {
        self.change(Session::resign);
        self.result_seen.set(false);
    }

    pub(super) fn claim_draw(self) {
        self.change(Session::claim_draw);
        self.result_seen.set(false);
    }

    pub(super) fn agree_draw(self) {
        self.change(Session::agree_draw);
        self.result_seen.set(false);
    }

    pub(super) fn rematch(self) {
        self.begin(self.session.with_untracked(Session::rematch));
    }

    /// Lets a new game be chosen; the present one stays until it begins.
    pub(super) fn choose(self) {
        self.dialog.set(None);
        self.message.set(String::new());
        self.choosing.set(true);
        focus_new_game_form();
    }

    /// Goes back from choosing to the present game.
    pub(super) fn keep(self) {
        self.message.set(String::new());
        self.choosing.set(false);
        focus_board();
    }

    /// Puts the result away, to look at the board.
    pub(super) fn see_board(self) {
        self.result_seen.set(true);
        focus_board();
    }

    /// Changes a switch of the mode.
    pub(super) fn set_mode(self, mode: Mode) {
        self.change(|session, _| session.set_mode(mode));
        self.facing.set(self.session.with_untracked(facing));
    }

    /// The game to walk through.
    pub(super) fn move_navigation(self) -> MoveNavigation {
        let look = Callback::new(move |place| self.look(place));
        MoveNavigation { session: self.session, revealed: self.revealed, look }
    }

    /// Looks at the position after so many moves.
    pub(super) fn look(self, place: usize) {
        self.hint.set(None);
        self.update(|session| session.look(place));
    }

    /// Time goes on.
    pub(super) fn tick(self) {
        let now = now();
        let running = self.session.with_untracked(|session| {
            session.clock().is_some_and(|clock| clock.running().is_some())
        });
        if !running || self.choosing.get_untracked() {
            return;
        }
        self.now.set(now);
        if self.session.with_untracked(|session| session.fallen(now).is_some()) {
            self.change(|session, now| {
                session.tick(now);
            });
            self.result_seen.set(false);
        }
    }

    /// The page was hidden or shown again.
    pub(super) fn visibility_changed(self) {
        let pausing = matches!(
            self.session.with_untracked(Session::mode),
            Mode::Hotseat { pausing: true, .. }
        );
        if hidden() {
            if pausing {
                self.update(|session| session.pause(now()));
            }
            self.save();
        } else {
            self.update(|session| session.go_on(now()));
            self.tick();
        }
    }
}

/// Who sits at the bottom of a board that nobody has flipped.
fn facing(session: &Session) -> Color {
    match session.mode() {
        Mode::Computer { person, .. } => person,
        Mode::Hotseat { turning: true, .. } if session.outcome().is_none() => session.side(),
        // Whoever has made the last move sees it through.
        Mode::Hotseat { turning: true, .. } => !session.side(),
        Mode::Hotseat { turning: false, .. } => Color::Silver,
        Mode::Online { you } => you.unwrap_or(Color::Silver),
    }
}

/// Whether nobody sees the page.
fn hidden() -> bool {
    document().hidden()
}
