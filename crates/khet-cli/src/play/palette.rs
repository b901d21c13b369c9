//! Colours of the screen, and how it does without them.

use std::env;

use khet::Color as Player;
use ratatui::style::{Color, Modifier, Style};

use crate::drawing::Ink;

/// How things look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Palette {
    colorful: bool,
}

impl Palette {
    /// With colours, unless the player has set `NO_COLOR`.
    pub(crate) fn from_environment() -> Palette {
        Palette { colorful: env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) }
    }

    #[cfg(test)]
    pub(crate) fn plain() -> Palette {
        Palette { colorful: false }
    }

    /// A part of the board.
    pub(crate) fn ink(self, ink: Ink) -> Style {
        let (color, modifier) = match ink {
            Ink::Label => (Color::Gray, Modifier::empty()),
            Ink::Grid => (Color::DarkGray, Modifier::DIM),
            Ink::Reserved(Player::Silver) => (Color::Cyan, Modifier::DIM),
            Ink::Reserved(Player::Red) => (Color::Red, Modifier::DIM),
            Ink::Piece(Player::Silver) => (Color::White, Modifier::BOLD),
            Ink::Piece(Player::Red) => (Color::LightRed, Modifier::BOLD),
            Ink::Beam(Player::Silver) => (Color::LightCyan, Modifier::BOLD),
            Ink::Beam(Player::Red) => (Color::LightMagenta, Modifier::BOLD),
            Ink::Afterglow(Player::Silver) => (Color::Cyan, Modifier::empty()),
            Ink::Afterglow(Player::Red) => (Color::Magenta, Modifier::empty()),
            Ink::Cursor | Ink::Mark => (Color::LightYellow, Modifier::BOLD),
        };
        // A dark colour is faint enough.
        let modifier = if self.colorful { modifier - Modifier::DIM } else { modifier };
        self.style(color).add_modifier(modifier)
    }

    /// A player's name.
    pub(crate) fn player(self, player: Player) -> Style {
        self.ink(Ink::Piece(player))
    }

    /// Titles, and what is asked.
    pub(crate) fn gold(self) -> Style {
        self.style(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// What matters less.
    pub(crate) fn quiet(self) -> Style {
        self.style(Color::Gray)
    }

    /// What is chosen from a list.
    pub(crate) fn chosen(self) -> Style {
        self.gold().add_modifier(Modifier::REVERSED)
    }

    fn style(self, color: Color) -> Style {
        if self.colorful { Style::new().fg(color) } else { Style::new() }
    }
}
