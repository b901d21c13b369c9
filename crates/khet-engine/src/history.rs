//! What turns were good elsewhere in the tree.

use khet::{Color, Piece, Role, Square, Turn};

use crate::packed::{TURNS, turn_index};

/// Values stay between minus this and this.
const LIMIT: i32 = 16_384;

/// Sorts of pieces that the tables tell apart: pharaoh, pyramid, mirrors that swap, the rest.
const SORTS: usize = 4;
const ARRIVALS: usize = SORTS * Square::COUNT;

/// A piece and where its turn left it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrival(u16);

impl Arrival {
    pub(crate) fn new(piece: Option<Piece>, turn: Turn) -> Arrival {
        let sort = match piece.map(Piece::role) {
            Some(Role::Pharaoh) | None => 0,
            Some(Role::Pyramid) => 1,
            Some(Role::Djed | Role::Scarab | Role::Eye) => 2,
            Some(Role::Obelisk | Role::Anubis | Role::Sphinx) => 3,
        };
        Arrival((sort * Square::COUNT + turn.to().index()) as u16)
    }
}

type Pairs = [[i16; ARRIVALS]; ARRIVALS];

/// Of one thread.
pub(crate) struct History {
    main: Box<[[i16; TURNS]; 2]>,
    /// By the turn before, the other player's, and the one before that, one's own.
    follow_ups: [Box<Pairs>; 2],
}

impl History {
    pub(crate) fn new() -> History {
        let pairs = || Box::new([[0; ARRIVALS]; ARRIVALS]);
        History { main: Box::new([[0; TURNS]; 2]), follow_ups: [pairs(), pairs()] }
    }

    /// How good a quiet turn has been, alone and behind the turns before it.
    pub(crate) fn quiet(
        &self,
        side: Color,
        turn: Turn,
        arrival: Arrival,
        before: [Option<Arrival>; 2],
    ) -> i32 {
        let mut value = i32::from(self.main[side as usize][turn_index(turn)]);
        for (table, previous) in self.follow_ups.iter().zip(before) {
            if let Some(previous) = previous {
                value += i32::from(table[usize::from(previous.0)][usize::from(arrival.0)]);
            }
        }
        value
    }

    pub(crate) fn update_quiet(
        &mut self,
        side: Color,
        turn: Turn,
        arrival: Arrival,
        before: [Option<Arrival>; 2],
        bonus: i32,
    ) {
        nudge(&mut self.main[side as usize][turn_index(turn)], bonus);
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
