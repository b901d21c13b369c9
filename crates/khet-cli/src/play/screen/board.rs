//! The board, with everything that is marked on it.

use khet::{Move, Placement, Role, Rotation};
use ratatui::text::{Line, Span, Text};

use crate::drawing::{Cell, Drawing, Size, Spot};
use crate::play::palette::Palette;
use crate::play::state::{Phase, State, Target};

/// The pieces and the lasers.
pub(super) fn still_board(placement: &Placement, size: Size, flipped: bool) -> Drawing {
    let mut drawing = Drawing::new(placement, size, flipped);
    if !placement.pieces().any(|(_, piece)| piece.role() == Role::Sphinx) {
        drawing.lasers();
    }
    drawing
}

/// The board with everything that is marked on it.
pub(super) fn board(state: &State, size: Size) -> Drawing {
    let mut drawing = still_board(&state.board(), size, state.flipped());
    let phase = state.phase();
    if let (Some(shot), Some(&mv)) = (state.shots().last(), state.game().moves().last()) {
        match phase {
            Phase::Running(steps) => drawing.shot_after(shot, steps),
            Phase::Flash => drawing.shot(shot),
            Phase::Over if state.game().outcome().is_some() => drawing.shot(shot),
            Phase::Over => drawing.afterglow(shot),
        }
        mark_move(&mut drawing, state, mv);
        for hit in shot.hits.iter().filter(|_| !matches!(phase, Phase::Running(_))) {
            let sign = if phase == Phase::Flash { '✸' } else { '×' };
            let spot = if hit.left.is_some() { Spot::Right } else { Spot::Middle };
            drawing.mark(hit.square, spot, sign);
        }
    }
    if phase != Phase::Over {
        return drawing;
    }
    match state.hint() {
        Some(Move::Rotate { square, rotation }) => {
            let sign = if rotation == Rotation::Clockwise { '↻' } else { '↺' };
            drawing.mark(square, Spot::Left, sign);
        }
        Some(mv) => {
            for spot in [Spot::Left, Spot::Right] {
                drawing.mark(mv.from(), spot, '◇');
                drawing.mark(mv.to(), spot, '◆');
            }
        }
        None => {}
    }
    for (square, target) in state.targets() {
        match target {
            Target::Move => drawing.mark(square, Spot::Middle, '•'),
            Target::Swap => drawing.mark(square, Spot::Left, '⇄'),
            Target::Stack => drawing.mark(square, Spot::Left, '▂'),
        }
    }
    if state.game().outcome().is_none() {
        drawing.cursor(state.cursor());
    }
    if let Some(hand) = state.hand() {
        drawing.mark(hand.square, Spot::Left, '[');
        drawing.mark(hand.square, Spot::Right, if hand.top_only { '^' } else { ']' });
    }
    drawing
}

/// Small angles around the piece that was moved last.
fn mark_move(drawing: &mut Drawing, state: &State, mv: Move) {
    if state.board().get(mv.to()).is_some() {
        drawing.mark(mv.to(), Spot::Left, '‹');
        drawing.mark(mv.to(), Spot::Right, '›');
    }
}

pub(super) fn board_text(drawing: &Drawing, look: Palette) -> Text<'static> {
    let line = |row: &Vec<Cell>| {
        let chunks = row.chunk_by(|one, other| one.1 == other.1);
        let span = |cells: &[Cell]| {
            let text: String = cells.iter().map(|cell| cell.0).collect();
            Span::styled(text, look.ink(cells[0].1))
        };
        Line::from_iter(chunks.map(span))
    };
    Text::from_iter(drawing.rows().iter().map(line))
}
