//! The state of a page with a local game, and every change to it.

use std::time::Duration;

use khet::Color;
use leptos::prelude::*;

use super::hint::HintReason;
use super::saved_game::{self, SavedGame};
use crate::board::{LONGEST_SHOT, Scene};
use crate::browser::focus::{focus_board, focus_new_game_form};
use crate::browser::random::random_u32;
use crate::browser::share::share_link;
use crate::browser::storage;
use crate::browser::time::{date, now};
use crate::game::options::NewGameOptions;
use crate::game::save;
use crate::game::session::{GameSession, Mode};
use crate::game::{analysis_handover, finished_games, pending_start, tree_link};
use crate::game_ui::move_navigation::MoveNavigation;
use crate::game_ui::names::local_player_name;
use crate::game_ui::text_errors::game_text_error;
use crate::languages::Words;
use crate::routing::{Navigation, Page};
use crate::rules::{HAS_TOWER, Move, classic, first_setup, setup_position};
use crate::state_handle::StateHandle;

/// The two kinds of local games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameKind {
    Computer,
    Hotseat,
}

impl GameKind {
    /// Returns the name used in attributes and storage keys. Stored games depend on it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            GameKind::Computer => "computer",
            GameKind::Hotseat => "table",
        }
    }

    /// Returns the storage key of the game, with or without a tower.
    pub(super) fn game_key(self, has_tower: bool) -> String {
        format!("khet.game.{}{}", key_prefix(has_tower), self.name())
    }

    /// Returns the storage key of the options of the last game, with or without a tower.
    fn choice_key(self, has_tower: bool) -> String {
        format!("khet.choice.{}{}", key_prefix(has_tower), self.name())
    }

    /// Returns the page of such games, with or without a tower.
    pub(super) fn page(self, has_tower: bool) -> Page {
        let page = match self {
            GameKind::Computer => Page::Computer,
            GameKind::Hotseat => Page::Hotseat,
        };
        if has_tower { page.with_tower() } else { page }
    }
}

/// Returns what distinguishes the storage keys of games with a tower, which the home program can't
/// read.
const fn key_prefix(has_tower: bool) -> &'static str {
    if has_tower { "tower-" } else { "" }
}

/// The dialogs, of which at most one is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocalGameDialog {
    Resign,
    Draw,
    Record,
    More,
    /// Asks whether a new game may replace the unfinished one.
    Replace,
}

/// The state of a page with a local game.
pub(crate) type LocalGame = StateHandle<LocalGameSignals>;

/// The signals and stored values of a page with a local game.
pub(crate) struct LocalGameSignals {
    pub(super) kind: GameKind,
    pub(super) words: Words,
    pub(super) session: RwSignal<GameSession>,
    /// The game as shown around the board. It follows `session` only after the shot animation,
    /// so that the text does not give away what the shot will do.
    pub(super) revealed: RwSignal<GameSession>,
    /// Number of games started on this page.
    pub(super) number: RwSignal<u32>,
    /// The form for a new game is open.
    pub(super) new_game_form_open: RwSignal<bool>,
    /// The options in the form.
    pub(super) choice: RwSignal<NewGameOptions>,
    pub(super) hint: RwSignal<Option<(Move, HintReason)>>,
    pub(super) message: RwSignal<String>,
    pub(super) now: RwSignal<Duration>,
    /// The shot animation is running.
    pub(super) shooting: RwSignal<bool>,
    pub(super) flipped: RwSignal<bool>,
    /// The side at the bottom of a board that is not flipped.
    pub(super) default_bottom: RwSignal<Color>,
    pub(super) dialog: RwSignal<Option<LocalGameDialog>>,
    /// The person opposite opened the dialog, in pass and play.
    pub(super) for_opposite: RwSignal<bool>,
    /// The engine searches for a move or a hint.
    pub(super) thinking: RwSignal<bool>,
    /// The engine could not be loaded, or failed.
    pub(super) engine_failed: RwSignal<bool>,
    /// The computer would accept a draw.
    pub(super) accepts_draw: RwSignal<bool>,
    /// The game is a rematch, in which the colours are exchanged.
    pub(super) is_rematch: RwSignal<bool>,
}

