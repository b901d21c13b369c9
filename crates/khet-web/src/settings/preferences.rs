//! The preferences as plain values, and their text form in storage.

use std::fmt;

/// The theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ThemePreference {
    /// Follows the system.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl ThemePreference {
    /// All themes in the order in which they are offered.
    pub const ALL: [ThemePreference; 3] =
        [ThemePreference::System, ThemePreference::Light, ThemePreference::Dark];

    /// Returns the name used in storage.
    pub fn name(self) -> &'static str {
        match self {
            ThemePreference::System => "system",
            ThemePreference::Light => "light",
            ThemePreference::Dark => "dark",
        }
    }
}

/// The style of the board.
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
    /// All styles in the order in which they are offered.
    pub const ALL: [BoardStyle; 3] = [BoardStyle::Basalt, BoardStyle::Limestone, BoardStyle::Lapis];

    /// Returns the name used in storage and in style sheets.
    pub fn name(self) -> &'static str {
        match self {
            BoardStyle::Basalt => "basalt",
            BoardStyle::Limestone => "limestone",
            BoardStyle::Lapis => "lapis",
        }
    }
}

/// The games in which moves are confirmed before they are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MoveConfirmation {
    /// None.
    Never,
    /// Games with days per move, in which a slip is costly and a second tap costs no time.
    #[default]
    Correspondence,
    /// All games.
    Always,
}

impl MoveConfirmation {
    /// All values in the order in which they are offered.
    pub const ALL: [MoveConfirmation; 3] =
        [MoveConfirmation::Never, MoveConfirmation::Correspondence, MoveConfirmation::Always];

    /// Returns the name used in storage.
    pub fn name(self) -> &'static str {
        match self {
            MoveConfirmation::Never => "never",
            MoveConfirmation::Correspondence => "correspondence",
            MoveConfirmation::Always => "always",
        }
    }
}

/// The user's preferences. `None` follows the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// The theme.
    pub theme: ThemePreference,
    /// The board style; `None` follows the theme.
    pub board: Option<BoardStyle>,
    /// True if contrast is high.
    pub more_contrast: Option<bool>,
    /// True if animations are replaced by still pictures.
    pub reduce_motion: Option<bool>,
    /// True if shots are animated in half the time.
    pub fast_shots: bool,
    /// True if sounds are played.
    pub sound: bool,
    /// True if the wall of the board shows the letters of files and the numbers of ranks.
    pub coordinates: bool,
    /// The games in which moves are confirmed.
    pub move_confirmation: MoveConfirmation,
    /// True if the board of a game stands upright on phones.
    pub upright_board: bool,
}

/// The preferences of the operating system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemPreferences {
    /// Light theme.
    pub light: bool,
    /// High contrast.
    pub more_contrast: bool,
    /// Reduced motion.
    pub reduce_motion: bool,
    /// A phone that is held upright.
    pub portrait_phone: bool,
}

/// The appearance of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appearance {
    /// Light instead of dark theme.
    pub light: bool,
    /// The board style.
    pub board: BoardStyle,
    /// High contrast.
    pub more_contrast: bool,
    /// Reduced motion.
    pub reduce_motion: bool,
    /// Letters of files and numbers of ranks.
    pub coordinates: bool,
    /// Games have an upright board.
    pub upright_board: bool,
}

impl Default for Preferences {
    fn default() -> Preferences {
        Preferences {
            theme: ThemePreference::default(),
            board: None,
            more_contrast: None,
            reduce_motion: None,
            fast_shots: false,
            sound: true,
            coordinates: true,
            move_confirmation: MoveConfirmation::default(),
            upright_board: false,
        }
    }
}

impl Preferences {
    /// Parses stored preferences. Unknown entries are ignored, because another version may have
    /// written them.
    pub fn read(line: &str) -> Preferences {
        let mut preferences = Preferences::default();
        for (name, value) in line.split(' ').filter_map(|word| word.split_once('=')) {
            let switch = match value {
                "on" => Some(true),
                "off" => Some(false),
                _ => None,
            };
            match name {
                "theme" => {
                    let theme =
                        ThemePreference::ALL.into_iter().find(|theme| theme.name() == value);
                    preferences.theme = theme.unwrap_or_default();
                }
                "board" => {
                    let board = BoardStyle::ALL.into_iter().find(|board| board.name() == value);
                    preferences.board = board;
                }
                "more-contrast" => preferences.more_contrast = switch,
                "less-motion" => preferences.reduce_motion = switch,
                "fast-shots" => preferences.fast_shots = switch.unwrap_or(false),
                "sound" => preferences.sound = switch.unwrap_or(true),
                "coordinates" => preferences.coordinates = switch.unwrap_or(true),
                "confirm-moves" => {
                    let known = MoveConfirmation::ALL.into_iter().find(|it| it.name() == value);
                    preferences.move_confirmation = known.unwrap_or_default();
                }
                "upright-board" => preferences.upright_board = switch.unwrap_or(false),
                _ => {}
            }
        }
        preferences
    }

