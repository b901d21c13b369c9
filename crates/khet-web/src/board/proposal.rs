//! Moves that the board shows before they are played.
//!
//! A rotation is as quick as a step: a tap on the piece and a tap on a square, or on a handle
//! beside the piece. Only a quarter turn is a move; a half turn is not. Yet someone who taps a
//! handle twice wants a half turn, and must not have played a quarter turn with the first tap. So a
//! rotation by handle is shown at once and played after [`DOUBLE_TAP_TIME`]. Another tap in that
//! time takes it back, because the handle that takes it back is under the same finger.
//!
//! The wheel and the keys rotate the piece in hand without playing, because a wheel is easily moved
//! by accident, and a listener needs time to hear the new orientation. Dropping the piece plays it.
//!
//! If the player wants to confirm moves, or practises on a touch screen, every move waits on the
//! board until it is confirmed or taken back. If beams are previewed, the beam of that move is shown
//! meanwhile. Moves typed in notation need no confirmation: Enter after the text is one.

use std::time::Duration;

use khet::{GamePosition, Rotation};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

use super::levels;
use super::move_input::{AllowedMoves, PieceInHand};
use super::state::BoardState;
use crate::browser::time::now;
use crate::rules::{Move, Square};

/// The time within which two taps may be one double tap. It is longer than a usual double click,
/// and short enough that a rotation feels immediate.
pub(super) const DOUBLE_TAP_TIME: Duration = Duration::from_millis(450);

/// A move that is shown but not played yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProposedMove {
    pub(super) mv: Move,
    /// True if the player has to confirm it. Otherwise it is played after [`DOUBLE_TAP_TIME`].
    pub(super) needs_confirmation: bool,
    /// The piece in hand before, which taking the move back restores.
    held: PieceInHand,
    /// The time at which it was proposed.
    since: Duration,
}

/// The proposed move of a board.
#[derive(Clone, Copy)]
pub(super) struct Proposal {
    pub(super) current: RwSignal<Option<ProposedMove>>,
    /// True if the player confirms every move.
    confirms: Signal<bool>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl Proposal {
    /// Creates an empty proposal.
    pub(super) fn new(confirms: Signal<bool>) -> Proposal {
        Proposal { current: RwSignal::new(None), confirms, timer: StoredValue::new(None) }
    }

    /// Returns the proposed move without tracking it.
    pub(super) fn get(self) -> Option<ProposedMove> {
        self.current.get_untracked()
    }

    /// Removes the proposed move.
    pub(super) fn clear(self) {
        self.timer.update_value(|timer| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
        });
        if self.get().is_some() {
            self.current.set(None);
        }
    }
}

impl BoardState {
    /// Plays the move that the piece in hand has completed, or asks for confirmation.
    pub(super) fn complete_move(self, mv: Move, held: PieceInHand) {
        if self.proposal.confirms.get_untracked() {
            self.propose(mv, held);
        } else {
            self.play(mv);
        }
    }

    /// Handles a tap on a handle that rotates the piece in hand.
    pub(super) fn rotate_by_handle(self, rotation: Rotation, held: PieceInHand) {
        let mv = self.scene.with_untracked(|scene| {
            AllowedMoves { position: &scene.position, moves: &scene.moves }
                .rotation(held.from, rotation)
        });
        if let Some(mv) = mv {
            self.propose(mv, held);
        }
    }

    /// Shows a move that is played later.
    pub(super) fn propose(self, mv: Move, held: PieceInHand) {
        self.proposal.clear();
        let needs_confirmation = self.proposal.confirms.get_untracked();
        let held = PieceInHand { rotation: None, ..held };
        self.held.set(None);
        self.set_note("");
        let proposed = ProposedMove { mv, needs_confirmation, held, since: now() };
        self.proposal.current.set(Some(proposed));
        if needs_confirmation {
            self.announce_proposal(mv);
            return;
        }
        let play = move || {
            if self.proposal.current.try_get_untracked() == Some(Some(proposed)) {
                self.proposal.clear();
                self.play(mv);
            }
        };
        self.proposal.timer.set_value(set_timeout_with_handle(play, DOUBLE_TAP_TIME).ok());
    }

    /// Asks screen reader users for the confirmation.
    fn announce_proposal(self, mv: Move) {
        let scene = self.scene.get_untracked();
        let after = scene.position.before_shot(mv);
        let text = self.describer(&scene).mv(mv, Some(&scene.position), &after);
        let ask = self.words.board_confirm_keys();
        self.announcement.set(text.map_or(ask.to_string(), |text| format!("{text} {ask}")));
    }

    /// Plays the proposed move if it waits for confirmation. `by_tap` ignores the second tap of a
    /// double tap, because the button to confirm may appear under the finger.
    pub(super) fn confirm_proposal(self, by_tap: bool) {
        let Some(proposed) = self.proposal.get().filter(|it| it.needs_confirmation) else { return };
        if by_tap && now() < proposed.since + DOUBLE_TAP_TIME {
            return;
        }
        self.proposal.clear();
        self.play(proposed.mv);
    }

    /// Takes the proposed move back into the hand.
    pub(super) fn take_proposal_back(self) {
        let Some(proposed) = self.proposal.get() else { return };
        self.proposal.clear();
        self.held.set(Some(proposed.held));
        let half_turn = !proposed.needs_confirmation;
        let words = self.words;
        if half_turn {
            self.note_quarter_turn();
        }
        let text =
            if half_turn { words.board_quarter_turn_only() } else { words.board_taken_back() };
        self.announcement.set(text.to_string());
    }

    /// Returns whether a tap on a square belongs to the proposed move, as the second tap of a
    /// double tap does.
    pub(super) fn is_on_proposal(self, square: Square) -> bool {
        let Some(proposed) = self.proposal.get() else { return false };
        match proposed.mv.squares() {
            Some([_, to]) => to == square,
            None => levels::is_column(untrack(|| self.displayed_column()), square),
        }
    }

    /// Reports a move to the page, if it is still allowed.
    fn play(self, mv: Move) {
        let allowed = self.scene.with_untracked(|scene| scene.moves.contains(&mv));
        if let Some(on_move) = self.on_move.filter(|_| allowed) {
            on_move.run(mv);
        }
    }
}
