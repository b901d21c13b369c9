//! The state of the start screen, where the settings of a game are chosen.

use khet::{AnyPlacement, AnyPosition, AnySetup, Color, Rules, Setup};
use khet_engine::Level;
use ratatui::crossterm::event::KeyCode;

use crate::play::state::{Opponent, PlayState};

/// The side that the person plays against the computer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum SideSetting {
    #[default]
    Silver,
    Red,
    Random,
}

/// The settings of a new game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameSettings {
    pub(crate) start: AnyPlacement,
    pub(crate) rules: Rules,
    pub(crate) friend: bool,
    pub(crate) side: SideSetting,
    pub(crate) level: Level,
}

impl GameSettings {
    /// Starts a game. `seed` decides a random side, `date` is used in the suggested file name.
    pub(crate) fn start_game(
        self,
        seed: u64,
        date: &str,
    ) -> Result<PlayState, khet::InvalidAnyPosition> {
        let start = AnyPosition::new(&self.start, self.rules)?;
        let side = match self.side {
            SideSetting::Silver => Color::Silver,
            SideSetting::Red => Color::Red,
            SideSetting::Random => Color::ALL[(seed % 2) as usize],
        };
        let opponent = if self.friend {
            Opponent::Friend
        } else {
            Opponent::Computer { level: self.level, color: !side }
        };
        Ok(PlayState::new(start, opponent, date))
    }
}

/// A setting on the start screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MenuItem {
    Setup,
    Opponent,
    Level,
    Side,
    Rules,
}

impl MenuItem {
    pub(crate) const ALL: [MenuItem; 5] =
        [MenuItem::Setup, MenuItem::Opponent, MenuItem::Level, MenuItem::Side, MenuItem::Rules];
}

/// A decision on the start screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum MenuAction {
    StartGame(GameSettings),
    /// Back to the running game; quits if there is none.
    Back,
    Quit,
}

/// The start screen.
pub(crate) struct Menu {
    /// Index of the current item.
    current: usize,
    /// The named setups, and the position from the command line if it is none of them.
    starts: Vec<AnyPlacement>,
    start: usize,
    settings: GameSettings,
}

impl Menu {
    pub(crate) fn new(settings: GameSettings) -> Menu {
        let mut starts: Vec<AnyPlacement> = AnySetup::all().map(AnySetup::placement).collect();
        let known = starts.iter().position(|start| *start == settings.start);
        let start = known.unwrap_or_else(|| {
            starts.push(settings.start);
            starts.len() - 1
        });
        Menu { current: 0, starts, start, settings }
    }

    pub(crate) fn settings(&self) -> &GameSettings {
        &self.settings
    }

    /// Returns the item that the left and right keys change.
    pub(crate) fn current_item(&self) -> MenuItem {
        MenuItem::ALL[self.current]
    }

    /// Returns whether an item can be changed. Two people need neither a level nor a side.
    pub(crate) fn is_enabled(&self, item: MenuItem) -> bool {
        !(self.settings.friend && matches!(item, MenuItem::Level | MenuItem::Side))
    }

    /// Returns the text of an item's value.
    pub(crate) fn value(&self, item: MenuItem) -> String {
        match item {
            MenuItem::Setup => start_name(&self.settings.start).to_string(),
            MenuItem::Opponent if self.settings.friend => "a friend".to_string(),
            MenuItem::Opponent => "the computer".to_string(),
            MenuItem::Level => self.settings.level.number().to_string(),
            MenuItem::Side => match self.settings.side {
                SideSetting::Silver => "Silver, who begins".to_string(),
                SideSetting::Red => "Red".to_string(),
                SideSetting::Random => "random".to_string(),
            },
            MenuItem::Rules => self.settings.rules.name().to_string(),
        }
    }

    /// Returns a sentence that explains the value of the current item.
    pub(crate) fn explanation(&self) -> &'static str {
        match self.current_item() {
            MenuItem::Setup => self.explain_setup(),
            MenuItem::Opponent if self.settings.friend => "Two people at this keyboard.",
            MenuItem::Opponent => "The computer, at the level below.",
            MenuItem::Level => describe_level(self.settings.level),
            MenuItem::Side => "Your side is at the bottom; f flips the board.",
            MenuItem::Rules => match self.settings.rules {
                Rules::Standard => "The rules of nearly all editions.",
                Rules::Czech => "Djeds swap only with own pieces; draw at the first repetition.",
            },
        }
    }

    /// Returns a sentence that explains the setup.
    fn explain_setup(&self) -> &'static str {
        let setup = match AnySetup::of(&self.settings.start) {
            None => return "The position from the command line.",
            Some(AnySetup::Tower(_)) => {
                return "The Tower of Kadesh: a second level, on a tower that both players move.";
            }
            Some(AnySetup::Standard(setup)) => setup,
        };
        match setup {
            Setup::Classic => "For a first game. Standard pieces.",
            Setup::Imhotep | Setup::Dynasty => "Standard pieces.",
            Setup::Khet2Classic | Setup::Khet2Imhotep | Setup::Khet2Dynasty => {
                "Khet 2.0: the lasers are sphinxes, with scarabs and Anubis."
            }
            Setup::Khet2ImhotepEye | Setup::Khet2DynastyEye | Setup::Osiris | Setup::Isis => {
                "Khet 2.0 with the Eye of Horus, which splits the beam."
            }
        }
    }

    /// Handles a key.
    pub(crate) fn key(&mut self, key: KeyCode) -> Option<MenuAction> {
        match key {
            KeyCode::Up => self.move_by(-1),
            KeyCode::Down | KeyCode::Tab => self.move_by(1),
            KeyCode::Left => self.change(-1),
            KeyCode::Right | KeyCode::Char(' ') => self.change(1),
            KeyCode::Char(digit @ '0'..='9') => {
                let number = if digit == '0' { 10 } else { digit as u8 - b'0' };
                self.settings.level = Level::new(number).unwrap_or(self.settings.level);
            }
            KeyCode::Enter => return Some(MenuAction::StartGame(self.settings)),
            KeyCode::Esc => return Some(MenuAction::Back),
            KeyCode::Char('q') => return Some(MenuAction::Quit),
            _ => {}
        }
        None
    }

    /// Moves to the next enabled item in a direction.
    fn move_by(&mut self, step: isize) {
        let lines = MenuItem::ALL.len() as isize;
        loop {
            self.current = (self.current as isize + step).rem_euclid(lines) as usize;
            if self.is_enabled(self.current_item()) {
                return;
            }
        }
    }

    /// Changes the value of the current item.
    fn change(&mut self, step: isize) {
        let shift = |index: usize, count: usize| {
            (index as isize + step).rem_euclid(count as isize) as usize
        };
        match self.current_item() {
            MenuItem::Setup => {
                self.start = shift(self.start, self.starts.len());
                self.settings.start = self.starts[self.start];
            }
            MenuItem::Opponent => self.settings.friend = !self.settings.friend,
            MenuItem::Level => {
                // Stops at both ends, so that one key press does not lead from level 1 to 10.
                let number = self.settings.level.number().saturating_add_signed(step as i8);
                self.settings.level = Level::new(number).unwrap_or(self.settings.level);
            }
            MenuItem::Side => {
                let sides = [SideSetting::Silver, SideSetting::Red, SideSetting::Random];
                self.settings.side = sides[shift(self.settings.side as usize, sides.len())];
            }
            MenuItem::Rules => {
                self.settings.rules =
                    Rules::ALL[shift(self.settings.rules as usize, Rules::ALL.len())];
            }
        }
    }
}

