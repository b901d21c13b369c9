//! The panel beside the board: the players, their lost pieces, and the moves.

use khet::tower::Square;
use khet::{Color, GamePosition, Piece, Role};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span, Text};

use crate::board_drawing::CellKind;
use crate::describe;
use crate::play::palette::Palette;
use crate::play::state::{Opponent, PlayState, ShotPhase};

/// Draws the panel beside the board.
pub(super) fn draw(frame: &mut Frame, state: &PlayState, area: Rect, palette: Palette) {
    let [top, upper, list, lower, bottom] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(2),
    ])
    .areas(area);
    let bottom_color = if state.flipped() { Color::Red } else { Color::Silver };
    let width = usize::from(area.width);
    frame.render_widget(player(state, !bottom_color, width, palette), top);
    frame.render_widget(player(state, bottom_color, width, palette), bottom);
    for rule in [upper, lower] {
        frame.render_widget(Line::styled("─".repeat(width), palette.cell(CellKind::Grid)), rule);
    }
    let rows = move_rows(state, width);
    let first = rows.len().saturating_sub(usize::from(list.height));
    let rows = rows[first..].iter().map(|row| Line::raw(row.clone()));
    frame.render_widget(Text::from_iter(rows), list);
}

/// Returns a player's name and lost pieces.
fn player(state: &PlayState, color: Color, width: usize, palette: Palette) -> Text<'static> {
    let name = match state.opponent() {
        Opponent::Computer { level, .. } if state.is_computer(color) => {
            format!("computer {}", level.number())
        }
        Opponent::Computer { .. } => "you".to_string(),
        Opponent::Friend => String::new(),
    };
    let over = state.game().outcome().is_some();
    let to_move = !over && state.game().position().side_to_move() == color;
    let sign = if to_move { "▶ " } else { "  " };
    Text::from(vec![
        Line::from(vec![
            Span::styled(sign, palette.gold()),
            Span::styled(describe::side_name(color), palette.player(color)),
            Span::raw(format!("  {name}")),
        ]),
        Line::styled(lost_pieces(state, color, width), palette.quiet()),
    ])
}

/// Returns the pieces that a player has lost: their names, or letters if those do not fit.
fn lost_pieces(state: &PlayState, color: Color, width: usize) -> String {
    let count = |pieces: &mut dyn Iterator<Item = (Square, Piece)>, role: Role| -> u32 {
        let own = pieces.filter(|(_, piece)| piece.color() == color && piece.role() == role);
        own.map(|(_, piece)| if piece.remains().is_some() { 2 } else { 1 }).sum()
    };
    let (start, board) = (state.game().start().placement(), state.board());
    let losses = Role::ALL.map(|role| {
        let missing = count(&mut start.pieces(), role) - count(&mut board.pieces(), role);
        (role, missing)
    });
    let losses: Vec<(Role, u32)> = losses.into_iter().filter(|&(_, number)| number > 0).collect();
    if losses.is_empty() {
        return "  nothing lost".to_string();
    }
    let join = |texts: Vec<String>| format!("  lost {}", texts.join(", "));
    let name = |&(role, number): &(Role, u32)| match number {
        1 => role.to_string(),
        _ if role == Role::Anubis => format!("{number} {role}"),
        _ => format!("{number} {role}s"),
    };
    let letters = |&(role, number): &(Role, u32)| match color {
        Color::Silver => format!("{number}{}", role.letter()),
        Color::Red => format!("{number}{}", role.letter().to_ascii_lowercase()),
    };
    let long = join(losses.iter().map(name).collect());
    if long.chars().count() <= width { long } else { join(losses.iter().map(letters).collect()) }
}

/// Returns the moves with their hits, Silver's and Red's in one row.
fn move_rows(state: &PlayState, width: usize) -> Vec<String> {
    let game = state.game();
    let column = (width - 4) / 2;
    // The hits of the last shot are shown after its animation.
    let finished_shots = state.shots().len() - usize::from(state.shot_phase() != ShotPhase::Over);
    let mut texts: Vec<String> = Vec::new();
    if game.start().side_to_move() == Color::Red {
        texts.push("…".to_string());
    }
    for (index, (mv, shot)) in game.moves().iter().zip(state.shots()).enumerate() {
        let text = if index < finished_shots { format!("{mv} {shot}") } else { mv.to_string() };
        texts.push(text.trim_end().to_string());
    }
    let row = |(index, pair): (usize, &[String])| {
        let red = pair.get(1).map_or("", String::as_str);
        format!("{:>2}. {:column$}{red}", index + 1, pair[0])
    };
    texts.chunks(2).enumerate().map(row).collect()
}
