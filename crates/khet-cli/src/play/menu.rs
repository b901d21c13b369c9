//! The start screen's choices, without a terminal.

use khet::{Color, Placement, Position, Rules, Setup};
use khet_engine::Level;
use ratatui::crossterm::event::KeyCode;

use crate::play::state::{Opponent, State};

/// Which colour a person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum Side {
    #[default]
    Silver,
    Red,
    Random,
}

/// A game that can begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    pub(crate) start: Placement,
    pub(crate) rules: Rules,
    pub(crate) friend: bool,
    pub(crate) side: Side,
    pub(crate) level: Level,
}

impl Choice {
    /// Begins the game; `luck` decides a random side. The start was checked when it was chosen.
    pub(crate) fn begin(self, luck: u64, date: &str) -> Result<State, khet::InvalidPosition> {
        let start = Position::new(&self.start, self.rules)?;
        let side = match self.side {
            Side::Silver => Color::Silver,
            Side::Red => Color::Red,
            Side::Random => Color::ALL[(luck % 2) as usize],
        };
        let opponent = if self.friend {
            Opponent::Friend
        } else {
            Opponent::Computer { level: self.level, color: !side }
        };
        Ok(State::new(start, opponent, date))
    }
}

/// What is chosen on a line of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    Setup,
    Opponent,
    Level,
    Side,
    Rules,
}

impl Line {
    pub(crate) const ALL: [Line; 5] =
        [Line::Setup, Line::Opponent, Line::Level, Line::Side, Line::Rules];
}

/// What the start screen wants done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    Begin(Choice),
    /// Back to the game, or out.
    Leave,
    Quit,
}

/// The start screen.
pub(crate) struct Menu {
    line: usize,
    /// The start that was given on the command line, if no setup has it, and all setups.
    starts: Vec<Placement>,
    start: usize,
    choice: Choice,
}

impl Menu {
    pub(crate) fn new(choice: Choice) -> Menu {
        let mut starts: Vec<Placement> = Setup::ALL.map(Setup::placement).to_vec();
        let known = starts.iter().position(|start| *start == choice.start);
        let start = known.unwrap_or_else(|| {
            starts.push(choice.start);
            starts.len() - 1
        });
        Menu { line: 0, starts, start, choice }
    }

    pub(crate) fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The line that the arrow keys change.
    pub(crate) fn line(&self) -> Line {
        Line::ALL[self.line]
    }

    /// Whether a line matters: two people need neither a level nor a side.
    pub(crate) fn is_open(&self, line: Line) -> bool {
        !(self.choice.friend && matches!(line, Line::Level | Line::Side))
    }

    /// What is chosen on a line.
    pub(crate) fn value(&self, line: Line) -> String {
        match line {
            Line::Setup => start_name(&self.choice.start),
            Line::Opponent if self.choice.friend => "a friend".to_string(),
            Line::Opponent => "the computer".to_string(),
            Line::Level => self.choice.level.number().to_string(),
            Line::Side => match self.choice.side {
                Side::Silver => "Silver, who begins".to_string(),
                Side::Red => "Red".to_string(),
                Side::Random => "by lot".to_string(),
            },
            Line::Rules => self.choice.rules.name().to_string(),
        }
    }

    /// A sentence about what is chosen on the current line.
    pub(crate) fn explanation(&self) -> &'static str {
        match self.line() {
            Line::Setup => match Setup::of(&self.choice.start) {
                Some(Setup::Classic) => "The setup to begin with. Standard pieces.",
                Some(Setup::Imhotep | Setup::Dynasty) => "Standard pieces.",
                Some(Setup::Khet2Classic | Setup::Khet2Imhotep | Setup::Khet2Dynasty) => {
                    "Khet 2.0: the lasers are sphinxes, with scarabs and Anubis."
                }
                Some(_) => "Khet 2.0 with the Eye of Horus, which splits the beam.",
                None => "The position that you gave.",
            },
            Line::Opponent if self.choice.friend => "Two people at this keyboard.",
            Line::Opponent => "As strong as the level below.",
            Line::Level => sentence(self.choice.level),
            Line::Side => "You sit below; f turns the board.",
            Line::Rules => match self.choice.rules {
                Rules::Standard => "The rules of nearly all editions.",
                Rules::Czech => "Djeds swap only with their own colour; a draw at the second time.",
            },
        }
    }

    /// A key was pressed.
    pub(crate) fn key(&mut self, key: KeyCode) -> Option<Decision> {
        match key {
            KeyCode::Up => self.go(-1),
            KeyCode::Down | KeyCode::Tab => self.go(1),
            KeyCode::Left => self.change(-1),
            KeyCode::Right | KeyCode::Char(' ') => self.change(1),
            KeyCode::Char(digit @ '0'..='9') => {
                let number = if digit == '0' { 10 } else { digit as u8 - b'0' };
                self.choice.level = Level::new(number).unwrap_or(self.choice.level);
            }
            KeyCode::Enter => return Some(Decision::Begin(self.choice)),
            KeyCode::Esc => return Some(Decision::Leave),
            KeyCode::Char('q') => return Some(Decision::Quit),
            _ => {}
        }
        None
    }

    fn go(&mut self, step: isize) {
        let lines = Line::ALL.len() as isize;
        loop {
            self.line = (self.line as isize + step).rem_euclid(lines) as usize;
            if self.is_open(self.line()) {
                return;
            }
        }
    }

    fn change(&mut self, step: isize) {
        let mv = |index: usize, count: usize| {
            (index as isize + step).rem_euclid(count as isize) as usize
        };
        match self.line() {
            Line::Setup => {
                self.start = mv(self.start, self.starts.len());
                self.choice.start = self.starts[self.start];
            }
            Line::Opponent => self.choice.friend = !self.choice.friend,
            Line::Level => {
                // At the ends it stays: nobody at level 1 wants to meet level 10.
                let number = self.choice.level.number().saturating_add_signed(step as i8);
                self.choice.level = Level::new(number).unwrap_or(self.choice.level);
            }
            Line::Side => {
                let sides = [Side::Silver, Side::Red, Side::Random];
                self.choice.side = sides[mv(self.choice.side as usize, sides.len())];
            }
            Line::Rules => {
                self.choice.rules = Rules::ALL[mv(self.choice.rules as usize, Rules::ALL.len())];
            }
        }
    }
}