/// Returns the name of a starting position.
pub(crate) fn start_name(start: &AnyPlacement) -> &'static str {
    AnySetup::of(start).map_or("custom position", AnySetup::name)
}

/// Describes the strength of a level.
fn describe_level(level: Level) -> &'static str {
    match level.number() {
        1 => "For your first game. Sees only short beams.",
        2 => "Considers your reply, but misses long beams.",
        3 => "Guards its pharaoh, but not always its other pieces.",
        4 => "Considers your reply and sees most beams.",
        5 => "Looks three moves ahead and rarely misses a beam.",
        6 => "Takes what you leave unguarded.",
        7 => "Makes few simple mistakes.",
        8 => "Plans ahead. You need a plan too.",
        9 => "Strong: a slip costs a piece.",
        _ => "Full strength, two seconds per move.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu() -> Menu {
        Menu::new(GameSettings {
            start: Setup::Classic.placement().into(),
            rules: Rules::Standard,
            friend: false,
            side: SideSetting::Silver,
            level: Level::ALL[2],
        })
    }

    #[test]
    fn arrow_keys_change_settings_and_enter_starts_the_game() {
        let mut menu = menu();
        for key in [KeyCode::Right, KeyCode::Down, KeyCode::Down, KeyCode::Right, KeyCode::Down] {
            assert_eq!(menu.key(key), None);
        }
        assert_eq!(menu.current_item(), MenuItem::Side);
        menu.key(KeyCode::Right);
        let Some(MenuAction::StartGame(settings)) = menu.key(KeyCode::Enter) else {
            panic!("Enter starts the game");
        };
        assert_eq!(start_name(&settings.start), "imhotep");
        assert_eq!(settings.level.number(), 4);
        assert_eq!(settings.side, SideSetting::Red);
        let state = settings.start_game(0, "2026.11.15").expect("a setup");
        assert!(state.flipped());
    }

    #[test]
    fn level_and_side_are_skipped_with_a_friend() {
        let mut menu = menu();
        menu.key(KeyCode::Down);
        menu.key(KeyCode::Right);
        assert_eq!(menu.value(MenuItem::Opponent), "a friend");
        menu.key(KeyCode::Down);
        assert_eq!(menu.current_item(), MenuItem::Rules);
        menu.key(KeyCode::Up);
        assert_eq!(menu.current_item(), MenuItem::Opponent);
    }

    #[test]
    fn levels_stop_at_both_ends() {
        let mut menu = menu();
        menu.current = 2;
        for _ in 0..20 {
            menu.key(KeyCode::Left);
        }
        assert_eq!(menu.value(MenuItem::Level), "1");
        menu.key(KeyCode::Char('0'));
        menu.key(KeyCode::Right);
        assert_eq!(menu.value(MenuItem::Level), "10");
        assert_eq!(menu.key(KeyCode::Esc), Some(MenuAction::Back));
    }

    #[test]
    fn setups_with_a_tower_are_explained() {
        let mut menu = menu();
        menu.key(KeyCode::Left);
        assert_eq!(menu.value(MenuItem::Setup), "nefertari");
        assert!(menu.explanation().contains("Tower of Kadesh"));
        let state = menu.settings.start_game(0, "2026.11.15").expect("a setup");
        assert!(state.has_tower());
    }

    #[test]
    fn a_custom_position_stays_in_the_list() {
        let start: AnyPlacement = "4k5/10/10/10/10/10/9O1/4K4P4 s".parse().expect("a position");
        let mut menu = Menu::new(GameSettings { start, ..menu().settings });
        assert_eq!(menu.value(MenuItem::Setup), "custom position");
        menu.key(KeyCode::Right);
        assert_eq!(menu.value(MenuItem::Setup), "classic");
        menu.key(KeyCode::Left);
        assert_eq!(menu.settings().start, start);
    }
}
