//! The published puzzles as the app loads them: slices by rating, the first digits of their names,
//! and the index of both.

use khet_puzzles::{Puzzle, SlicedPuzzles, read_puzzles};

use super::bundle::Bundle;
use super::read;
use crate::step::{TaskError, workspace};

/// The largest number of puzzles in a slice. A puzzle takes about 40 bytes compressed.
const SLICE_PUZZLES: usize = 600;

/// Adds the files of the puzzles. The index is the last, because it contains the names of the others.
pub(super) fn add(bundle: &mut Bundle) -> Result<(), TaskError> {
    let text = read(&workspace().join("data/puzzles.txt"))?;
    let puzzles: Vec<Puzzle> = read_puzzles(&text)
        .collect::<Result<_, _>>()
        .map_err(|error| TaskError(format!("data/puzzles.txt: {error}")))?;
    let slice_name = |slice| format!("puzzle-slice-{slice}.txt");
    let sliced = SlicedPuzzles::cut(&puzzles, SLICE_PUZZLES, "/puzzle-names.txt", |slice| {
        format!("/{}", slice_name(slice))
    });
    for (slice, content) in sliced.slices.iter().enumerate() {
        bundle.add_hashed(&slice_name(slice), content.as_bytes())?;
    }
    bundle.add_hashed("puzzle-names.txt", sliced.names.as_bytes())?;
    bundle.add_hashed_text("puzzle-index.txt", &sliced.index.to_string())
}