/// The name of a starting position.
pub(crate) fn start_name(start: &Placement) -> String {
    Setup::of(start).map_or("own position".to_string(), |setup| setup.to_string())
}

/// A level in a sentence.
fn sentence(level: Level) -> &'static str {
    match level.number() {
        1 => "For a first game: it sees only short beams.",
        2 => "Sees longer beams, but not your answer.",
        3 => "Thinks of your answer; overlooks long beams.",
        4 => "Thinks of your answer, and sees most beams.",
        5 => "Looks three moves ahead and rarely misses a beam.",
        6 => "Takes what you leave unguarded.",
        7 => "Makes few simple mistakes.",
        8 => "Plans ahead: you need a plan too.",
        9 => "Strong: a slip costs a piece.",
        _ => "All it can do, two seconds a move.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu() -> Menu {
        Menu::new(Choice {
            start: Setup::Classic.placement(),
            rules: Rules::Standard,
            friend: false,
            side: Side::Silver,
            level: Level::ALL[2],
        })
    }

    #[test]
    fn arrows_choose_and_enter_begins() {
        let mut menu = menu();
        for key in [KeyCode::Right, KeyCode::Down, KeyCode::Down, KeyCode::Right, KeyCode::Down] {
            assert_eq!(menu.key(key), None);
        }
        assert_eq!(menu.line(), Line::Side);
        menu.key(KeyCode::Right);
        let Some(Decision::Begin(choice)) = menu.key(KeyCode::Enter) else {
            panic!("Enter begins");
        };
        assert_eq!(Setup::of(&choice.start), Some(Setup::Imhotep));
        assert_eq!(choice.level.number(), 4);
        assert_eq!(choice.side, Side::Red);
        let state = choice.begin(0, "2026.11.15").expect("a setup");
        assert!(state.flipped());
    }

    #[test]
    fn a_friend_needs_no_level() {
        let mut menu = menu();
        menu.key(KeyCode::Down);
        menu.key(KeyCode::Right);
        assert_eq!(menu.value(Line::Opponent), "a friend");
        menu.key(KeyCode::Down);
        assert_eq!(menu.line(), Line::Rules);
        menu.key(KeyCode::Up);
        assert_eq!(menu.line(), Line::Opponent);
    }

    #[test]
    fn levels_end_at_both_ends() {
        let mut menu = menu();
        menu.line = 2;
        for _ in 0..20 {
            menu.key(KeyCode::Left);
        }
        assert_eq!(menu.value(Line::Level), "1");
        menu.key(KeyCode::Char('0'));
        menu.key(KeyCode::Right);
        assert_eq!(menu.value(Line::Level), "10");
        assert_eq!(menu.key(KeyCode::Esc), Some(Decision::Leave));
    }

    #[test]
    fn an_own_position_stays_on_the_list() {
        let start: Placement = "4k5/10/10/10/10/10/9O1/4K4P4 s".parse().expect("a position");
        let mut menu = Menu::new(Choice { start, ..menu().choice });
        assert_eq!(menu.value(Line::Setup), "own position");
        menu.key(KeyCode::Right);
        assert_eq!(menu.value(Line::Setup), "classic");
        menu.key(KeyCode::Left);
        assert_eq!(menu.choice().start, start);
    }
}
