//! What moves were good elsewhere in the tree.

use khet::{Color, Piece, Role, Square};

use crate::packed::PackedMove;

/// Values stay between minus this and this.
const LIMIT: i32 = 16_384;

/// Sorts of pieces that the tables tell apart: pharaoh, pyramid, mirrors that swap, the rest.
const SORTS: usize = 4;

/// A sort of piece and where its turn left it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrival(u16);

impl Arrival {
    const COUNT: usize = SORTS * Square::COUNT;
    /// There was no move, or only a pass.
    pub(crate) const NONE: Arrival = Arrival(Arrival::COUNT as u16);

    #[inline]
    pub(crate) fn new(piece: Option<Piece>, to: Square) -> Arrival {
        Arrival(u16::from(sort(piece)) * Square::COUNT as u16 + to.index() as u16)
    }
}

#[inline]
fn sort(piece: Option<Piece>) -> u8 {
    piece.map_or(0, |piece| SORT_OF[piece.role() as usize])
}

static SORT_OF: [u8; Role::ALL.len()] = {
    let mut sorts = [0; Role::ALL.len()];
    let mut index = 0;
    while index < sorts.len() {
        let role = Role::ALL[index];
        sorts[role as usize] = match role {
            Role::Pharaoh => 0,
            Role::Pyramid => 1,
            Role::Djed | Role::Scarab | Role::Eye => 2,
            Role::Obelisk | Role::Anubis | Role::Sphinx => 3,
        };
        index += 1;
    }
    sorts
};

/// By what arrives.
type Row = [i16; Arrival::COUNT];

/// By the move in its two bytes.
type Main = [i16; 1 << 16];

/// Of one thread.
pub(crate) struct History {
    /// By the player and the move.
    main: Box<[Main; 2]>,
    /// By the move before, the other player's, and the one before that, one's own.
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
        PieceMemory { main: self.main, rows: self.rows.map(|row| &row.as_chunks().0[sort]) }
    }
}

/// The part of the history that matters to one piece of a node.
#[derive(Clone, Copy)]
pub(crate) struct PieceMemory<'a> {
    main: &'a Main,
    rows: [&'a [i16; Square::COUNT]; 2],
}

impl PieceMemory<'_> {
    /// How good a quiet move of it has been, alone and behind the moves before it.
    #[inline]
    pub(crate) fn of(&self, mv: PackedMove, to: Square) -> i32 {
        i32::from(self.main[usize::from(mv.bits())])
            + i32::from(self.rows[0][to.index()])
            + i32::from(self.rows[1][to.index()])
    }
}

impl History {
    pub(crate) fn new() -> History {
        // The last row, which nothing is written to, stands for no move.
        let follow_ups = || vec![[0; Arrival::COUNT]; Arrival::COUNT + 1];
        History { main: Box::new([[0; 1 << 16]; 2]), follow_ups: [follow_ups(), follow_ups()] }
    }

    /// What is remembered for this player behind the two moves before.
    #[inline]
    pub(crate) fn recall(&self, side: Color, before: [Arrival; 2]) -> Memory<'_> {
        let row = |index: usize| &self.follow_ups[index][usize::from(before[index].0)];
        Memory { main: &self.main[side as usize], rows: [row(0), row(1)] }
    }

    /// Learns that a quiet move was good, or bad.
    pub(crate) fn update(
        &mut self,
        side: Color,
        mv: PackedMove,
        arrival: Arrival,
        before: [Arrival; 2],
        bonus: i32,
    ) {
        nudge(&mut self.main[side as usize][usize::from(mv.bits())], bonus);
        for (table, previous) in self.follow_ups.iter_mut().zip(before) {
            if previous != Arrival::NONE {
                nudge(&mut table[usize::from(previous.0)][usize::from(arrival.0)], bonus);
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
