//! Paths to moves in the tree of a record.

use std::fmt;
use std::str::FromStr;

/// The path from the start of a record to one of its positions: before the first move, or after a
/// move of the main line or of a variation.
///
/// ```
/// use khet::{Record, Setup, TreePath};
///
/// let mut record = Record::new(Setup::Classic.position());
/// let first = record.play_at(&TreePath::default(), "h2+".parse()?)?;
/// // A second move at the same position becomes a variation.
/// let other = record.play_at(&TreePath::default(), "h2g2".parse()?)?;
/// assert!(record.to_string().ends_with("1. h2+ (1. h2g2) *\n"));
/// record.promote(&other);
/// assert!(record.to_string().ends_with("1. h2g2 (1. h2+) *\n"));
/// # assert_eq!(first.plies(), 1);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TreePath {
    /// The branches from the main line into a variation, from there into a nested one, and so on.
    pub(super) branches: Vec<Branch>,
    /// The number of moves in the last variation before the position; at least one, unless it is
    /// the main line.
    pub(super) moves: usize,
}

/// A branch from a sequence of moves into a variation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Branch {
    /// The index of the move that has the variation.
    pub(super) ply: usize,
    /// The index of the variation.
    pub(super) variation: usize,
}

impl TreePath {
    /// The path to the position after that many moves of the main line.
    pub fn main_line(moves: usize) -> TreePath {
        TreePath { branches: Vec::new(), moves }
    }

    /// Returns whether it stays in the main line.
    pub fn is_main_line(&self) -> bool {
        self.branches.is_empty()
    }

    /// Returns the number of moves from the start.
    pub fn plies(&self) -> usize {
        self.branches.iter().map(|branch| branch.ply).sum::<usize>() + self.moves
    }

    /// Returns the path to the position one move earlier, unless this is the start.
    pub fn parent(&self) -> Option<TreePath> {
        let mut path = self.clone();
        path.moves = path.moves.checked_sub(1)?;
        // The position before the first move of a variation belongs to the line it leaves.
        while path.moves == 0
            && let Some(branch) = path.branches.pop()
        {
            path.moves = branch.ply;
        }
        Some(path)
    }

    /// Returns the path one move further in the same variation. The record may end before it.
    pub fn next(&self) -> TreePath {
        TreePath { moves: self.moves + 1, ..self.clone() }
    }

    /// Returns the path to the start of a variation of the next move, given its index.
    /// [`TreePath::next`] leads from there to its first move; by itself it is no path of a record.
    pub fn into_variation(&self, variation: usize) -> TreePath {
        let mut branches = self.branches.clone();
        branches.push(Branch { ply: self.moves, variation });
        TreePath { branches, moves: 0 }
    }
}

impl fmt::Display for TreePath {
    /// Writes `PLY.VARIATION/` for each branch, then the number of moves: `4`, `3.0/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.branches
            .iter()
            .try_for_each(|branch| write!(f, "{}.{}/", branch.ply, branch.variation))?;
        write!(f, "{}", self.moves)
    }
}

/// A text that is no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseTreePathError;

impl fmt::Display for ParseTreePathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a path in a record is written like 4 or 3.0/2")
    }
}

impl std::error::Error for ParseTreePathError {}

impl FromStr for TreePath {
    type Err = ParseTreePathError;

    /// Reads a path. [`Record::variation_at`](super::Record::variation_at) tells whether a record
    /// has it.
    fn from_str(text: &str) -> Result<TreePath, ParseTreePathError> {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse::<u16>().ok().map(usize::from)).flatten()
        };
        let branch = |text: &str| {
            let (ply, variation) = text.split_once('.')?;
            Some(Branch { ply: number(ply)?, variation: number(variation)? })
        };
        let parts = match text.rsplit_once('/') {
            None => number(text).map(|moves| (Vec::new(), moves)),
            Some((branches, moves)) => {
                let branches: Option<Vec<Branch>> = branches.split('/').map(branch).collect();
                branches.zip(number(moves))
            }
        };
        let (branches, moves) = parts.ok_or(ParseTreePathError)?;
        Ok(TreePath { branches, moves })
    }
}
