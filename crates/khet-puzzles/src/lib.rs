//! Puzzles: positions in which one move is clearly best, with the line that proves it.
//!
//! A [`Puzzle`] has a start position, the solver's moves with the opponent's best replies between
//! them, its themes, a first rating, and its source. [`read_puzzles`] reads a puzzle file, whose
//! format `docs/puzzles.md` describes; any of its lines, after the header, make a valid file again.
//!
//! ```
//! use khet_puzzles::{PuzzleTheme, read_puzzles};
//!
//! let text = "khet-puzzles 1\n\
//!     4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s\tj8+\tpharaoh-in-one\t640\tgames:12:40\n";
//! for puzzle in read_puzzles(text) {
//!     let puzzle = puzzle?;
//!     assert!(puzzle.themes.contains(PuzzleTheme::PharaohInOne));
//!     assert_eq!(puzzle.line.plies()[0].shot.to_string(), "xe8#");
//! }
//! # Ok::<_, khet_puzzles::PuzzleFileError>(())
//! ```
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | `puzzle`, `puzzle_id`, `puzzle_source` | a puzzle; its identity up to symmetry; where it comes from |
//! | `solution_line` | the moves of a solution, replayed with their shots |
//! | `puzzle_file` | the file format: reading and writing |
//! | `puzzle_index` | a set cut into slices, and the index of them |
//! | `daily` | the puzzle of the day |
//! | `serde` | names and themes as JSON (feature `serde`) |
//! | `puzzle_theme`, `themes` | the themes; one detector per file |
//! | `threats` | threats to a pharaoh, as several themes need them |
//! | `mate_search` | exhaustive proofs of forced hits on a pharaoh |
//! | `generator` | finds puzzles in games (feature `generator`) |
//! | `checker` | proves the puzzles of a file again (feature `generator`) |

#![forbid(unsafe_code)]

#[cfg(feature = "generator")]
mod checker;
mod daily;
#[cfg(feature = "generator")]
pub mod generator;
mod mate_search;
mod puzzle;
mod puzzle_file;
mod puzzle_id;
mod puzzle_index;
mod puzzle_source;
mod puzzle_theme;
#[cfg(feature = "serde")]
mod serde;
mod solution_line;
mod themes;
mod threats;

#[cfg(feature = "generator")]
pub use checker::{PuzzleChecker, PuzzleFault};
pub use daily::daily_puzzle_index;
pub use mate_search::MateSearch;
pub use puzzle::{MAX_RATING, MIN_RATING, MoveJudgement, Puzzle};
pub use puzzle_file::{
    PUZZLE_FILE_HEADER, PuzzleFileError, PuzzleProblem, read_puzzle, read_puzzles, write_puzzles,
};
pub use puzzle_id::{ParsePuzzleIdError, PuzzleId};
pub use puzzle_index::{PuzzleIndex, PuzzleSlice, SlicedPuzzles, puzzle_lines};
pub use puzzle_source::{ParsePuzzleSourceError, PuzzleSource};
pub use puzzle_theme::{ParsePuzzleThemeError, PuzzleTheme, PuzzleThemes};
pub use solution_line::{SolutionError, SolutionLine, SolutionPly};
#[cfg(feature = "generator")]
pub(crate) use themes::longest_beam;
pub use themes::{SolutionGoal, themes_of};
pub use threats::is_pharaoh_threatened;
