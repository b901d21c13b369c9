//! The status below the board: whose turn it is, messages, input lines, confirmations, the result.

use khet::{Color, GamePosition, Outcome};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Stylize;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

use crate::describe;
use crate::play::banner;
use crate::play::palette::Palette;
use crate::play::state::{Opponent, PlayMode, PlayState, ShotPhase};

/// Frames of the search indicator.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇", "⠏", "⠋"];
/// Milliseconds per frame.
const SPINNER_STEP: u128 = 100;

/// Draws the status lines below the board.
pub(super) fn draw(frame: &mut Frame, state: &PlayState, area: Rect, palette: Palette) {
    let over = state.game().outcome().filter(|_| state.shot_phase() == ShotPhase::Over);
    let [first, rest] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    match (state.mode(), over) {
        (PlayMode::Confirm(confirmation), _) => {
            frame.render_widget(text(&confirmation.text()).style(palette.gold()), area);
            return;
        }
        (PlayMode::MoveInput(typed), _) => draw_input(frame, "Move: ", typed, first, palette),
        (PlayMode::FileNameInput(typed), _) => {
            draw_input(frame, "Save as: ", typed, first, palette)
        }
        (PlayMode::Board | PlayMode::Help, Some(outcome)) => {
            draw_result(frame, state, outcome, area, palette);
            return;
        }
        (PlayMode::Board | PlayMode::Help, None) => {
            frame.render_widget(situation(state, palette), first)
        }
    }
    frame.render_widget(text(state.message()), rest);
}

/// Returns a paragraph that wraps.
fn text(text: &str) -> Paragraph<'_> {
    Paragraph::new(text).wrap(Wrap { trim: true })
}

/// Draws an input line; only its end if there is no room for all of it.
fn draw_input(frame: &mut Frame, prompt: &'static str, typed: &str, area: Rect, palette: Palette) {
    let room = usize::from(area.width).saturating_sub(prompt.len() + 1);
    let mut visible = typed;
    while Span::raw(visible).width() > room {
        let mut characters = visible.chars();
        characters.next();
        visible = characters.as_str();
    }
    let line = Line::from(vec![Span::styled(prompt, palette.gold()), Span::raw(visible).bold()]);
    frame.set_cursor_position((area.x + line.width() as u16, area.y));
    frame.render_widget(line, area);
}

/// Draws the result in large letters.
fn draw_result(
    frame: &mut Frame,
    state: &PlayState,
    outcome: Outcome,
    area: Rect,
    palette: Palette,
) {
    let (words, style) = match outcome.winner {
        Some(Color::Silver) => ("SILVER WINS", palette.player(Color::Silver)),
        Some(Color::Red) => ("RED WINS", palette.player(Color::Red)),
        None => ("DRAW", palette.gold()),
    };
    let rows = banner::rows(words);
    let width = rows[0].chars().count() as u16 + 2;
    let [left, right] =
        Layout::horizontal([Constraint::Length(width), Constraint::Min(0)]).areas(area);
    frame.render_widget(Text::from_iter(rows.map(|row| Line::styled(row, style))), left);
    let reason = format!("{outcome}.");
    let message = if state.message().is_empty() { &reason } else { state.message() };
    frame.render_widget(text(message), right);
}

/// Returns what is happening: a shot, a search, or whose turn it is.
fn situation(state: &PlayState, palette: Palette) -> Line<'static> {
    let side = state.game().position().side_to_move();
    if state.shot_phase() != ShotPhase::Over {
        return Line::styled(
            format!("{}'s laser fires.", describe::side_name(!side)),
            palette.gold(),
        );
    }
    if let Some((time, hint)) = state.search_time() {
        let spinner = SPINNER[(time.as_millis() / SPINNER_STEP) as usize % SPINNER.len()];
        let text = if hint { "Looking for a hint" } else { "The computer is thinking" };
        return Line::styled(format!("{text} {spinner}"), palette.quiet());
    }
    let turn = match state.opponent() {
        Opponent::Computer { .. } if state.is_human_turn() => {
            format!("Your turn: you are {}.", describe::side_name(side))
        }
        _ => format!("{}'s turn.", describe::side_name(side)),
    };
    let claim = if state.is_human_turn() && state.game().can_claim_draw() {
        " The position is repeated: d claims a draw."
    } else {
        ""
    };
    Line::styled(format!("{turn}{claim}"), palette.gold())
}
