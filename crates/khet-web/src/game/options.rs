//! What a person chooses before a game, and how it is remembered.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use khet::{Color, Position, Rules, Setup, TimeControl, TimeLimits};

use crate::game::save::{self, Unreadable};
use crate::game::session::{Mode, Session};

/// Which colour a person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Side {
    /// Silver, who begins.
    #[default]
    Silver,
    /// Red.
    Red,
    /// One of them.
    Random,
}

impl Side {
    /// In the order in which they are offered.
    pub const ALL: [Side; 3] = [Side::Silver, Side::Red, Side::Random];

    /// The name in forms and in what is remembered.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Silver => "silver",
            Side::Red => "red",
            Side::Random => "random",
        }
    }

    fn from_name(name: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|side| side.name() == name)
    }

    fn color(self, luck: u32) -> Color {
        match self {
            Side::Silver => Color::Silver,
            Side::Red => Color::Red,
            Side::Random => Color::ALL[(luck % 2) as usize],
        }
    }
}

/// Everything that can be chosen before a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The start; `None` for the position in `own`.
    pub setup: Option<Setup>,
    /// A position that was pasted.
    pub own: String,
    /// The edition of the rules.
    pub rules: Rules,
    /// Whether there are clocks.
    pub timed: bool,
    /// Minutes on each clock.
    pub minutes: u64,
    /// Seconds added with each move.
    pub increment: u64,
    /// How strong the computer is.
    pub level: u8,
    /// The person's colour against the computer.
    pub side: Side,
    /// Shows where the beam would run now, against the computer.
    pub practice: bool,
    /// Turns the board to whoever is to move, at a table.
    pub turning: bool,
    /// Stops the clocks while the page is hidden, at a table.
    pub pausing: bool,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice {
            setup: Some(Setup::Classic),
            own: String::new(),
            rules: Rules::Standard,
            timed: false,
            minutes: TimeControl::SUGGESTED.0,
            increment: TimeControl::SUGGESTED.1,
            level: 2,
            side: Side::Silver,
            practice: false,
            turning: false,
            pausing: true,
        }
    }
}

impl Choice {
    /// The position that is chosen.
    pub fn start(&self) -> Result<Position, Unreadable> {
        match self.setup {
            Some(setup) => Ok(setup.position().with_rules(self.rules)),
            None => save::start(&self.own, self.rules),
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

    /// The mode of a game against the computer; `luck` chooses a random side.
    pub fn against_computer(&self, luck: u32) -> Mode {
        Mode::Computer { level: self.level, person: self.side.color(luck), practice: self.practice }
    }

    /// The mode of a game at one table.
    pub fn hotseat(&self) -> Mode {
        Mode::Hotseat { turning: self.turning, pausing: self.pausing }
    }

    /// Begins the game.
    pub fn begin(&self, mode: Mode) -> Result<Session, Unreadable> {
        Ok(Session::new(self.start()?, mode, self.time_control()))
    }

    /// The choice as text, to be remembered.
    pub fn write(&self) -> String {
        let yes = |switch: bool| if switch { "yes" } else { "no" };
        let fields: [(&str, String); 10] = [
            ("setup", self.setup.map_or("own".to_string(), |setup| setup.to_string())),
            ("own", self.own.replace(['\n', '\r'], " ")),
            ("rules", self.rules.to_string()),
            ("timed", yes(self.timed).to_string()),
            ("clock", format!("{}+{}", self.minutes, self.increment)),
            ("level", self.level.to_string()),
            ("side", self.side.name().to_string()),
            ("practice", yes(self.practice).to_string()),
            ("turning", yes(self.turning).to_string()),
            ("pausing", yes(self.pausing).to_string()),
        ];
        fields.map(|(name, value)| format!("{name} {value}\n")).concat()
    }

    /// Reads what [`Choice::write`] wrote; what can't be read is as nobody had chosen it.
    pub fn read(text: &str) -> Choice {
        let fields: BTreeMap<&str, &str> =
            text.lines().filter_map(|line| line.split_once(' ')).collect();
        let field = |name: &str| fields.get(name).copied().unwrap_or_default();
        let usual = Choice::default();
        let switch = |name: &str, usual: bool| match field(name) {
            "yes" => true,
            "no" => false,
            _ => usual,
        };
        let (minutes, increment) = field("clock").split_once('+').unwrap_or_default();
        let within = |text: &str, range: &RangeInclusive<u64>, usual: u64| {
            text.parse().ok().filter(|number| range.contains(number)).unwrap_or(usual)
        };
        Choice {
            setup: match field("setup") {
                "own" => None,
                name => name.parse().ok().or(usual.setup),
            },
            own: field("own").to_string(),
            rules: field("rules").parse().unwrap_or(usual.rules),
            timed: switch("timed", usual.timed),
            minutes: within(minutes, &TimeLimits::LOCAL.minutes, usual.minutes),
            increment: within(increment, &TimeLimits::LOCAL.increment, usual.increment),
            level: within(field("level"), &(1..=10), u64::from(usual.level)) as u8,
            side: Side::from_name(field("side")).unwrap_or(usual.side),
            practice: switch("practice", usual.practice),
            turning: switch("turning", usual.turning),
            pausing: switch("pausing", usual.pausing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_remembered() {
        let choice = Choice {
            setup: None,
            own: "4k5/10/10/10/10/10/10/4K5 r".to_string(),
            rules: Rules::Czech,
            timed: true,
            minutes: 3,
            increment: 2,
            level: 9,
            side: Side::Random,
            practice: true,
            turning: true,
            pausing: false,
        };
        assert_eq!(Choice::read(&choice.write()), choice);
        assert_eq!(Choice::read(&Choice::default().write()), Choice::default());
    }

    #[test]
    fn nonsense_is_not_remembered() {
        let text = "level 12\nclock 0+99\nsetup moon\nside up\nrules\n\u{0} \u{0}\npractice maybe";
        assert_eq!(Choice::read(text), Choice::default());
        assert_eq!(Choice::read(""), Choice::default());
    }

    #[test]
    fn a_choice_begins_a_game() {
        let mut choice = Choice { timed: true, ..Choice::default() };
        let session = choice.begin(choice.hotseat()).expect("a setup");
        assert_eq!(session.time_control(), TimeControl::minutes(10, 5));
        choice.setup = None;
        choice.own = "nonsense".to_string();
        assert!(choice.begin(choice.hotseat()).is_err());
        choice.own = "osiris".to_string();
        choice.side = Side::Red;
        let session = choice.begin(choice.against_computer(0)).expect("a setup's name");
        assert_eq!(session.computer(), Some(Color::Silver));
    }
}
