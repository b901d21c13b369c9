//! What turns were good elsewhere in the tree.

use khet::{Color, Piece, Role, Square};

use crate::packed::PackedTurn;

/// Values stay between minus this and this.
const LIMIT: i32 = 16_384;

/// Sorts of pieces that the tables tell apart: pharaoh, pyramid, mirrors that swap, the rest.
const SORTS: usize = 4;
const ARRIVALS: usize = SORTS * Square::COUNT;

/// A piece and where its turn left it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrival(u16);

impl Arrival {
    #[inline]
    pub(crate) fn new(piece: Option<Piece>, to: Square) -> Arrival {
        let sort = match piece.map(Piece::role) {
            Some(Role::Pharaoh) | None => 0,
            Some(Role::Pyramid) => 1,
            Some(Role::Djed | Role::Scarab | Role::Eye) => 2,
            Some(Role::Obelisk | Role::Anubis | Role::Sphinx) => 3,
        };
        Arrival((sort * Square::COUNT + to.index()) as u16)
    }
}

type Row = [i16; ARRIVALS];

/// What followed when nothing came before.
static NOTHING: Row = [0; ARRIVALS];

/// Of one thread.
pub(crate) struct History {
    /// By the player and the turn.
    main: [Vec<i16>; 2],
    /// By the turn before, the other player's, and the one before that, one's own.
    follow_ups: [Vec<Row>; 2],
}

/// The part of the history that matters at a node.
#[derive(Clone, Copy)]
pub(crate) struct Memory<'a> {
    main: &'a [i16],
    rows: [&'a Row; 2],
}

impl Memory<'_> {
    /// How good a quiet turn has been, alone and behind the turns before it.
    #[inline]
    pub(crate) fn of(&self, turn: PackedTurn, arrival: Arrival) -> i32 {
        let arrival = usize::from(arrival.0);
        i32::from(self.main[usize::from(turn.bits())])
            + i32::from(self.rows[0][arrival])
            + i32::from(self.rows[1][arrival])
    }
}

impl History {
    pub(crate) fn new() -> History {
        let main = || vec![0; 1 << 16];
        let follow_ups = || vec![[0; ARRIVALS]; ARRIVALS];
        History { main: [main(), main()], follow_ups: [follow_ups(), follow_ups()] }
    }

    /// What is remembered for this player behind the two turns before.
    pub(crate) fn recall(&self, side: Color, before: [Option<Arrival>; 2]) -> Memory<'_> {
        let row = |index: usize| match before[index] {
            Some(arrival) => &self.follow_ups[index][usize::from(arrival.0)],
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
