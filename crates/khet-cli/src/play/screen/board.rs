//! The board with the shot, the cursor and marks for moves.

use khet::tower::{Square, TowerMove};
use khet::{AnyPlacement, Move, Role, Rotation};
use ratatui::text::{Line, Span, Text};

use super::BoardSize;
use crate::board_drawing::{BoardDrawing, CharCell, MarkPlace};
use crate::play::palette::Palette;
use crate::play::state::{DropTarget, PlayState, ShotPhase};

/// Draws the pieces, and the built-in lasers if there are no sphinxes.
pub(super) fn draw_pieces(
    placement: &AnyPlacement,
    size: BoardSize,
    flipped: bool,
) -> BoardDrawing {
    let BoardSize { square, arrangement } = size;
    let column = placement.tower_column();
    let mut drawing =
        BoardDrawing::arranged(placement.pieces(), column, square, arrangement, flipped);
    if !placement.pieces().any(|(_, piece)| piece.role() == Role::Sphinx) {
        drawing.draw_lasers();
    }
    drawing
}

/// Draws the board of a game.
pub(super) fn draw_game(state: &PlayState, size: BoardSize) -> BoardDrawing {
    let mut drawing = draw_pieces(&state.board(), size, state.flipped());
    let phase = state.shot_phase();
    if let (Some(shot), Some(&mv)) = (state.shots().last(), state.game().moves().last()) {
        match phase {
            ShotPhase::Running(steps) => drawing.draw_partial_shot(shot, steps),
            ShotPhase::Flash => drawing.draw_shot(shot),
            ShotPhase::Over if state.game().outcome().is_some() => drawing.draw_shot(shot),
            ShotPhase::Over => drawing.draw_afterglow(shot),
        }
        mark_last_move(&mut drawing, state, mv);
        for hit in shot.hits.iter().filter(|_| !matches!(phase, ShotPhase::Running(_))) {
            let sign = if phase == ShotPhase::Flash { '✸' } else { '×' };
            let place = if hit.left.is_some() { MarkPlace::Right } else { MarkPlace::Middle };
            drawing.draw_mark(hit.square, place, sign);
        }
    }
    if phase != ShotPhase::Over {
        return drawing;
    }
    if let Some(mv) = state.hint() {
        mark_hint(&mut drawing, state, mv);
    }
    for (square, target) in state.drop_targets() {
        match target {
            DropTarget::Empty => drawing.draw_mark(square, MarkPlace::Middle, '•'),
            DropTarget::Swap => drawing.draw_mark(square, MarkPlace::Left, '⇄'),
            DropTarget::Stack => drawing.draw_mark(square, MarkPlace::Left, '▂'),
        }
    }
    if state.game().outcome().is_none() {
        drawing.draw_cursor(state.cursor());
    }
    if let Some(selection) = state.selection() {
        drawing.draw_mark(selection.square, MarkPlace::Left, '[');
        drawing.draw_mark(
            selection.square,
            MarkPlace::Right,
            if selection.top_only { '^' } else { ']' },
        );
    }
    drawing
}

/// Draws angle brackets around the piece that moved last, or around the squares of the tower.
fn mark_last_move(drawing: &mut BoardDrawing, state: &PlayState, mv: Move<Square>) {
    let board = state.board();
    let moved: Vec<Square> = match mv {
        Move::Step { to, .. } | Move::Unstack { to, .. } => vec![to],
        Move::Rotate { square, .. } => vec![square],
        Move::Tower(_) => column_squares(&board),
    };
    let is_tower_move = matches!(mv, Move::Tower(_));
    for square in moved.into_iter().filter(|&square| is_tower_move || board.get(square).is_some()) {
        drawing.draw_mark(square, MarkPlace::Left, '‹');
        drawing.draw_mark(square, MarkPlace::Right, '›');
    }
}

/// Draws the signs of a hint.
fn mark_hint(drawing: &mut BoardDrawing, state: &PlayState, mv: Move<Square>) {
    let mut mark_both_ends = |square: Square, sign| {
        for place in [MarkPlace::Left, MarkPlace::Right] {
            drawing.draw_mark(square, place, sign);
        }
    };
    let rotation_sign =
        |rotation: Rotation| if rotation == Rotation::Clockwise { '↻' } else { '↺' };
    match mv {
        Move::Step { from, to } | Move::Unstack { from, to } => {
            mark_both_ends(from, '◇');
            mark_both_ends(to, '◆');
        }
        Move::Rotate { square, rotation } => {
            drawing.draw_mark(square, MarkPlace::Left, rotation_sign(rotation));
        }
        Move::Tower(TowerMove::Rotate(rotation)) => {
            for square in column_squares(&state.board()) {
                drawing.draw_mark(square, MarkPlace::Left, rotation_sign(rotation));
            }
        }
        Move::Tower(TowerMove::Shift(to)) => {
            let column = state.board().tower_column();
            column.into_iter().for_each(|column| mark_both_ends(column.lower_left().into(), '◇'));
            mark_both_ends(to.into(), '◆');
        }
    }
}

/// Returns the ground squares of the tower's column.
fn column_squares(board: &AnyPlacement) -> Vec<Square> {
    let squares = board.tower_column().into_iter().flat_map(|column| column.squares());
    squares.map(Square::from).collect()
}

/// Returns the drawing as styled text.
pub(super) fn board_text(drawing: &BoardDrawing, palette: Palette) -> Text<'static> {
    let line = |row: &Vec<CharCell>| {
        let chunks = row.chunk_by(|one, other| one.1 == other.1);
        let span = |cells: &[CharCell]| {
            let text: String = cells.iter().map(|cell| cell.0).collect();
            Span::styled(text, palette.cell(cells[0].1))
        };
        Line::from_iter(chunks.map(span))
    };
    Text::from_iter(drawing.rows().iter().map(line))
}
