//! Khet 2.0: the lasers are sphinxes on the board.

use khet::Role;

use crate::SolutionLine;

pub(super) fn detect(line: &SolutionLine) -> bool {
    line.start().pieces().any(|(_, piece)| piece.role() == Role::Sphinx)
}
