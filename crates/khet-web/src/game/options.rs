//! The options of a new game, and their text form in storage.

use std::ops::RangeInclusive;

use khet::{AnySetup, Color, GamePosition, Rules, Setup, TimeControl, TimeLimits};

use crate::game::save::{self, GameTextError};
use crate::game::session::{GameSession, Mode};
use crate::rules::{Position, setup_position, text_has_tower};

/// The side that the user wants to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SideChoice {
    /// Silver, which moves first.
    #[default]
    Silver,
    /// Red.
    Red,
    /// A random side.
    Random,
}

impl SideChoice {
    /// All choices in the order in which they are offered.
    pub const ALL: [SideChoice; 3] = [SideChoice::Silver, SideChoice::Red, SideChoice::Random];

    /// Returns the name used in forms and in storage.
    pub const fn name(self) -> &'static str {
        match self {
            SideChoice::Silver => "silver",
            SideChoice::Red => "red",
            SideChoice::Random => "random",
        }
    }

    fn from_name(name: &str) -> Option<SideChoice> {
        SideChoice::ALL.into_iter().find(|side| side.name() == name)
    }

    /// Returns the colour of the player; `random` decides for a random side.
    fn color(self, random: u32) -> Color {
        match self {
            SideChoice::Silver => Color::Silver,
            SideChoice::Red => Color::Red,
            SideChoice::Random => Color::ALL[(random % 2) as usize],
        }
    }
}

/// The options of a new game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGameOptions {
    /// The setup; `None` for the position in `own`.
    pub setup: Option<AnySetup>,
    /// The user's own position, in notation.
    pub own: String,
    /// The name under which the position in `own` was published, or an empty text.
    pub own_name: String,
    /// The edition of the rules.
    pub rules: Rules,
    /// True if the game has clocks.
    pub timed: bool,
    /// Initial minutes on each clock.
    pub minutes: u64,
    /// Increment in seconds.
    pub increment: u64,
    /// The computer's level, from 1 to 10.
    pub level: u8,
    /// The user's side against the computer.
    pub side: SideChoice,
    /// Previews the user's beam, in games against the computer.
    pub practice: bool,
    /// The names of Silver and Red in pass and play, empty if they gave none.
    pub names: [String; 2],
    /// Flips the board to the side to move, in pass and play.
    pub flips_board: bool,
    /// Pauses the clocks while the page is hidden, in pass and play.
    pub pauses_when_hidden: bool,
}

impl Default for NewGameOptions {
    fn default() -> NewGameOptions {
        NewGameOptions {
            setup: Some(AnySetup::Standard(Setup::Classic)),
            own: String::new(),
            own_name: String::new(),
            rules: Rules::Standard,
            timed: false,
            minutes: TimeControl::SUGGESTED.0,
            increment: TimeControl::SUGGESTED.1,
            level: 1,
            side: SideChoice::Silver,
            practice: false,
            names: Default::default(),
            flips_board: false,
            pauses_when_hidden: true,
        }
    }
}

impl NewGameOptions {
    /// Returns the start position.
    pub fn start(&self) -> Result<Position, GameTextError> {
        match self.setup {
            Some(setup) => {
                let position = setup_position(setup).ok_or(GameTextError::NeedsTower)?;
                Ok(position.with_rules(self.rules))
            }
            None => save::start(&self.own, self.rules),
        }
    }

    /// Returns whether the game has a tower.
    pub fn has_tower(&self) -> bool {
        match self.setup {
            Some(setup) => setup.has_tower(),
            None => text_has_tower(&self.own),
        }
    }

    /// Returns the time control.
    pub fn time_control(&self) -> TimeControl {
        if self.timed {
            TimeControl::minutes(self.minutes.max(1), self.increment)
        } else {
            TimeControl::Unlimited
        }
    }

    /// Returns the mode of a game against the computer. `random` selects a random side.
    pub fn against_computer(&self, random: u32) -> Mode {
        Mode::Computer {
            level: self.level,
            person: self.side.color(random),
            practice: self.practice,
        }
    }

    /// Returns the mode of a pass and play game.
    pub fn hotseat(&self) -> Mode {
        Mode::Hotseat { flips_board: self.flips_board, pauses_when_hidden: self.pauses_when_hidden }
    }

    /// Starts a game.
    pub fn begin(&self, mode: Mode) -> Result<GameSession, GameTextError> {
        let own_name = self.own_name.clone();
        let start_name = if self.setup.is_none() { own_name } else { String::new() };
        let names = match mode {
            Mode::Hotseat { .. } => self.names.each_ref().map(|name| name.trim().to_string()),
            Mode::Computer { .. } | Mode::Online { .. } => Default::default(),
        };
        let session = GameSession::new(self.start()?, mode, self.time_control());
        Ok(session.with_names(names, start_name))
    }

