//! The start screen.

use ratatui::Frame;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

use super::{Places, board};
use crate::play::menu::{self, Menu};
use crate::play::palette::Palette;

pub(super) fn draw(frame: &mut Frame, menu: &Menu, game_waits: bool, look: Palette) {
    let places = Places::of(frame.area());
    frame.render_widget(
        Line::from(vec![Span::styled("Khet", look.gold()), Span::raw("  a new game")]),
        places.title,
    );
    let preview = board::still_board(&menu.choice().start, places.size, false);
    frame.render_widget(board::board_text(&preview, look), places.board);

    let mut lines = Vec::new();
    for line in menu::Line::ALL {
        let name = match line {
            menu::Line::Setup => "Setup",
            menu::Line::Opponent => "Against",
            menu::Line::Level => "Level",
            menu::Line::Side => "You play",
            menu::Line::Rules => "Rules",
        };
        let current = line == menu.line();
        let value = if menu.is_open(line) { menu.value(line) } else { "–".to_string() };
        let value = if current { format!("‹ {value} ›") } else { format!("  {value}") };
        let style = if current { look.chosen() } else { Style::new() };
        let sign = if current { "▶ " } else { "  " };
        lines.push(Line::styled(format!("{sign}{name}"), look.quiet()));
        lines.push(Line::from(vec![Span::raw("  "), Span::styled(value, style)]));
    }
    lines.push(Line::raw(""));
    lines.push(Line::raw(menu.explanation()));
    let list = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(list, places.panel);

    frame.render_widget(
        Text::from(vec![
            Line::raw("Light the other pharaoh with your laser, and guard your own."),
            Line::styled("Enter begins.", look.gold()),
        ]),
        places.status,
    );
    let leave = if game_waits { "Esc back to your game  q quit" } else { "q quit" };
    frame.render_widget(
        Line::styled(
            format!("↑ ↓ choose a line  ← → change it  Enter begin  {leave}"),
            look.quiet(),
        ),
        places.keys,
    );
}