impl LocalGame {
    /// Opens this game on the analysis page at the position that is viewed, and starts a review if
    /// `review`.
    pub(super) fn open_analysis(self, navigation: Navigation, review: bool) {
        self.session.with_untracked(|session| {
            let record = save::record(session, &date()).to_string();
            let plies = session.viewed_ply();
            analysis_handover::open(navigation, &record, plies, session.you(), review);
        });
    }

    /// Shares a link to this game on the analysis page. A game that is too long for a link is
    /// offered as a record.
    pub(super) fn share(self) {
        let record = self.session.with_untracked(|session| save::record(session, &date()));
        let Some(fragment) = tree_link::write(&record) else {
            return self.dialog.set(Some(LocalGameDialog::Record));
        };
        let link = Page::Analysis.link_to_share("", &format!("#{fragment}"));
        share_link(self.words, self.message, self.words.app_name(), &link);
    }

    /// Restores the game that was last played on this page, if any.
    pub(super) fn new(kind: GameKind, words: Words) -> LocalGame {
        let stored = storage::load_or_empty(&kind.choice_key(HAS_TOWER));
        let mut choice = NewGameOptions::read(&stored);
        let has_pending_start = pending_start::take_into(&mut choice);
        if choice.has_tower() != HAS_TOWER {
            choice.setup = Some(first_setup());
        }
        let saved = saved_game::load(&kind.game_key(HAS_TOWER));
        let message = match saved {
            SavedGame::Unreadable => words.play_saved_game_unreadable().to_string(),
            _ => String::new(),
        };
        let saved = match saved {
            SavedGame::Readable(session) => Some(*session),
            _ => None,
        };
        let new_game_form_open = saved.is_none() || has_pending_start;
        let mut session = saved.unwrap_or_else(|| {
            let mode = match kind {
                GameKind::Computer => choice.against_computer(0),
                GameKind::Hotseat => choice.hotseat(),
            };
            let start = setup_position(first_setup()).unwrap_or_else(classic);
            GameSession::new(start, mode, khet::TimeControl::Unlimited)
        });
        if !hidden() {
            session.resume_clock(now());
        }
        let default_bottom = default_bottom(&session);
        StateHandle::allocate(LocalGameSignals {
            kind,
            words,
            revealed: RwSignal::new(session.clone()),
            session: RwSignal::new(session),
            number: RwSignal::new(0),
            new_game_form_open: RwSignal::new(new_game_form_open),
            choice: RwSignal::new(choice),
            hint: RwSignal::new(None),
            message: RwSignal::new(message),
            now: RwSignal::new(now()),
            shooting: RwSignal::new(false),
            flipped: RwSignal::new(false),
            default_bottom: RwSignal::new(default_bottom),
            dialog: RwSignal::new(None),
            for_opposite: RwSignal::new(false),
            thinking: RwSignal::new(false),
            engine_failed: RwSignal::new(false),
            accepts_draw: RwSignal::new(false),
            is_rematch: RwSignal::new(false),
        })
    }

    /// Returns the side at the bottom of the board.
    pub(super) fn bottom(self) -> Color {
        let default_bottom = self.default_bottom.get();
        if self.flipped.get() { !default_bottom } else { default_bottom }
    }

    /// Flips the board.
    pub(super) fn flip(self) {
        self.flipped.update(|flipped| *flipped = !*flipped);
    }

    /// Returns the name of a player.
    pub(super) fn player_name(self, color: Color) -> String {
        self.session.with(|session| local_player_name(session, color, self.words))
    }

    /// Returns whether two people sit opposite each other, because the board does not flip to the
    /// side to move.
    pub(super) fn is_face_to_face(self) -> bool {
        let mode = self.session.with(GameSession::mode);
        matches!(mode, Mode::Hotseat { flips_board: false, .. })
    }

    /// Returns whether the players can pause the game.
    pub(super) fn can_pause(self) -> bool {
        self.kind == GameKind::Hotseat && self.session.with(|session| session.clock().is_some())
    }

    /// Opens a dialog, upside down for the person opposite.
    pub(super) fn open_dialog(self, dialog: LocalGameDialog, opposite: bool) {
        self.for_opposite.set(opposite);
        self.dialog.set(Some(dialog));
    }

    /// Returns the scene on the board.
    pub(super) fn scene(self) -> Scene {
        if self.new_game_form_open.get() {
            let start = self.choice.with(NewGameOptions::start);
            return Scene::of(
                start.unwrap_or_else(|_| setup_position(first_setup()).unwrap_or_else(classic)),
            );
        }
        let hint = self.hint.get().map(|(mv, _)| mv);
        let bottom = self.bottom();
        self.session.with(|session| session.scene(bottom, hint))
    }

