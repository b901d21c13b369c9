//! Below the board: whose turn it is, what happened, what is typed or asked, and the result.

use khet::{Color, Outcome};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Stylize;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

use crate::play::banner;
use crate::play::palette::Palette;
use crate::play::state::{Mode, Opponent, Phase, State};
use crate::words;

/// The sign for thinking, and how many milliseconds it stands still.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇", "⠏", "⠋"];
const SPINNER_STEP: u128 = 100;

pub(super) fn draw(frame: &mut Frame, state: &State, area: Rect, look: Palette) {
    let over = state.game().outcome().filter(|_| state.phase() == Phase::Over);
    let [first, rest] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    match (state.mode(), over) {
        (Mode::Asking(question), _) => {
            frame.render_widget(text(&question.text()).style(look.gold()), area);
            return;
        }
        (Mode::Typing(typed), _) => draw_input(frame, "Move: ", typed, first, look),
        (Mode::Naming(typed), _) => draw_input(frame, "Save as: ", typed, first, look),
        (Mode::Board | Mode::Help, Some(outcome)) => {
            draw_result(frame, state, outcome, area, look);
            return;
        }
        (Mode::Board | Mode::Help, None) => frame.render_widget(now(state, look), first),
    }
    frame.render_widget(text(state.message()), rest);
}

fn text(text: &str) -> Paragraph<'_> {
    Paragraph::new(text).wrap(Wrap { trim: true })
}

/// A line that is being typed; its end if there is no room for all of it.
fn draw_input(frame: &mut Frame, prompt: &'static str, typed: &str, area: Rect, look: Palette) {
    let room = usize::from(area.width).saturating_sub(prompt.len() + 1);
    let mut seen = typed;
    while Span::raw(seen).width() > room {
        let mut signs = seen.chars();
        signs.next();
        seen = signs.as_str();
    }
    let line = Line::from(vec![Span::styled(prompt, look.gold()), Span::raw(seen).bold()]);
    frame.set_cursor_position((area.x + line.width() as u16, area.y));
    frame.render_widget(line, area);
}

/// The result in large words.
fn draw_result(frame: &mut Frame, state: &State, outcome: Outcome, area: Rect, look: Palette) {
    let (words, style) = match outcome.winner {
        Some(Color::Silver) => ("SILVER WINS", look.player(Color::Silver)),
        Some(Color::Red) => ("RED WINS", look.player(Color::Red)),
        None => ("DRAW", look.gold()),
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

/// What happens now.
fn now(state: &State, look: Palette) -> Line<'static> {
    let side = state.game().position().side_to_move();
    if state.phase() != Phase::Over {
        return Line::styled(format!("{}'s laser fires.", words::player(!side)), look.gold());
    }
    if let Some((time, hint)) = state.thinking() {
        let spinner = SPINNER[(time.as_millis() / SPINNER_STEP) as usize % SPINNER.len()];
        let who = if hint { "Looking for a hint" } else { "The computer thinks" };
        return Line::styled(format!("{who} {spinner}"), look.quiet());
    }
    let whose = match state.opponent() {
        Opponent::Computer { .. } if state.is_human_turn() => {
            format!("Your turn: you are {}.", words::player(side))
        }
        _ => format!("{}'s turn.", words::player(side)),
    };
    let claim = if state.is_human_turn() && state.game().can_claim_draw() {
        " This arrangement has come back: d claims a draw."
    } else {
        ""
    };
    Line::styled(format!("{whose}{claim}"), look.gold())
}
