//! The themes of puzzles, and their text form.

use std::fmt;
use std::str::FromStr;

/// A motif by which people choose puzzles. The files of the module `themes` define each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PuzzleTheme {
    /// The solver hits the pharaoh with the first move.
    PharaohInOne,
    /// The solver forces a hit on the pharaoh with the second move.
    PharaohInTwo,
    /// The solver forces a hit on the pharaoh with the third move.
    PharaohInThree,
    /// One move makes two threats, and no reply parries both.
    DoubleThreat,
    /// A djed, scarab or Eye swaps places.
    Swap,
    /// The top of a stack moves alone.
    Unstack,
    /// The solver gives a piece away to win more.
    Sacrifice,
    /// The solver sends the opponent's beam another way.
    Deflection,
    /// The opponent can't avoid hitting a piece of their own.
    SelfHitTrap,
    /// The only move that saves the pharaoh.
    Defence,
    /// A move that hits nothing and does not threaten the pharaoh yet.
    QuietMove,
    /// A beam with six reflections or more hits.
    LongBeam,
    /// An Eye of Horus takes part.
    EyeOfHorus,
    /// The pieces are those of Khet 2.0.
    Khet2,
}

impl PuzzleTheme {
    /// All of them, in the order in which they are written.
    pub const ALL: [PuzzleTheme; 14] = [
        PuzzleTheme::PharaohInOne,
        PuzzleTheme::PharaohInTwo,
        PuzzleTheme::PharaohInThree,
        PuzzleTheme::DoubleThreat,
        PuzzleTheme::Swap,
        PuzzleTheme::Unstack,
        PuzzleTheme::Sacrifice,
        PuzzleTheme::Deflection,
        PuzzleTheme::SelfHitTrap,
        PuzzleTheme::Defence,
        PuzzleTheme::QuietMove,
        PuzzleTheme::LongBeam,
        PuzzleTheme::EyeOfHorus,
        PuzzleTheme::Khet2,
    ];

    /// Returns its text form.
    pub const fn name(self) -> &'static str {
        match self {
            PuzzleTheme::PharaohInOne => "pharaoh-in-one",
            PuzzleTheme::PharaohInTwo => "pharaoh-in-two",
            PuzzleTheme::PharaohInThree => "pharaoh-in-three",
            PuzzleTheme::DoubleThreat => "double-threat",
            PuzzleTheme::Swap => "swap",
            PuzzleTheme::Unstack => "unstack",
            PuzzleTheme::Sacrifice => "sacrifice",
            PuzzleTheme::Deflection => "deflection",
            PuzzleTheme::SelfHitTrap => "self-hit-trap",
            PuzzleTheme::Defence => "defence",
            PuzzleTheme::QuietMove => "quiet-move",
            PuzzleTheme::LongBeam => "long-beam",
            PuzzleTheme::EyeOfHorus => "eye-of-horus",
            PuzzleTheme::Khet2 => "khet2",
        }
    }

    /// Returns whether the theme is an idea of the solution. The others say which pieces are used.
    pub const fn is_motif(self) -> bool {
        !matches!(self, PuzzleTheme::EyeOfHorus | PuzzleTheme::Khet2)
    }

    /// Returns the number of moves in which the solver hits the pharaoh, if the theme is such a
    /// forced hit.
    pub const fn moves_to_pharaoh(self) -> Option<u32> {
        match self {
            PuzzleTheme::PharaohInOne => Some(1),
            PuzzleTheme::PharaohInTwo => Some(2),
            PuzzleTheme::PharaohInThree => Some(3),
            _ => None,
        }
    }
}

impl fmt::Display for PuzzleTheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that is not a theme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePuzzleThemeError;

impl fmt::Display for ParsePuzzleThemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the themes are")?;
        PuzzleTheme::ALL.iter().try_for_each(|theme| write!(f, " {theme}"))
    }
}

impl std::error::Error for ParsePuzzleThemeError {}

impl FromStr for PuzzleTheme {
    type Err = ParsePuzzleThemeError;

    fn from_str(text: &str) -> Result<PuzzleTheme, ParsePuzzleThemeError> {
        let found = PuzzleTheme::ALL.into_iter().find(|theme| theme.name() == text);
        found.ok_or(ParsePuzzleThemeError)
    }
}

/// A set of themes, written as their names with spaces between them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PuzzleThemes(u16);

impl PuzzleThemes {
    /// No themes.
    pub const EMPTY: PuzzleThemes = PuzzleThemes(0);

    /// Returns whether there is no theme.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether a theme is in the set.
    pub fn contains(self, theme: PuzzleTheme) -> bool {
        self.0 & 1 << theme as u8 != 0
    }

    /// Adds a theme.
    pub fn insert(&mut self, theme: PuzzleTheme) {
        self.0 |= 1 << theme as u8;
    }

    /// Iterates over the themes in their order.
    pub fn iter(self) -> impl Iterator<Item = PuzzleTheme> {
        PuzzleTheme::ALL.into_iter().filter(move |&theme| self.contains(theme))
    }
}

impl FromIterator<PuzzleTheme> for PuzzleThemes {
    fn from_iter<I: IntoIterator<Item = PuzzleTheme>>(themes: I) -> PuzzleThemes {
        let mut set = PuzzleThemes::EMPTY;
        themes.into_iter().for_each(|theme| set.insert(theme));
        set
    }
}

impl fmt::Display for PuzzleThemes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, theme) in self.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{theme}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for PuzzleThemes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PuzzleThemes({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_theme_is_read_as_it_was_written() {
        for (index, theme) in PuzzleTheme::ALL.into_iter().enumerate() {
            assert_eq!(theme.to_string().parse(), Ok(theme));
            assert_eq!(theme as usize, index);
        }
        assert_eq!("Swap".parse::<PuzzleTheme>(), Err(ParsePuzzleThemeError));
    }

    #[test]
    fn a_set_is_written_in_the_order_of_the_themes() {
        let set: PuzzleThemes = [PuzzleTheme::Khet2, PuzzleTheme::Swap].into_iter().collect();
        assert_eq!(set.to_string(), "swap khet2");
        assert!(!set.contains(PuzzleTheme::Unstack));
        assert_eq!(PuzzleThemes::EMPTY.to_string(), "");
    }
}