    /// Changes the game. The text around the board follows at once, or after the shot animation.
    pub(super) fn update(self, change: impl FnOnce(&mut GameSession)) {
        self.session.update(change);
        if !self.shooting.get_untracked() {
            self.revealed.set(self.session.get_untracked());
        }
    }

    /// Applies a player's action, and saves the game.
    fn change(self, change: impl FnOnce(&mut GameSession, Duration)) {
        let now = now();
        let was_over = self.session.with_untracked(|session| session.outcome().is_some());
        self.now.set(now);
        self.hint.set(None);
        self.message.set(String::new());
        self.update(|session| change(session, now));
        self.save();
        if !was_over {
            self.session.with_untracked(|session| {
                if session.outcome().is_some() {
                    finished_games::add(session, &date(), now);
                }
            });
        }
    }

    /// Saves the game, unless the form for a new game is open.
    pub(super) fn save(self) {
        if self.new_game_form_open.get_untracked() {
            return;
        }
        let key = self.kind.game_key(HAS_TOWER);
        if !self.session.with_untracked(|session| saved_game::save(&key, session, now())) {
            self.message.set(self.words.play_not_saved().to_string());
        }
    }

    /// Starts a new game, or continues an imported one.
    pub(super) fn start(self, session: GameSession) {
        self.default_bottom.set(default_bottom(&session));
        self.flipped.set(false);
        self.shooting.set(false);
        self.engine_failed.set(false);
        self.accepts_draw.set(false);
        self.is_rematch.set(false);
        self.new_game_form_open.set(false);
        self.number.update(|number| *number += 1);
        self.change(|old, _| *old = session);
        focus_board();
    }

    /// Starts a game with the options in the form. Asks first if it would replace an unfinished
    /// one.
    pub(super) fn request_start(self, navigation: Navigation) {
        if self.choice.with_untracked(NewGameOptions::has_tower) != HAS_TOWER {
            self.change_program(navigation);
        } else if self.session.with_untracked(GameSession::is_unfinished) {
            self.open_dialog(LocalGameDialog::Replace, false);
        } else {
            self.start_from_options();
        }
    }

    /// Goes on with the form in the program for games with a tower, or back to the one for games
    /// without.
    pub(super) fn change_program(self, navigation: Navigation) {
        let has_tower = !HAS_TOWER;
        let choice = self.choice.with_untracked(NewGameOptions::write);
        storage::store(&self.kind.choice_key(has_tower), &choice);
        pending_start::set_pending_form();
        self.save();
        navigation.load(self.kind.page(has_tower), "");
    }

    /// Stores the options in the form, and starts a game with them.
    pub(super) fn start_from_options(self) {
        self.dialog.set(None);
        let choice = self.choice.get_untracked();
        let mode = match self.kind {
            GameKind::Computer => choice.against_computer(random_u32()),
            GameKind::Hotseat => choice.hotseat(),
        };
        match choice.begin(mode) {
            Ok(session) => {
                storage::store(&self.kind.choice_key(HAS_TOWER), &choice.write());
                self.start(session);
            }
            Err(error) => self.message.set(game_text_error(self.words, &error)),
        }
    }

    /// Plays a move and lets the board show the shot.
    pub(super) fn play(self, mv: Move) {
        self.dialog.set(None);
        self.change(|session, now| {
            if session.play(mv, now).is_ok() {
                self.shooting.set(true);
            }
        });
        let shots = move || self.session.try_with_untracked(|session| session.shots().len());
        let (game, shot) = (self.number.get_untracked(), shots());
        // The board of a hidden page may never report the end of the animation.
        let end_shot = move || {
            if self.number.try_get_untracked() == Some(game) && shots() == shot {
                self.shot_shown();
            }
        };
        set_timeout(end_shot, LONGEST_SHOT);
    }

    /// Handles the end of the shot animation.
    pub(super) fn shot_shown(self) {
        if self.shooting.try_get_untracked() == Some(true) {
            self.shooting.set(false);
            self.revealed.set(self.session.get_untracked());
            self.default_bottom.set(self.session.with_untracked(default_bottom));
        }
    }

