//! A position in the tree, with what is known of it before it is searched.

use khet::{AimedPosition, Bitboard, Color, Move, Position, ShotSquares};

use crate::evaluate::{evaluate, standing, standing_change};
use crate::score::{DRAW, Value, loss_at, win_at};
use crate::table::Table;

/// A position with both beams and with how the pieces stand. A move changes little of that: what it
/// does not touch is taken over from the position before.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) position: Position,
    /// The beam of the side to move, as it runs now.
    pub(crate) own: ShotSquares,
    pub(crate) theirs: ShotSquares,
    /// How much better Silver's pieces stand than Red's.
    standing: Value,
}

impl Node {
    pub(crate) fn new(position: Position) -> Node {
        let side = position.side_to_move();
        let (own, theirs) = (position.shot_squares(side), position.shot_squares(!side));
        Node { position, own, theirs, standing: standing(&position) }
    }

    pub(crate) fn side(&self) -> Color {
        self.position.side_to_move()
    }

    /// Needed for playing moves.
    pub(crate) fn aim(&self) -> AimedPosition<'_> {
        self.position.aim_with(self.own)
    }

    /// Makes of `next`, which may be any node, what a move and its shot make of this one: the squares
    /// on which something was removed. A table that will be asked for that position is told at once.
    #[inline]
    pub(crate) fn play(
        &self,
        aim: &AimedPosition<'_>,
        mv: Move,
        next: &mut Node,
        table: Option<&Table>,
    ) -> Bitboard {
        let side = self.side();
        let Node { position, own, theirs, standing } = next;
        let removed = aim.play_into(position, mv);
        if let Some(table) = table {
            table.prefetch(position.key());
        }
        let changed = Bitboard::of(mv.from()) | Bitboard::of(mv.to()) | removed;
        let retrace = |sweep: &mut ShotSquares, before: &ShotSquares, by: Color| {
            if (before.path & changed).is_empty() {
                *sweep = *before;
            } else {
                *sweep = position.shot_squares(by);
            }
        };
        retrace(own, &self.theirs, !side);
        retrace(theirs, &self.own, side);
        *standing = self.standing + standing_change(&self.position, position, changed);
        removed
    }

    /// The same position when its side passes and does not fire.
    pub(crate) fn after_null_move(&self) -> Node {
        Node {
            position: self.position.after_null_move(),
            own: self.theirs,
            theirs: self.own,
            standing: self.standing,
        }
    }

    /// Whether the other player lights our pharaoh unless something is done.
    pub(crate) fn endangered(&self) -> bool {
        self.strikes_pharaoh(self.theirs.removed, self.side())
    }

    fn strikes_pharaoh(&self, removed: Bitboard, color: Color) -> bool {
        !removed.is_empty()
            && self.position.pharaoh(color).is_some_and(|square| removed.has(square))
    }

    /// Whether the side to move lights the pharaoh with any move that leaves its beam alone, and
    /// has one.
    pub(crate) fn wins_at_once(&self) -> bool {
        let removed = self.own.removed;
        let side = self.side();
        if !self.strikes_pharaoh(removed, !side) || self.strikes_pharaoh(removed, side) {
            return false;
        }
        let mut calm = false;
        self.aim().each_undisturbing_move(|_, _| calm = true);
        calm
    }

    /// The static value, when nothing is done but what happens by itself: if the beam already rests
    /// on pieces of the other side, they are gone.
    pub(crate) fn evaluate(&self) -> Value {
        let (side, removed) = (self.side(), self.own.removed);
        if removed.is_empty() || !(removed & self.position.of_color(side)).is_empty() {
            return evaluate(&self.position, self.standing, &self.own, &self.theirs);
        }
        let after = self.aim().after();
        let standing = self.standing + standing_change(&self.position, &after, removed);
        -evaluate(&after, standing, &after.shot_squares(!side), &after.shot_squares(side))
    }

    /// The value of a move whose shot ended the game, for the player who fired at `ply`; this is
    /// the position before it.
    pub(crate) fn ended(&self, next: &Node, removed: Bitboard, ply: usize) -> Option<Value> {
        if removed.is_empty() {
            return None;
        }
        let side = self.side();
        let lit = |color| next.position.pharaoh(color).is_none();
        match (lit(side), lit(!side)) {
            (false, false) => None,
            (true, true) => Some(DRAW),
            (true, false) => Some(loss_at(ply + 1)),
            (false, true) => Some(win_at(ply + 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    /// Whatever was taken over must be what looking anew would find.
    #[test]
    fn what_is_taken_over_is_what_there_is() {
        let mut state = 1_u64;
        for setup in Setup::ALL {
            for _ in 0..20 {
                let mut node = Node::new(setup.position());
                for _ in 0..60 {
                    let moves = node.position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    let mv = moves[(state >> 33) as usize % moves.len()];
                    let mut next = node.clone();
                    node.play(&node.aim(), mv, &mut next, None);
                    node = next;
                    let anew = Node::new(node.position);
                    assert_eq!((node.own, node.theirs), (anew.own, anew.theirs), "{mv}");
                    assert_eq!(node.standing, anew.standing, "{mv}");
                }
            }
        }
    }
}
