//! The choices as plain values, and as the line of text in which they are remembered.

use std::fmt;

/// Night, day, or as the system has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// The temple by day.
    Light,
    /// The temple at night.
    Dark,
}

impl Theme {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// Its word in the remembered line.
    pub fn word(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// What the board is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardStyle {
    /// Dark stone with gold.
    Basalt,
    /// Light stone with bronze.
    Limestone,
    /// Deep blue with gold.
    Lapis,
}

impl BoardStyle {
    /// All of them, in the order in which they are offered.
    pub const ALL: [BoardStyle; 3] = [BoardStyle::Basalt, BoardStyle::Limestone, BoardStyle::Lapis];

    /// Its word in the remembered line and in style sheets.
    pub fn word(self) -> &'static str {
        match self {
            BoardStyle::Basalt => "basalt",
            BoardStyle::Limestone => "limestone",
            BoardStyle::Lapis => "lapis",
        }
    }
}

/// All that a person can choose. `None` leaves it to the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Night or day.
    pub theme: Theme,
    /// The board; `None` follows the theme.
    pub board: Option<BoardStyle>,
    /// Whether contrasts are high.
    pub more_contrast: Option<bool>,
    /// Whether still pictures are shown instead of motion.
    pub less_motion: Option<bool>,
    /// Whether sounds are played.
    pub sound: bool,
}

/// What the system wishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// A light theme.
    pub light: bool,
    /// High contrasts.
    pub more_contrast: bool,
    /// Little motion.
    pub less_motion: bool,
}

/// What the page looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Day, not night.
    pub light: bool,
    /// The board.
    pub board: BoardStyle,
    /// High contrasts.
    pub more_contrast: bool,
    /// Little motion.
    pub less_motion: bool,
}

impl Default for Choices {
    fn default() -> Choices {
        Choices {
            theme: Theme::default(),
            board: None,
            more_contrast: None,
            less_motion: None,
            sound: true,
        }
    }
}

impl Choices {
    /// Reads a remembered line. Words that are not understood are left out, so that nothing that
    /// another version wrote does harm.
    pub fn read(line: &str) -> Choices {
        let mut choices = Choices::default();
        for (name, value) in line.split(' ').filter_map(|word| word.split_once('=')) {
            let switch = match value {
                "on" => Some(true),
                "off" => Some(false),
                _ => None,
            };
            match name {
                "theme" => {
                    let theme = Theme::ALL.into_iter().find(|theme| theme.word() == value);
                    choices.theme = theme.unwrap_or_default();
                }
                "board" => {
                    let board = BoardStyle::ALL.into_iter().find(|board| board.word() == value);
                    choices.board = board;
                }
                "more-contrast" => choices.more_contrast = switch,
                "less-motion" => choices.less_motion = switch,
                "sound" => choices.sound = switch.unwrap_or(true),
                _ => {}
            }
        }
        choices
    }

    /// What the page looks like on a system with these wishes.
    pub fn look(self, system: System) -> Look {
        let light = match self.theme {
            Theme::System => system.light,
            theme => theme == Theme::Light,
        };
        // The temple at night is dark stone, by day limestone.
        let of_theme = if light { BoardStyle::Limestone } else { BoardStyle::Basalt };
        Look {
            light,
            board: self.board.unwrap_or(of_theme),
            more_contrast: self.more_contrast.unwrap_or(system.more_contrast),
            less_motion: self.less_motion.unwrap_or(system.less_motion),
        }
    }
}

impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let switch = |on| if on { "on" } else { "off" };
        write!(f, "theme={}", self.theme.word())?;
        if let Some(board) = self.board {
            write!(f, " board={}", board.word())?;
        }
        if let Some(more) = self.more_contrast {
            write!(f, " more-contrast={}", switch(more))?;
        }
        if let Some(less) = self.less_motion {
            write!(f, " less-motion={}", switch(less))?;
        }
        write!(f, " sound={}", switch(self.sound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_remembered_is_what_was_chosen() {
        for theme in Theme::ALL {
            for board in BoardStyle::ALL.map(Some).into_iter().chain([None]) {
                for switch in [None, Some(true), Some(false)] {
                    let choices = Choices {
                        theme,
                        board,
                        more_contrast: switch,
                        less_motion: switch,
                        sound: switch.is_some(),
                    };
                    assert_eq!(Choices::read(&choices.to_string()), choices);
                }
            }
        }
    }

    #[test]
    fn a_damaged_memory_does_no_harm() {
        for line in ["", "=", "theme", "theme=plaid  sound= board=", "\u{0}{}", "sound=loud"] {
            assert_eq!(Choices::read(line), Choices::default(), "{line:?}");
        }
    }

    #[test]
    fn the_system_decides_where_nothing_is_chosen() {
        let system = System { light: true, more_contrast: true, less_motion: true };
        let look = Choices::default().look(system);
        assert!(look.light && look.more_contrast && look.less_motion);
        assert_eq!(look.board, BoardStyle::Limestone, "by day");
        let choices = Choices::read("theme=dark more-contrast=off less-motion=off");
        let look = choices.look(system);
        assert!(!look.light && !look.more_contrast && !look.less_motion);
    }
}