    /// Returns the text form of the options for storage.
    pub fn write(&self) -> String {
        let yes = |switch: bool| if switch { "yes" } else { "no" };
        let line = |text: &str| text.replace(['\n', '\r'], " ");
        let fields: [(&str, String); 13] = [
            ("setup", self.setup.map_or("own".to_string(), |setup| setup.to_string())),
            ("own", line(&self.own)),
            ("own-name", line(&self.own_name)),
            ("rules", self.rules.to_string()),
            ("timed", yes(self.timed).to_string()),
            ("clock", format!("{}+{}", self.minutes, self.increment)),
            ("level", self.level.to_string()),
            ("side", self.side.name().to_string()),
            ("practice", yes(self.practice).to_string()),
            ("silver", line(&self.names[0])),
            ("red", line(&self.names[1])),
            ("turning", yes(self.flips_board).to_string()),
            ("pausing", yes(self.pauses_when_hidden).to_string()),
        ];
        fields.map(|(name, value)| format!("{name} {value}\n")).concat()
    }

    /// Parses the text form. Invalid entries get their default.
    pub fn read(text: &str) -> NewGameOptions {
        let field = |name: &str| {
            let mut fields = text.lines().filter_map(|line| line.split_once(' '));
            fields.find(|(known, _)| *known == name).map_or("", |(_, value)| value)
        };
        let usual = NewGameOptions::default();
        let switch = |name: &str, usual: bool| match field(name) {
            "yes" => true,
            "no" => false,
            _ => usual,
        };
        let (minutes, increment) = field("clock").split_once('+').unwrap_or_default();
        let within = |text: &str, range: &RangeInclusive<u64>, usual: u64| {
            text.parse().ok().filter(|number| range.contains(number)).unwrap_or(usual)
        };
        NewGameOptions {
            setup: match field("setup") {
                "own" => None,
                name => name.parse().ok().or(usual.setup),
            },
            own: field("own").to_string(),
            own_name: field("own-name").to_string(),
            rules: field("rules").parse().unwrap_or(usual.rules),
            timed: switch("timed", usual.timed),
            minutes: within(minutes, &TimeLimits::LOCAL.minutes, usual.minutes),
            increment: within(increment, &TimeLimits::LOCAL.increment, usual.increment),
            level: within(field("level"), &(1..=10), u64::from(usual.level)) as u8,
            side: SideChoice::from_name(field("side")).unwrap_or(usual.side),
            practice: switch("practice", usual.practice),
            names: ["silver", "red"].map(|name| field(name).to_string()),
            flips_board: switch("turning", usual.flips_board),
            pauses_when_hidden: switch("pausing", usual.pauses_when_hidden),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_options_are_read_back() {
        let choice = NewGameOptions {
            setup: None,
            own: "4k5/10/10/10/10/10/10/4K5 r".to_string(),
            own_name: "Bare kings".to_string(),
            rules: Rules::Czech,
            timed: true,
            minutes: 3,
            increment: 2,
            level: 9,
            side: SideChoice::Random,
            practice: true,
            names: ["Anna", "Jean Luc"].map(str::to_string),
            flips_board: true,
            pauses_when_hidden: false,
        };
        assert_eq!(NewGameOptions::read(&choice.write()), choice);
        assert_eq!(
            NewGameOptions::read(&NewGameOptions::default().write()),
            NewGameOptions::default()
        );
    }

    #[test]
    fn towers_are_recognised_without_reading_the_position() {
        let own =
            |own: &str| NewGameOptions { setup: None, own: own.to_string(), ..Default::default() };
        for text in ["4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/6 s", " Orontes", "+c3:"] {
            assert!(own(text).has_tower(), "{text}");
        }
        for text in ["4k5/10/10/10/10/10/10/4K5 s", "isis", "1. h2+ e5+", "+", ""] {
            assert!(!own(text).has_tower(), "{text}");
        }
    }

    #[test]
    fn invalid_entries_get_their_default() {
        let text = "level 12\nclock 0+99\nsetup moon\nside up\nrules\n\u{0} \u{0}\npractice maybe";
        assert_eq!(NewGameOptions::read(text), NewGameOptions::default());
        assert_eq!(NewGameOptions::read(""), NewGameOptions::default());
    }

    #[test]
    fn options_start_a_game() {
        let mut choice = NewGameOptions { timed: true, ..NewGameOptions::default() };
        let session = choice.begin(choice.hotseat()).expect("a setup");
        assert_eq!(session.time_control(), TimeControl::minutes(10, 5));
        choice.setup = None;
        choice.own = "nonsense".to_string();
        assert!(choice.begin(choice.hotseat()).is_err());
        choice.own = "osiris".to_string();
        choice.own_name = "My Osiris".to_string();
        choice.names = [" Anna ", ""].map(str::to_string);
        let session = choice.begin(choice.hotseat()).expect("a setup's name");
        assert_eq!((session.name(Color::Silver), session.start_name()), ("Anna", "My Osiris"));
        choice.side = SideChoice::Red;
        let session = choice.begin(choice.against_computer(0)).expect("a setup's name");
        assert_eq!(session.computer(), Some(Color::Silver));
    }
}
