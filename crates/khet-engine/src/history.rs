//! History heuristics: scores of quiet moves by how often they caused beta cutoffs.

use std::sync::atomic::{AtomicI16, Ordering};

use khet::{Color, Piece, Role, Square};

use crate::packed::PackedMove;

/// Bound of the absolute value of a history score.
const MAX_SCORE: i32 = 16_384;

/// Number of history classes of pieces: pharaoh, pyramid, mirrors that swap, and the rest.
const HISTORY_CLASSES: usize = 4;

/// The class of a moved piece and its target square, an index of the continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = HISTORY_CLASSES * Square::COUNT;
    /// No move, or a null move.
    pub(crate) const NONE: PieceTo = PieceTo(PieceTo::COUNT as u16);

    #[inline]
    pub(crate) fn new(piece: Option<Piece>, to: Square) -> PieceTo {
        PieceTo(u16::from(history_class(piece)) * Square::COUNT as u16 + to.index() as u16)
    }
}

/// Returns the history class of a moved piece.
#[inline]
fn history_class(piece: Option<Piece>) -> u8 {
    piece.map_or(0, |piece| HISTORY_CLASS[piece.role() as usize])
}

/// The history class of each role.
static HISTORY_CLASS: [u8; Role::ALL.len()] = {
    let mut classes = [0; Role::ALL.len()];
    let mut index = 0;
    while index < classes.len() {
        let role = Role::ALL[index];
        classes[role as usize] = match role {
            Role::Pharaoh => 0,
            Role::Pyramid => 1,
            Role::Djed | Role::Scarab | Role::Eye => 2,
            Role::Obelisk | Role::Anubis | Role::Sphinx => 3,
        };
        index += 1;
    }
    classes
};

/// Continuation scores by [`PieceTo`].
type ContinuationRow = [AtomicI16; PieceTo::COUNT];

/// Main history scores by the bits of the move.
type MainTable = [AtomicI16; 1 << 16];

/// The history tables, which all threads share. A lost update does no harm.
pub(crate) struct History {
    /// Scores by side and move.
    main: Box<[MainTable; 2]>,
    /// Continuation history: scores after the opponent's last move, and after the move of the side
    /// itself before that.
    continuation: [Vec<ContinuationRow>; 2],
}

/// The part of the history that applies at a node.
#[derive(Clone, Copy)]
pub(crate) struct HistoryView<'a> {
    main: &'a MainTable,
    rows: [&'a ContinuationRow; 2],
}

impl<'a> HistoryView<'a> {
    /// Returns the part that applies to one piece.
    #[inline]
    pub(crate) fn of_piece(&self, piece: Option<Piece>) -> PieceHistoryView<'a> {
        let history_class = usize::from(history_class(piece)) % HISTORY_CLASSES;
        PieceHistoryView {
            main: self.main,
            rows: self.rows.map(|row| &row.as_chunks().0[history_class]),
        }
    }
}

/// The part of the history that applies to one piece of a node.
#[derive(Clone, Copy)]
pub(crate) struct PieceHistoryView<'a> {
    main: &'a MainTable,
    rows: [&'a [AtomicI16; Square::COUNT]; 2],
}

impl PieceHistoryView<'_> {
    /// Returns the score of a quiet move: main history plus both continuation histories.
    #[inline]
    pub(crate) fn of(&self, mv: PackedMove, to: Square) -> i32 {
        let load = |score: &AtomicI16| i32::from(score.load(Ordering::Relaxed));
        load(&self.main[usize::from(mv.bits())])
            + load(&self.rows[0][to.index()])
            + load(&self.rows[1][to.index()])
    }
}

impl History {
    pub(crate) fn new() -> History {
        // The last row belongs to `PieceTo::NONE` and stays zero.
        let row = || [const { AtomicI16::new(0) }; PieceTo::COUNT];
        let continuation = || (0..=PieceTo::COUNT).map(|_| row()).collect();
        History {
            main: Box::new([const { [const { AtomicI16::new(0) }; 1 << 16] }; 2]),
            continuation: [continuation(), continuation()],
        }
    }

    /// Returns the part that applies to a side after the two previous moves.
    #[inline]
    pub(crate) fn view(&self, side: Color, previous: [PieceTo; 2]) -> HistoryView<'_> {
        let row = |index: usize| &self.continuation[index][usize::from(previous[index].0)];
        HistoryView { main: &self.main[side as usize], rows: [row(0), row(1)] }
    }

    /// Adds a bonus, or a penalty if negative, to a quiet move.
    pub(crate) fn update(
        &self,
        side: Color,
        mv: PackedMove,
        piece_to: PieceTo,
        previous: [PieceTo; 2],
        bonus: i32,
    ) {
        apply_bonus(&self.main[side as usize][usize::from(mv.bits())], bonus);
        for (table, previous) in self.continuation.iter().zip(previous) {
            if previous != PieceTo::NONE {
                apply_bonus(&table[usize::from(previous.0)][usize::from(piece_to.0)], bonus);
            }
        }
    }
}

/// Adds a bonus with "gravity": the closer the score is to the limit, the less it changes.
fn apply_bonus(score: &AtomicI16, bonus: i32) {
    let bonus = bonus.clamp(-MAX_SCORE, MAX_SCORE);
    let old = i32::from(score.load(Ordering::Relaxed));
    let new = old + bonus - old * bonus.abs() / MAX_SCORE;
    score.store(new as i16, Ordering::Relaxed);
}
