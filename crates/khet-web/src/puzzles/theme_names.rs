//! Names and explanations of the themes.

use khet_puzzles::PuzzleTheme;

use crate::languages::Words;

/// Returns the name of a theme.
pub(crate) fn theme_name(theme: PuzzleTheme, words: Words) -> &'static str {
    match theme {
        PuzzleTheme::PharaohInOne => words.puzzles_theme_pharaoh_in_one(),
        PuzzleTheme::PharaohInTwo => words.puzzles_theme_pharaoh_in_two(),
        PuzzleTheme::PharaohInThree => words.puzzles_theme_pharaoh_in_three(),
        PuzzleTheme::DoubleThreat => words.puzzles_theme_double_threat(),
        PuzzleTheme::Swap => words.puzzles_theme_swap(),
        PuzzleTheme::Unstack => words.puzzles_theme_unstack(),
        PuzzleTheme::Sacrifice => words.puzzles_theme_sacrifice(),
        PuzzleTheme::Deflection => words.puzzles_theme_deflection(),
        PuzzleTheme::SelfHitTrap => words.puzzles_theme_self_hit_trap(),
        PuzzleTheme::Defence => words.puzzles_theme_defence(),
        PuzzleTheme::QuietMove => words.puzzles_theme_quiet_move(),
        PuzzleTheme::LongBeam => words.puzzles_theme_long_beam(),
        PuzzleTheme::EyeOfHorus => words.puzzles_theme_eye(),
        PuzzleTheme::Khet2 => words.puzzles_theme_khet2(),
    }
}

/// Returns what the solver does in puzzles with a theme.
pub(crate) fn theme_about(theme: PuzzleTheme, words: Words) -> &'static str {
    match theme {
        PuzzleTheme::PharaohInOne => words.puzzles_about_pharaoh_in_one(),
        PuzzleTheme::PharaohInTwo => words.puzzles_about_pharaoh_in_two(),
        PuzzleTheme::PharaohInThree => words.puzzles_about_pharaoh_in_three(),
        PuzzleTheme::DoubleThreat => words.puzzles_about_double_threat(),
        PuzzleTheme::Swap => words.puzzles_about_swap(),
        PuzzleTheme::Unstack => words.puzzles_about_unstack(),
        PuzzleTheme::Sacrifice => words.puzzles_about_sacrifice(),
        PuzzleTheme::Deflection => words.puzzles_about_deflection(),
        PuzzleTheme::SelfHitTrap => words.puzzles_about_self_hit_trap(),
        PuzzleTheme::Defence => words.puzzles_about_defence(),
        PuzzleTheme::QuietMove => words.puzzles_about_quiet_move(),
        PuzzleTheme::LongBeam => words.puzzles_about_long_beam(),
        PuzzleTheme::EyeOfHorus => words.puzzles_about_eye(),
        PuzzleTheme::Khet2 => words.puzzles_about_khet2(),
    }
}
