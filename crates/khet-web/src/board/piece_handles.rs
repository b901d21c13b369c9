//! The handles around the piece in hand, and around a move that waits to be confirmed.

use khet::Rotation;
use leptos::prelude::*;

use super::geometry::Point;
use super::handles::{self, HandleIcon};
use super::move_input::{AllowedMoves, MoveInput, PieceInHand, TargetKind};
use super::proposal::ProposedMove;
use super::state::BoardState;
use super::tower_handles::tower_handles;
use crate::rules::{Move, Square};

/// The effect of a handle.
#[derive(Clone, Copy)]
pub(super) enum HandleAction {
    Input(MoveInput),
    Rotate(Rotation, PieceInHand),
    /// Proposes a move of the tower in hand.
    Propose(Move, PieceInHand),
    /// Begins or ends to look beneath the platform.
    Peek,
    Confirm,
    TakeBack,
}

/// A handle beside a piece or on a tower.
#[derive(Clone, Copy)]
pub(super) struct Handle {
    pub(super) icon: HandleIcon,
    pub(super) name: &'static str,
    pub(super) action: HandleAction,
    /// True if it stands out as the main choice.
    pub(super) strong: bool,
}

/// The handles at the left and the right.
pub(super) type HandlePair = [Option<Handle>; 2];

/// Returns the handles of the proposed move or of the piece in hand.
pub(super) fn handles_view(state: BoardState) -> Option<impl IntoView> {
    if state.drag.with(Option::is_some) {
        return None;
    }
    let (square, handles) = match (tower_handles(state), state.proposal.current.get()) {
        (Some(of_tower), _) => of_tower,
        (None, Some(proposed)) => {
            let [_, to] = proposed.mv.squares()?;
            (to, beside(state, to, proposal_handles(state, proposed)))
        }
        (None, None) => {
            let held = state.held.get()?;
            (held.from, beside(state, held.from, hand_handles(state, held)))
        }
    };
    let radius = state.handle_radius.get();
    let handle = move |(center, handle): (Point, Handle)| {
        let Handle { icon, name, action, strong } = handle;
        let press = move || {
            act(state, action);
            state.move_focus(square);
        };
        handles::handle(center, radius, icon, name, strong, press)
    };
    Some(handles.into_iter().map(handle).collect_view())
}

/// Returns handles with their places beside the piece on a square.
fn beside(state: BoardState, square: Square, pair: HandlePair) -> Vec<(Point, Handle)> {
    let orientation = state.orientation();
    let radius = state.handle_radius.get();
    let piece = orientation.center(square);
    let centers = handles::centers(orientation, piece, radius);
    // The square straight above is drawn at the upper right, where it can be tapped.
    let climbs = state.scene.with(|scene| {
        let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
        let held = state.held.get();
        held.is_some_and(|held| {
            allowed.targets(held).iter().any(|(_, kind)| *kind == TargetKind::Climb)
        })
    });
    let centers = if climbs && radius <= handles::MAX_CORNER_RADIUS {
        handles::below(orientation, piece, centers, radius)
    } else {
        centers
    };
    let placed = |(handle, center): (Option<Handle>, Point)| Some((center, handle?));
    pair.into_iter().zip(centers).filter_map(placed).collect()
}

/// Performs the action of a handle.
fn act(state: BoardState, action: HandleAction) {
    match action {
        HandleAction::Input(input) => {
            state.handle_input(input);
        }
        HandleAction::Rotate(rotation, held) => state.rotate_by_handle(rotation, held),
        HandleAction::Propose(mv, held) => state.propose(mv, held),
        HandleAction::Peek => state.toggle_peek(),
        HandleAction::Confirm => state.confirm_proposal(true),
        HandleAction::TakeBack => state.take_proposal_back(),
    }
}

/// Returns the handles of a move that is not played yet. A rotation that will be played by itself
/// has one, at the place of the handle that was tapped.
pub(super) fn proposal_handles(state: BoardState, proposed: ProposedMove) -> HandlePair {
    let words = state.words;
    let back = |icon| Handle {
        icon,
        name: words.board_take_back(),
        action: HandleAction::TakeBack,
        strong: false,
    };
    if proposed.needs_confirmation {
        let confirm = Handle {
            icon: HandleIcon::Drop,
            name: words.board_confirm(),
            action: HandleAction::Confirm,
            strong: true,
        };
        return [Some(back(HandleIcon::Cancel)), Some(confirm)];
    }
    let back = Some(back(HandleIcon::Back));
    match proposed.mv {
        Move::Rotate { rotation: Rotation::Counterclockwise, .. } => [back, None],
        _ => [None, back],
    }
}

/// Returns the handles of the piece in hand: two to rotate it, or two to choose between the whole
/// stack and its top. A piece that the wheel or a key has rotated can be dropped or rotated back.
fn hand_handles(state: BoardState, held: PieceInHand) -> HandlePair {
    if let Some(rotation) = held.rotation {
        return rotated_handles(state, held.from, rotation);
    }
    state.scene.with(|scene| {
        let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
        if allowed.can_unstack(held.from) {
            return stack_handles(state, held);
        }
        [Rotation::Counterclockwise, Rotation::Clockwise]
            .map(|rotation| rotation_handle(state, held, rotation, allowed))
    })
}

/// Returns the handle that rotates the piece in hand. If both directions give the same result, one
/// handle is enough.
fn rotation_handle(
    state: BoardState,
    held: PieceInHand,
    rotation: Rotation,
    allowed: AllowedMoves<'_>,
) -> Option<Handle> {
    let mv = allowed.rotation(held.from, rotation)?;
    let (icon, name) = match rotation {
        Rotation::Clockwise => (HandleIcon::Clockwise, state.words.board_rotate_clockwise()),
        Rotation::Counterclockwise => {
            (HandleIcon::Counterclockwise, state.words.board_rotate_counterclockwise())
        }
    };
    let action = HandleAction::Rotate(rotation, held);
    let handle = Handle { icon, name, action, strong: false };
    matches!(mv, Move::Rotate { rotation: found, .. } if found == rotation).then_some(handle)
}

/// Returns the handles of a piece that is rotated in hand.
pub(super) fn rotated_handles(state: BoardState, from: Square, rotation: Rotation) -> HandlePair {
    let words = state.words;
    let opposite = match rotation {
        Rotation::Clockwise => Rotation::Counterclockwise,
        Rotation::Counterclockwise => Rotation::Clockwise,
    };
    let drop = Handle {
        icon: HandleIcon::Drop,
        name: words.board_drop(),
        action: HandleAction::Input(MoveInput::Tap(from)),
        strong: true,
    };
    let back = Handle {
        icon: HandleIcon::Back,
        name: words.board_rotate_back(),
        action: HandleAction::Input(MoveInput::Rotate(opposite, from)),
        strong: false,
    };
    [Some(back), Some(drop)]
}

/// Returns the handles of a stack: both obelisks, or only the top.
fn stack_handles(state: BoardState, held: PieceInHand) -> HandlePair {
    let handle = |icon, name, top_only| Handle {
        icon,
        name,
        action: HandleAction::Input(MoveInput::TakeTop { top_only, square: held.from }),
        strong: held.top_only == top_only,
    };
    let words = state.words;
    [
        Some(handle(HandleIcon::Both, words.board_whole_stack(), false)),
        Some(handle(HandleIcon::Top, words.board_top_only(), true)),
    ]
}
