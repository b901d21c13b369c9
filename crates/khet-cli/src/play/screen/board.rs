//! The board with the shot, the cursor and marks for moves.

use khet::{Move, Placement, Role, Rotation};
use ratatui::text::{Line, Span, Text};

use crate::board_drawing::{BoardDrawing, CharCell, MarkPlace, SquareSize};
use crate::play::palette::Palette;
use crate::play::state::{DropTarget, PlayState, ShotPhase};

/// Draws the pieces, and the built-in lasers if there are no sphinxes.
pub(super) fn draw_pieces(placement: &Placement, size: SquareSize, flipped: bool) -> BoardDrawing {
    let mut drawing = BoardDrawing::new(placement.pieces(), None, size, flipped);
    if !placement.pieces().any(|(_, piece)| piece.role() == Role::Sphinx) {
        drawing.draw_lasers();
    }
    drawing
}

/// Draws the board of a game.
pub(super) fn draw_game(state: &PlayState, size: SquareSize) -> BoardDrawing {
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
    match state.hint() {
        Some(Move::Rotate { square, rotation }) => {
            let sign = if rotation == Rotation::Clockwise { '↻' } else { '↺' };
            drawing.draw_mark(square, MarkPlace::Left, sign);
        }
        Some(mv) => {
            for place in [MarkPlace::Left, MarkPlace::Right] {
                drawing.draw_mark(mv.from(), place, '◇');
                drawing.draw_mark(mv.to(), place, '◆');
            }
        }
        None => {}
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

/// Draws angle brackets around the piece that moved last.
fn mark_last_move(drawing: &mut BoardDrawing, state: &PlayState, mv: Move) {
    if state.board().get(mv.to()).is_some() {
        drawing.draw_mark(mv.to(), MarkPlace::Left, '‹');
        drawing.draw_mark(mv.to(), MarkPlace::Right, '›');
    }
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
