//! Actions of the editor's user: taps, drags and keys, with their effect on draft and selection.

use khet::{Kind, Piece, Rotation};

use super::setup_draft::SetupDraft;
use crate::rules::Square;

/// The piece that the next action applies to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EditorSelection {
    /// No piece.
    #[default]
    Nothing,
    /// A piece from the box. It stays selected after it is placed, so that several can be placed.
    BoxPiece(Piece),
    /// The piece on a square.
    BoardPiece(Square),
}

/// The start of a drag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DragSource {
    /// A piece in a box.
    Box(Piece),
    /// A square of the board.
    Board(Square),
}

/// A user action in the editor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditorAction {
    /// Selects a piece of the box.
    Take(Piece),
    /// Taps a square, or presses Enter on it.
    Tap(Square),
    /// Drags a piece to a square, or off the board.
    Drag(DragSource, Option<Square>),
    /// Rotates the selected piece, or the one on this square if none is selected.
    Rotate(Rotation, Square),
    /// Removes the selected piece, or the one on this square if none is selected.
    Remove(Square),
    /// Clears the selection.
    Cancel,
}

/// The effect of an action, for the announcement to screen readers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum EditorEvent {
    Nothing,
    Taken(Piece),
    Selected(Square, Piece),
    Deselected,
    Placed(Square, Piece),
    Moved { piece: Piece, from: Square, to: Square },
    Swapped { piece: Piece, from: Square, to: Square },
    BoxPieceRotated(Piece),
    Rotated(Square, Piece),
    Removed(Square, Piece),
}

/// Applies an action to the draft. Returns the new selection and the effect.
pub fn apply_action(
    draft: &mut SetupDraft,
    selection: EditorSelection,
    action: EditorAction,
) -> (EditorSelection, EditorEvent) {
    match action {
        EditorAction::Take(piece) => (EditorSelection::BoxPiece(piece), EditorEvent::Taken(piece)),
        EditorAction::Tap(square) => tap(draft, selection, square),
        EditorAction::Drag(DragSource::Box(piece), Some(square)) => {
            (EditorSelection::Nothing, place(draft, square, piece))
        }
        EditorAction::Drag(DragSource::Box(_), None) => {
            (EditorSelection::Nothing, EditorEvent::Deselected)
        }
        EditorAction::Drag(DragSource::Board(from), Some(to)) if from == to => select(draft, from),
        EditorAction::Drag(DragSource::Board(from), Some(to)) => {
            (EditorSelection::Nothing, move_piece(draft, from, to))
        }
        EditorAction::Drag(DragSource::Board(from), None) => {
            (EditorSelection::Nothing, remove(draft, from))
        }
        EditorAction::Rotate(rotation, square) => rotate(draft, selection, rotation, square),
        EditorAction::Remove(square) => match selection {
            EditorSelection::BoardPiece(picked) => {
                (EditorSelection::Nothing, remove(draft, picked))
            }
            EditorSelection::Nothing | EditorSelection::BoxPiece(_) => {
                (selection, remove(draft, square))
            }
        },
        EditorAction::Cancel if selection == EditorSelection::Nothing => {
            (EditorSelection::Nothing, EditorEvent::Nothing)
        }
        EditorAction::Cancel => (EditorSelection::Nothing, EditorEvent::Deselected),
    }
}

/// Handles a tap on a square.
fn tap(
    draft: &mut SetupDraft,
    selection: EditorSelection,
    square: Square,
) -> (EditorSelection, EditorEvent) {
    match (selection, draft.get(square)) {
        (EditorSelection::BoxPiece(piece), None) => (selection, place(draft, square, piece)),
        (EditorSelection::BoxPiece(piece), Some(_)) if draft.stacks(square, piece) => {
            (selection, place(draft, square, piece))
        }
        (EditorSelection::BoardPiece(from), _) if from == square => {
            (EditorSelection::Nothing, EditorEvent::Deselected)
        }
        (EditorSelection::BoardPiece(from), None) => {
            (EditorSelection::Nothing, move_piece(draft, from, square))
        }
        (EditorSelection::BoardPiece(from), Some(_))
            if draft.get(from).is_some_and(|piece| draft.stacks(square, piece)) =>
        {
            (EditorSelection::Nothing, move_piece(draft, from, square))
        }
        // A tap never replaces a piece; it selects that piece instead.
        (_, Some(_)) => select(draft, square),
        (EditorSelection::Nothing, None) => (EditorSelection::Nothing, EditorEvent::Nothing),
    }
}

