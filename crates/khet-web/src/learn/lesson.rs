//! A lesson: a rule in words, and a board to try it on.

use khet::{Position, Rules, Setup};

use crate::languages::Words;

/// A text of the app, whatever its language will be.
pub type Text = fn(Words) -> &'static str;

/// Lessons that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    /// Its name in addresses: `#beam`.
    pub anchor: &'static str,
    /// Its title.
    pub title: Text,
    /// What is in it.
    pub lessons: &'static [Lesson],
}

/// A rule with a board.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Its name in addresses: `#swap`. It never changes, so that links stay good.
    pub anchor: &'static str,
    /// Its title.
    pub title: Text,
    /// The rule, paragraph by paragraph.
    pub text: &'static [Text],
    /// What one may do on the board.
    pub task: Text,
    /// What the board begins with; if there are several, one chooses.
    pub starts: &'static [Start],
    /// Who moves on the board.
    pub players: Players,
    /// The moves that answer the task.
    pub shown: &'static [&'static str],
}

/// Who moves on the board of a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Players {
    /// Silver alone; Red waits.
    Silver,
    /// Both in turn, as in a game.
    Both,
}

/// A beginning of a board.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// What it is called, where one chooses.
    pub name: Text,
    /// What stands.
    pub arrangement: Arrangement,
    /// The edition that is played.
    pub rules: Rules,
}

/// An arrangement of pieces, as a lesson gives it.
#[derive(Clone, Copy, Debug)]
pub enum Arrangement {
    /// A named setup.
    Setup(Setup),
    /// A position in notation.
    Notation(&'static str),
}

impl Start {
    /// The position that it stands for.
    pub fn position(&self) -> Position {
        match self.arrangement {
            Arrangement::Setup(setup) => setup.position(),
            Arrangement::Notation(text) => text.parse().expect("a test reads every lesson"),
        }
        .with_rules(self.rules)
    }
}