    /// Combines the preferences with those of the system.
    pub fn appearance(self, system: SystemPreferences) -> Appearance {
        let light = match self.theme {
            ThemePreference::System => system.light,
            theme => theme == ThemePreference::Light,
        };
        // The default board matches the theme.
        let default_board = if light { BoardStyle::Limestone } else { BoardStyle::Basalt };
        Appearance {
            light,
            board: self.board.unwrap_or(default_board),
            more_contrast: self.more_contrast.unwrap_or(system.more_contrast),
            reduce_motion: self.reduce_motion.unwrap_or(system.reduce_motion),
            coordinates: self.coordinates,
            upright_board: self.upright_board && system.portrait_phone,
        }
    }
}

impl fmt::Display for Preferences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let switch = |on| if on { "on" } else { "off" };
        write!(f, "theme={}", self.theme.name())?;
        if let Some(board) = self.board {
            write!(f, " board={}", board.name())?;
        }
        if let Some(more) = self.more_contrast {
            write!(f, " more-contrast={}", switch(more))?;
        }
        if let Some(less) = self.reduce_motion {
            write!(f, " less-motion={}", switch(less))?;
        }
        write!(f, " fast-shots={}", switch(self.fast_shots))?;
        write!(f, " sound={}", switch(self.sound))?;
        write!(f, " confirm-moves={}", self.move_confirmation.name())?;
        write!(f, " upright-board={}", switch(self.upright_board))?;
        write!(f, " coordinates={}", switch(self.coordinates))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_preferences_are_read_back() {
        for theme in ThemePreference::ALL {
            for board in BoardStyle::ALL.map(Some).into_iter().chain([None]) {
                for switch in [None, Some(true), Some(false)] {
                    let preferences = Preferences {
                        theme,
                        board,
                        more_contrast: switch,
                        reduce_motion: switch,
                        fast_shots: switch.is_some(),
                        sound: switch.is_some(),
                        coordinates: switch.is_none(),
                        upright_board: switch.is_none(),
                        ..Preferences::default()
                    };
                    assert_eq!(Preferences::read(&preferences.to_string()), preferences);
                }
            }
        }
    }

    #[test]
    fn stored_move_confirmation_is_read_back() {
        for move_confirmation in MoveConfirmation::ALL {
            let preferences = Preferences { move_confirmation, ..Preferences::default() };
            assert_eq!(Preferences::read(&preferences.to_string()), preferences);
        }
        let before = Preferences::read("theme=dark sound=on");
        assert_eq!(before.move_confirmation, MoveConfirmation::Correspondence, "older settings");
    }

    #[test]
    fn board_stands_upright_only_on_an_upright_phone() {
        let preferences = Preferences::read("upright-board=on");
        for portrait_phone in [true, false] {
            let system = SystemPreferences { portrait_phone, ..SystemPreferences::default() };
            assert_eq!(preferences.appearance(system).upright_board, portrait_phone);
            assert!(!Preferences::default().appearance(system).upright_board);
        }
    }

    #[test]
    fn every_board_style_has_a_sample_in_shell_css() {
        for board in BoardStyle::ALL {
            let rule = format!(".sample.{} {{", board.name());
            let has_rule = include_str!("../../style/shell.css").contains(&rule);
            assert!(has_rule, "style/shell.css has no rule {rule} … }}");
        }
    }

    #[test]
    fn invalid_entries_are_ignored() {
        for line in ["", "=", "theme", "theme=plaid  sound= board=", "\u{0}{}", "sound=loud"] {
            assert_eq!(Preferences::read(line), Preferences::default(), "{line:?}");
        }
    }

    #[test]
    fn unset_preferences_follow_the_system() {
        let system = SystemPreferences {
            light: true,
            more_contrast: true,
            reduce_motion: true,
            portrait_phone: false,
        };
        let appearance = Preferences::default().appearance(system);
        assert!(appearance.light && appearance.more_contrast && appearance.reduce_motion);
        assert_eq!(appearance.board, BoardStyle::Limestone, "matches the light theme");
        let preferences = Preferences::read("theme=dark more-contrast=off less-motion=off");
        let appearance = preferences.appearance(system);
        assert!(!appearance.light && !appearance.more_contrast && !appearance.reduce_motion);
    }
}
