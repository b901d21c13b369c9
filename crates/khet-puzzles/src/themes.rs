//! The themes of a solution, found by code. Each theme has a file with its definition and tests on
//! drawn boards.

mod deflection;
mod double_threat;
mod eye_of_horus;
mod khet2;
mod long_beam;
mod pharaoh_in;
mod quiet_move;
mod sacrifice;
mod self_hit_trap;
mod swap;
mod unstack;

#[cfg(feature = "generator")]
pub(crate) use self::long_beam::longest_beam;
use crate::{PuzzleTheme, PuzzleThemes, SolutionLine};

/// What the solver achieves, as far as the line alone does not show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolutionGoal {
    /// A forced hit on the pharaoh, proved exhaustively.
    Pharaoh,
    /// A winning advantage, which every other move misses.
    Advantage,
    /// A defence: the opponent threatens the pharaoh, and every other move loses.
    Rescue,
}

/// Returns the themes of a solution.
pub fn themes_of(line: &SolutionLine, goal: SolutionGoal) -> PuzzleThemes {
    PuzzleTheme::ALL.into_iter().filter(|&theme| has_theme(line, goal, theme)).collect()
}

/// Returns whether a solution has a theme.
fn has_theme(line: &SolutionLine, goal: SolutionGoal, theme: PuzzleTheme) -> bool {
    match theme {
        PuzzleTheme::PharaohInOne | PuzzleTheme::PharaohInTwo | PuzzleTheme::PharaohInThree => {
            pharaoh_in::detect(line, goal) == theme.moves_to_pharaoh()
        }
        PuzzleTheme::DoubleThreat => double_threat::detect(line),
        PuzzleTheme::Swap => swap::detect(line),
        PuzzleTheme::Unstack => unstack::detect(line),
        PuzzleTheme::Sacrifice => sacrifice::detect(line),
        PuzzleTheme::Deflection => deflection::detect(line),
        PuzzleTheme::SelfHitTrap => self_hit_trap::detect(line),
        PuzzleTheme::Defence => goal == SolutionGoal::Rescue,
        PuzzleTheme::QuietMove => quiet_move::detect(line),
        PuzzleTheme::LongBeam => long_beam::detect(line),
        PuzzleTheme::EyeOfHorus => eye_of_horus::detect(line),
        PuzzleTheme::Khet2 => khet2::detect(line),
    }
}