/// Selects the piece on a square.
fn select(draft: &SetupDraft, square: Square) -> (EditorSelection, EditorEvent) {
    match draft.get(square) {
        Some(piece) => (EditorSelection::BoardPiece(square), EditorEvent::Selected(square, piece)),
        None => (EditorSelection::Nothing, EditorEvent::Nothing),
    }
}

/// Puts a piece from the box onto a square.
fn place(draft: &mut SetupDraft, square: Square, piece: Piece) -> EditorEvent {
    draft.put(square, piece);
    draft.get(square).map_or(EditorEvent::Nothing, |piece| EditorEvent::Placed(square, piece))
}

/// Moves a piece, or swaps it with the piece on the target.
fn move_piece(draft: &mut SetupDraft, from: Square, to: Square) -> EditorEvent {
    let Some(piece) = draft.get(from) else { return EditorEvent::Nothing };
    let target = draft.get(to);
    draft.move_piece(from, to);
    match target {
        Some(_)
            if draft.get(to).map(Piece::kind) == Some(Kind::Stack) && draft.get(from).is_none() =>
        {
            EditorEvent::Placed(to, Piece::new(piece.color(), Kind::Stack))
        }
        Some(_) => EditorEvent::Swapped { piece, from, to },
        None => EditorEvent::Moved { piece, from, to },
    }
}

/// Removes the piece on a square.
fn remove(draft: &mut SetupDraft, square: Square) -> EditorEvent {
    let Some(piece) = draft.get(square) else { return EditorEvent::Nothing };
    draft.remove(square);
    EditorEvent::Removed(square, piece)
}

/// Rotates the selected piece, or else the piece on a square.
fn rotate(
    draft: &mut SetupDraft,
    selection: EditorSelection,
    rotation: Rotation,
    square: Square,
) -> (EditorSelection, EditorEvent) {
    let square = match selection {
        EditorSelection::BoxPiece(piece) => {
            let rotated = piece.rotated(rotation.quarters());
            return (EditorSelection::BoxPiece(rotated), EditorEvent::BoxPieceRotated(rotated));
        }
        EditorSelection::BoardPiece(picked) => picked,
        EditorSelection::Nothing => square,
    };
    draft.rotate(square, rotation.quarters());
    (
        selection,
        draft.get(square).map_or(EditorEvent::Nothing, |piece| EditorEvent::Rotated(square, piece)),
    )
}

#[cfg(test)]
mod tests {
    use khet::Rules;

    use super::super::setup_draft::{EMPTY, UncheckedSetup};
    use super::*;
    use crate::rules::square;

    fn piece(text: &str) -> Piece {
        text.parse().expect("a piece")
    }

    /// Applies actions in order to an empty board.
    fn apply(actions: &[EditorAction]) -> (SetupDraft, EditorSelection, EditorEvent) {
        let mut draft =
            SetupDraft::new(UncheckedSetup { placement: EMPTY, rules: Rules::Standard });
        let mut now = (EditorSelection::Nothing, EditorEvent::Nothing);
        for &action in actions {
            now = apply_action(&mut draft, now.0, action);
        }
        (draft, now.0, now.1)
    }

    #[test]
    fn a_selected_box_piece_is_placed_several_times() {
        let take = EditorAction::Take(piece("P1"));
        let (draft, selection, event) =
            apply(&[take, EditorAction::Tap(square("c3")), EditorAction::Tap(square("d3"))]);
        assert_eq!(draft.setup().placement.pieces().count(), 4, "two, and their mirror images");
        assert_eq!(selection, EditorSelection::BoxPiece(piece("P1")));
        assert_eq!(event, EditorEvent::Placed(square("d3"), piece("P1")));
    }

