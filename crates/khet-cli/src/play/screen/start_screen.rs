//! The start screen: the settings of a new game, and a preview of its setup.

use ratatui::Frame;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

use super::{ScreenLayout, board};
use crate::play::menu::{self, Menu};
use crate::play::palette::Palette;

/// Draws the menu for a new game.
pub(super) fn draw(frame: &mut Frame, menu: &Menu, game_waits: bool, palette: Palette) {
    // Without room for both levels, the preview shows the ground.
    let start = menu.settings().start;
    let area = frame.area();
    let fits = super::too_small(area.width, area.height, start.has_tower()).is_none();
    let start = if fits { start } else { start.with_tower(None) };
    let layout = ScreenLayout::new(area, start.has_tower());
    frame.render_widget(
        Line::from(vec![Span::styled("Khet", palette.gold()), Span::raw("  new game")]),
        layout.title,
    );
    let preview = board::draw_pieces(&start, layout.size, false);
    frame.render_widget(board::board_text(&preview, palette), layout.board);

    let mut lines = Vec::new();
    for line in menu::MenuItem::ALL {
        let name = match line {
            menu::MenuItem::Setup => "Setup",
            menu::MenuItem::Opponent => "Against",
            menu::MenuItem::Level => "Level",
            menu::MenuItem::Side => "You play",
            menu::MenuItem::Rules => "Rules",
        };
        let current = line == menu.current_item();
        let value = if menu.is_enabled(line) { menu.value(line) } else { "–".to_string() };
        let value = if current { format!("‹ {value} ›") } else { format!("  {value}") };
        let style = if current { palette.selected() } else { Style::new() };
        let sign = if current { "▶ " } else { "  " };
        lines.push(Line::styled(format!("{sign}{name}"), palette.quiet()));
        lines.push(Line::from(vec![Span::raw("  "), Span::styled(value, style)]));
    }
    lines.push(Line::raw(""));
    lines.push(Line::raw(menu.explanation()));
    let list = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(list, layout.panel);

    frame.render_widget(
        Text::from(vec![
            Line::raw("Hit the other pharaoh with your laser, and protect your own."),
            Line::styled("Enter starts the game.", palette.gold()),
        ]),
        layout.status,
    );
    let leave = if game_waits { "Esc back to your game  q quit" } else { "q quit" };
    frame.render_widget(
        Line::styled(format!("↑ ↓ select  ← → change  Enter start game  {leave}"), palette.quiet()),
        layout.keys,
    );
}
