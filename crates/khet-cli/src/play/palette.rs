//! The colours of the screen, or text styles alone if colours are switched off.

use std::env;

use khet::Color as Player;
use ratatui::style::{Color, Modifier, Style};

use crate::board_drawing::CellKind;

/// The styles of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Palette {
    colorful: bool,
}

impl Palette {
    /// Returns a palette with colours, unless `NO_COLOR` is set.
    pub(crate) fn from_environment() -> Palette {
        Palette { colorful: env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) }
    }

    /// Returns a palette without colours.
    #[cfg(test)]
    pub(crate) fn plain() -> Palette {
        Palette { colorful: false }
    }

    /// Returns the style of a cell of the board.
    pub(crate) fn cell(self, kind: CellKind) -> Style {
        let (color, modifier) = match kind {
            CellKind::Label => (Color::Gray, Modifier::empty()),
            CellKind::Grid => (Color::DarkGray, Modifier::DIM),
            CellKind::Column => (Color::Yellow, Modifier::empty()),
            CellKind::Reserved(Player::Silver) => (Color::Cyan, Modifier::DIM),
            CellKind::Reserved(Player::Red) => (Color::Red, Modifier::DIM),
            CellKind::Piece(Player::Silver) => (Color::White, Modifier::BOLD),
            CellKind::Piece(Player::Red) => (Color::LightRed, Modifier::BOLD),
            CellKind::Beam(Player::Silver) => (Color::LightCyan, Modifier::BOLD),
            CellKind::Beam(Player::Red) => (Color::LightMagenta, Modifier::BOLD),
            CellKind::Afterglow(Player::Silver) => (Color::Cyan, Modifier::empty()),
            CellKind::Afterglow(Player::Red) => (Color::Magenta, Modifier::empty()),
            CellKind::Cursor | CellKind::Mark => (Color::LightYellow, Modifier::BOLD),
        };
        // With colours, the dark colours are faint enough.
        let modifier = if self.colorful { modifier - Modifier::DIM } else { modifier };
        self.style(color).add_modifier(modifier)
    }

    /// Returns the style of a player's name.
    pub(crate) fn player(self, player: Player) -> Style {
        self.cell(CellKind::Piece(player))
    }

    /// Returns the style of titles and questions.
    pub(crate) fn gold(self) -> Style {
        self.style(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of secondary text.
    pub(crate) fn quiet(self) -> Style {
        self.style(Color::Gray)
    }

    /// Returns the style of the selected item of a list.
    pub(crate) fn selected(self) -> Style {
        self.gold().add_modifier(Modifier::REVERSED)
    }

    /// Returns a style with this colour, if the palette is colourful.
    fn style(self, color: Color) -> Style {
        if self.colorful { Style::new().fg(color) } else { Style::new() }
    }
}