    #[test]
    fn a_selected_box_piece_can_be_rotated() {
        let rotation = EditorAction::Rotate(Rotation::Clockwise, square("a1"));
        let (draft, selection, _) =
            apply(&[EditorAction::Take(piece("P4")), rotation, EditorAction::Tap(square("c3"))]);
        assert_eq!(draft.get(square("c3")), Some(piece("P1")));
        assert_eq!(selection, EditorSelection::BoxPiece(piece("P1")));
    }

    #[test]
    fn a_tap_on_a_piece_selects_it_and_replaces_nothing() {
        let start = [
            EditorAction::Take(piece("P1")),
            EditorAction::Tap(square("c3")),
            EditorAction::Take(piece("D1")),
        ];
        let with = |more: &[EditorAction]| apply(&[&start[..], more].concat());
        let (draft, selection, _) = with(&[EditorAction::Tap(square("c3"))]);
        assert_eq!(
            (selection, draft.get(square("c3"))),
            (EditorSelection::BoardPiece(square("c3")), Some(piece("P1")))
        );
        let (draft, selection, event) =
            with(&[EditorAction::Tap(square("c3")), EditorAction::Tap(square("e4"))]);
        assert_eq!((selection, draft.get(square("c3"))), (EditorSelection::Nothing, None));
        let (from, to) = (square("c3"), square("e4"));
        assert_eq!(event, EditorEvent::Moved { piece: piece("P1"), from, to });
        let (_, selection, event) =
            with(&[EditorAction::Tap(square("c3")), EditorAction::Tap(square("c3"))]);
        assert_eq!((selection, event), (EditorSelection::Nothing, EditorEvent::Deselected));
        let (draft, selection, _) =
            with(&[EditorAction::Tap(square("c3")), EditorAction::Remove(square("h8"))]);
        assert_eq!((selection, draft.get(square("c3"))), (EditorSelection::Nothing, None));
        let rotation = EditorAction::Rotate(Rotation::Counterclockwise, square("h8"));
        let (draft, selection, _) = with(&[EditorAction::Tap(square("c3")), rotation]);
        assert_eq!(draft.get(square("c3")), Some(piece("P4")));
        assert_eq!(selection, EditorSelection::BoardPiece(square("c3")), "it stays selected");
    }

    #[test]
    fn a_second_tap_with_an_obelisk_makes_a_stack() {
        let take = EditorAction::Take(piece("O1"));
        let (draft, selection, event) =
            apply(&[take, EditorAction::Tap(square("d1")), EditorAction::Tap(square("d1"))]);
        assert_eq!(draft.get(square("d1")), Some(piece("O2")));
        assert_eq!(event, EditorEvent::Placed(square("d1"), piece("O2")));
        assert_eq!(selection, EditorSelection::BoxPiece(piece("O1")));
        let moved = [
            take,
            EditorAction::Tap(square("d1")),
            EditorAction::Tap(square("e1")),
            EditorAction::Cancel,
        ];
        let stacked =
            [&moved[..], &[EditorAction::Tap(square("d1")), EditorAction::Tap(square("e1"))]]
                .concat();
        assert_eq!(apply(&stacked).0.get(square("e1")), Some(piece("O2")));
    }

    #[test]
    fn a_piece_dragged_off_the_board_is_removed() {
        let onto = EditorAction::Drag(DragSource::Box(piece("D1")), Some(square("c3")));
        let (draft, selection, _) = apply(&[onto]);
        assert_eq!(
            (selection, draft.get(square("c3"))),
            (EditorSelection::Nothing, Some(piece("D1")))
        );
        let (draft, ..) = apply(&[onto, EditorAction::Drag(DragSource::Board(square("c3")), None)]);
        assert_eq!(draft.setup().placement, EMPTY);
        let (draft, ..) =
            apply(&[onto, EditorAction::Drag(DragSource::Box(piece("P1")), Some(square("c3")))]);
        assert_eq!(draft.get(square("c3")), Some(piece("P1")), "a drag replaces the piece");
    }
}
