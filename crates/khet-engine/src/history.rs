//! What turns were good elsewhere in the tree.

use std::sync::LazyLock;

use khet::{Color, Piece, Role, Square};

use crate::packed::PackedTurn;

/// Values stay between minus this and this.
const LIMIT: i32 = 16_384;

/// Sorts of pieces that the tables tell apart: pharaoh, pyramid, mirrors that swap, the rest.
const SORTS: usize = 4;

/// A piece and where its turn left it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrival {
    sort: u8,
    to: Square,
}

impl Arrival {
    #[inline]
    pub(crate) fn new(piece: Option<Piece>, to: Square) -> Arrival {
        Arrival { sort: sort(piece), to }
    }

    fn index(self) -> usize {
        usize::from(self.sort) * Square::COUNT + self.to.index()
    }
}

#[inline]
fn sort(piece: Option<Piece>) -> u8 {
    piece.map_or(0, |piece| SORT_OF[piece.index()])
}

static SORT_OF: LazyLock<[u8; Piece::COUNT]> = LazyLock::new(|| {
    let mut sorts = [0; Piece::COUNT];
    for piece in Piece::all() {
        sorts[piece.index()] = match piece.role() {
            Role::Pharaoh => 0,
            Role::Pyramid => 1,
            Role::Djed | Role::Scarab | Role::Eye => 2,
            Role::Obelisk | Role::Anubis | Role::Sphinx => 3,
        };
    }
    sorts
});

type Row = [[i16; Square::COUNT]; SORTS];

/// What followed when nothing came before.
static NOTHING: Row = [[0; Square::COUNT]; SORTS];

/// By the turn in its two bytes.
type Main = [i16; 1 << 16];

/// Of one thread.
pub(crate) struct History {
    /// By the player and the turn.
    main: Box<[Main; 2]>,
    /// By the turn before, the other player's, and the one before that, one's own.
    follow_ups: [Vec<Row>; 2],
}

/// The part of the history that matters at a node.
#[derive(Clone, Copy)]
pub(crate) struct Memory<'a> {
    main: &'a Main,
    rows: [&'a Row; 2],
}

impl<'a> Memory<'a> {
    /// The part that matters to one piece.
    #[inline]
    pub(crate) fn of_piece(&self, piece: Option<Piece>) -> PieceMemory<'a> {
        let sort = usize::from(sort(piece)) % SORTS;
        PieceMemory { main: self.main, rows: self.rows.map(|row| &row[sort]) }
    }
}

/// The part of the history that matters to one piece of a node.
#[derive(Clone, Copy)]
pub(crate) struct PieceMemory<'a> {
    main: &'a Main,
    rows: [&'a [i16; Square::COUNT]; 2],
}

impl PieceMemory<'_> {
    /// How good a quiet turn of it has been, alone and behind the turns before it.
    #[inline]
    pub(crate) fn of(&self, turn: PackedTurn, to: Square) -> i32 {
        i32::from(self.main[usize::from(turn.bits())])
            + i32::from(self.rows[0][to.index()])
            + i32::from(self.rows[1][to.index()])
    }
}

impl History {
    pub(crate) fn new() -> History {
        let follow_ups = || vec![NOTHING; SORTS * Square::COUNT];
        History { main: Box::new([[0; 1 << 16]; 2]), follow_ups: [follow_ups(), follow_ups()] }
    }

    /// What is remembered for this player behind the two turns before.
    pub(crate) fn recall(&self, side: Color, before: [Option<Arrival>; 2]) -> Memory<'_> {
        let row = |index: usize| match before[index] {
            Some(arrival) => &self.follow_ups[index][arrival.index()],
            None => &NOTHING,
        };
        Memory { main: &self.main[side as usize], rows: [row(0), row(1)] }
    }

    /// Learns that a quiet turn was good, or bad.
    pub(crate) fn update(
        &mut self,
        side: Color,
        turn: PackedTurn,
        arrival: Arrival,
        before: [Option<Arrival>; 2],
        bonus: i32,
    ) {
        nudge(&mut self.main[side as usize][usize::from(turn.bits())], bonus);
        for (table, previous) in self.follow_ups.iter_mut().zip(before) {
            if let Some(previous) = previous {
                let row = &mut table[previous.index()];
                nudge(&mut row[usize::from(arrival.sort)][arrival.to.index()], bonus);
            }
        }
    }
}

/// Moves a value by the bonus, the less the nearer it is to the limit.
fn nudge(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}
