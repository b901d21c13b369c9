//! The state of a page with a local game, and every change to it.

use std::time::Duration;

use khet::{Color, Move};
use leptos::prelude::*;

use super::hint::Reason;
use super::saved_game::{self, SavedGame};
use crate::board::{LONGEST_SHOT, Scene};
use crate::browser::focus::{focus_board, focus_new_game_form};
use crate::browser::storage;
use crate::browser::time::{date, now};
use crate::game::options::NewGameOptions;
use crate::game::save;
use crate::game::session::{Mode, Session};
use crate::game::{analysis_handover, pending_start};
use crate::game_ui::move_navigation::MoveNavigation;
use crate::languages::Words;
use crate::routing::{Navigation, Page};

/// The two kinds of local games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameKind {
    Computer,
    Hotseat,
}

impl GameKind {
    /// Returns the name used in attributes and storage keys.
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

/// The dialogs, of which at most one is open.
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
    pub(super) choice: RwSignal<NewGameOptions>,
    pub(super) hint: RwSignal<Option<(Move, Reason)>>,
    pub(super) message: RwSignal<String>,
    pub(super) now: RwSignal<Duration>,
    /// A shot runs on the board.
    pub(super) shooting: RwSignal<bool>,
    /// The board is flipped.
    pub(super) flipped: RwSignal<bool>,
    /// The side at the bottom of a board that is not flipped.
    pub(super) facing: RwSignal<Color>,
    pub(super) dialog: RwSignal<Option<OpenDialog>>,
    /// The result over the board was closed.
    pub(super) result_seen: RwSignal<bool>,
    /// The computer searches for its move or for a hint.
    pub(super) thinking: RwSignal<bool>,
    /// The engine could not be loaded, or failed.
    pub(super) lost: RwSignal<bool>,
    /// The computer would accept a draw.
    pub(super) welcomes_draw: RwSignal<bool>,
}

impl LocalGame {
    /// Opens this game on the analysis page, with a review if `reviews`.
    pub(super) fn look_into(self, navigation: Navigation, reviews: bool) {
        let record =
            self.session.with_untracked(|session| save::record(session, &date()).to_string());
        analysis_handover::hand_over(&record);
        navigation.load(Page::Analysis, if reviews { "?review=yes" } else { "" });
    }

    /// Restores the game that was last played on this page, if there is one.
    pub(super) fn new(kind: GameKind, words: Words) -> LocalGame {
        let mut choice = NewGameOptions::read(&storage::load_or_empty(&kind.choice_key()));
        let wished = pending_start::take_into(&mut choice);
        let saved = saved_game::load(&kind.game_key());
        let message = match saved {
            SavedGame::Corrupt => words.play_saved_game_unreadable().to_string(),
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
            session.resume_clock(now());
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

    /// Returns the side at the bottom of the board.
    pub(super) fn bottom(self) -> Color {
        let facing = self.facing.get();
        if self.flipped.get() { !facing } else { facing }
    }

    /// Returns what the board shows.
    pub(super) fn scene(self) -> Scene {
        if self.choosing.get() {
            let start = self.choice.with(NewGameOptions::start);
            return Scene::of(start.unwrap_or_else(|_| khet::Setup::Classic.position()));
        }
        let hint = self.hint.get().map(|(mv, _)| mv);
        let bottom = self.bottom();
        self.session.with(|session| session.scene(bottom, hint))
    }

    /// Changes the game. The rest of the page follows at once, unless a shot is being shown.
    pub(super) fn update(self, change: impl FnOnce(&mut Session)) {
        self.session.update(change);
        if !self.shooting.get_untracked() {
            self.revealed.set(self.session.get_untracked());
        }
    }

    /// Applies a player's action, and saves the game.
    fn change(self, change: impl FnOnce(&mut Session, Duration)) {
        let now = now();
        self.now.set(now);
        self.hint.set(None);
        self.message.set(String::new());
        self.update(|session| change(session, now));
        self.save();
    }

    /// Saves the game.
    pub(super) fn save(self) {
        if self.choosing.get_untracked() {
            return;
        }
        let key = self.kind.game_key();
        if !self.session.with_untracked(|session| saved_game::save(&key, session, now())) {
            self.message.set(self.words.play_not_saved().to_string());
        }
    }

    /// Starts a new game, or continues an imported one.
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
        // An imported game that is over is shown without its result, to look at the board.
        self.result_seen.set(self.session.with_untracked(|session| session.outcome().is_some()));
    }

    /// Stores the chosen options, and starts the game.
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
        // A board in a hidden page may never report the end of its shot.
        let done = move || {
            if self.number.try_get_untracked() == Some(game) && shots() == shot {
                self.shot_shown();
            }
        };
        set_timeout(done, LONGEST_SHOT);
    }

    /// Handles the end of the shot animation.
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

    /// Opens the form for a new game; the current game stays until the new one starts.
    pub(super) fn choose(self) {
        self.dialog.set(None);
        self.message.set(String::new());
        self.choosing.set(true);
        focus_new_game_form();
    }

    /// Returns from the form to the current game.
    pub(super) fn keep(self) {
        self.message.set(String::new());
        self.choosing.set(false);
        focus_board();
    }

    /// Closes the result, to look at the board.
    pub(super) fn see_board(self) {
        self.result_seen.set(true);
        focus_board();
    }

    /// Changes an option of the mode.
    pub(super) fn set_mode(self, mode: Mode) {
        self.change(|session, _| session.set_mode(mode));
        self.facing.set(self.session.with_untracked(facing));
    }

    /// Returns the navigation through the moves.
    pub(super) fn move_navigation(self) -> MoveNavigation {
        let look = Callback::new(move |place| self.look(place));
        MoveNavigation { session: self.session, revealed: self.revealed, look }
    }

    /// Shows the position after `place` moves.
    pub(super) fn look(self, place: usize) {
        self.hint.set(None);
        self.update(|session| session.view_ply(place));
    }

    /// Updates the clock display, and ends the game if a flag falls.
    pub(super) fn tick(self) {
        let now = now();
        let running = self.session.with_untracked(|session| {
            session.clock().is_some_and(|clock| clock.running().is_some())
        });
        if !running || self.choosing.get_untracked() {
            return;
        }
        self.now.set(now);
        if self.session.with_untracked(|session| session.flagged(now).is_some()) {
            self.change(|session, now| {
                session.tick(now);
            });
            self.result_seen.set(false);
        }
    }

    /// Pauses or resumes the clock when the page is hidden or shown.
    pub(super) fn visibility_changed(self) {
        let pauses = matches!(
            self.session.with_untracked(Session::mode),
            Mode::Hotseat { pauses_when_hidden: true, .. }
        );
        if hidden() {
            if pauses {
                self.update(|session| session.pause(now()));
            }
            self.save();
        } else {
            self.update(|session| session.resume_clock(now()));
            self.tick();
        }
    }
}

/// Returns the side at the bottom of a board that is not flipped.
fn facing(session: &Session) -> Color {
    match session.mode() {
        Mode::Computer { person, .. } => person,
        Mode::Hotseat { flips_board: true, .. } if session.outcome().is_none() => session.side(),
        // After the end the board stays turned to the side that made the last move.
        Mode::Hotseat { flips_board: true, .. } => !session.side(),
        Mode::Hotseat { flips_board: false, .. } | Mode::Online { .. } => Color::Silver,
    }
}

/// Returns whether the page is hidden.
fn hidden() -> bool {
    document().hidden()
}
