//! The parts of a guide: chapters of lessons, each with a board to try the rule or the idea on.

use khet::{AnySetup, GamePosition, Rules};

use super::article::Section;
use crate::languages::Words;
use crate::rules::Position;

/// A text of the app in any language.
pub type LessonText = fn(Words) -> &'static str;

/// A page of lessons.
#[derive(Clone, Copy, Debug)]
pub struct Guide {
    /// The title.
    pub title: LessonText,
    /// The first paragraph.
    pub lead: LessonText,
    /// The chapters.
    pub chapters: &'static [Chapter],
}

/// Lessons that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    /// The fragment in links: `#beam`.
    pub anchor: &'static str,
    /// The title.
    pub title: LessonText,
    /// The lessons.
    pub lessons: &'static [Lesson],
    /// Rules without a board, after the lessons.
    pub notes: &'static [Section],
    /// True if the chapter is folded at first: its rules are not needed for a first game.
    pub folded: bool,
}

/// A rule with a board to try it on.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// The fragment in links: `#swap`. It never changes, so that links keep working.
    pub anchor: &'static str,
    /// The title.
    pub title: LessonText,
    /// The paragraphs of the rule.
    pub text: &'static [LessonText],
    /// Further paragraphs, closed at first.
    pub more: &'static [LessonText],
    /// The task on the board.
    pub task: LessonText,
    /// The start positions of the board. The reader selects one if there are several.
    pub starts: &'static [LessonStart],
    /// The sides that the reader plays.
    pub players: Players,
    /// The moves that solve the task.
    pub solution: &'static [&'static str],
}

/// The sides that the reader plays on the board of a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Players {
    /// Silver only. Red makes no moves.
    Silver,
    /// Both sides in turn.
    Both,
}

/// A start position of a lesson's board.
#[derive(Clone, Copy, Debug)]
pub struct LessonStart {
    /// The name, shown if a lesson has several start positions.
    pub name: LessonText,
    /// The placement of the pieces.
    pub placement: StartPlacement,
    /// The edition of the rules.
    pub rules: Rules,
}

/// The placement of the pieces at the start of a lesson.
#[derive(Clone, Copy, Debug)]
pub enum StartPlacement {
    /// A named setup.
    Setup(AnySetup),
    /// A position in notation.
    Notation(&'static str),
}

impl LessonStart {
    /// Returns the start position.
    pub fn position(&self) -> Position {
        let position: Position = match self.placement {
            StartPlacement::Setup(setup) => setup.position(),
            StartPlacement::Notation(text) => text.parse().expect("a test parses every lesson"),
        };
        position.with_rules(self.rules)
    }
}