    pub(super) fn take_back(self) {
        self.shooting.set(false);
        self.dialog.set(None);
        // A game that goes on is not finished.
        self.session.with_untracked(|session| {
            if session.outcome().is_some() {
                finished_games::remove(session, &date(), now());
            }
        });
        self.change(GameSession::take_back);
        self.default_bottom.set(self.session.with_untracked(default_bottom));
    }

    /// Returns the side of the person who resigns: the one against the computer, the one who opened
    /// the dialog if two sit opposite each other, otherwise the side to move.
    pub(super) fn resigner(self) -> Color {
        let bottom = if self.for_opposite.get() { !self.bottom() } else { self.bottom() };
        match self.session.with(GameSession::you) {
            Some(you) => you,
            None if self.is_face_to_face() => bottom,
            None => self.session.with(GameSession::side),
        }
    }

    pub(super) fn resign(self) {
        let loser = untrack(|| self.resigner());
        self.change(|session, now| session.resign(loser, now));
    }

    pub(super) fn claim_draw(self) {
        self.change(GameSession::claim_draw);
    }

    pub(super) fn agree_draw(self) {
        self.change(GameSession::agree_draw);
    }

    /// Pauses the game, or resumes it.
    pub(super) fn set_paused(self, paused: bool) {
        self.change(|session, now| session.set_paused(paused, now));
    }

    /// Starts a game with exchanged colours. People who sit opposite each other keep their places.
    pub(super) fn rematch(self) {
        let flipped = untrack(|| self.is_face_to_face()) && !self.flipped.get_untracked();
        self.start(self.session.with_untracked(GameSession::rematch));
        self.flipped.set(flipped);
        self.is_rematch.set(true);
    }

    /// Opens the form for a new game; the current game stays until the new one starts.
    pub(super) fn open_new_game_form(self) {
        self.dialog.set(None);
        self.message.set(String::new());
        self.new_game_form_open.set(true);
        focus_new_game_form();
    }

    /// Closes the form, and returns to the current game.
    pub(super) fn close_new_game_form(self) {
        self.message.set(String::new());
        self.new_game_form_open.set(false);
        focus_board();
    }

    /// Changes an option of the mode.
    pub(super) fn set_mode(self, mode: Mode) {
        self.change(|session, _| session.set_mode(mode));
        self.default_bottom.set(self.session.with_untracked(default_bottom));
    }

    /// Returns the navigation through the moves.
    pub(super) fn move_navigation(self) -> MoveNavigation {
        let show_ply = Callback::new(move |ply| self.show_ply(ply));
        MoveNavigation { session: self.session, revealed: self.revealed, show_ply }
    }

    /// Shows the position after `ply` moves.
    pub(super) fn show_ply(self, ply: usize) {
        self.hint.set(None);
        self.update(|session| session.view_ply(ply));
    }

    /// Updates the clock display, and ends the game if a flag falls.
    pub(super) fn tick(self) {
        let now = now();
        let running = self.session.with_untracked(|session| {
            session.clock().is_some_and(|clock| clock.running().is_some())
        });
        if !running || self.new_game_form_open.get_untracked() {
            return;
        }
        self.now.set(now);
        if self.session.with_untracked(|session| session.flagged(now).is_some()) {
            self.change(|session, now| {
                session.tick(now);
            });
        }
    }

    /// Pauses or resumes the clock when the page is hidden or shown.
    pub(super) fn visibility_changed(self) {
        let pauses = matches!(
            self.session.with_untracked(GameSession::mode),
            Mode::Hotseat { pauses_when_hidden: true, .. }
        );
        if hidden() {
            if pauses {
                self.update(|session| session.stop_clock(now()));
            }
            self.save();
        } else {
            self.update(|session| session.resume_clock(now()));
            self.tick();
        }
    }
}

/// Returns the side at the bottom of a board that is not flipped.
fn default_bottom(session: &GameSession) -> Color {
    match session.mode() {
        Mode::Computer { person, .. } => person,
        Mode::Hotseat { flips_board: true, .. } if session.outcome().is_none() => session.side(),
        // After the end, the side that made the last move stays at the bottom.
        Mode::Hotseat { flips_board: true, .. } => !session.side(),
        Mode::Hotseat { flips_board: false, .. } | Mode::Online { .. } => Color::Silver,
    }
}

/// Returns whether the page is hidden.
fn hidden() -> bool {
    document().hidden()
}
