//! Which turns are tried first.

use khet::{Aim, Bitboard, Color, Position, Sweep, Turn, TurnList};

use crate::evaluate::piece_value;
use crate::history::{Arrival, History};
use crate::packed::PackedTurn;
use crate::score::Value;

/// A turn with what is known of it before it is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picked {
    pub(crate) turn: Turn,
    /// It gains more than a turn that leaves the beam alone.
    pub(crate) tactical: bool,
    /// How much less it gains than such a turn.
    pub(crate) loses: Value,
    pub(crate) history: i32,
}

/// What a shot gains for the player who fires: the other side's pieces less one's own. The pieces
/// are those of the position after the turn, if there is one.
pub(crate) fn gain(position: &Position, turn: Option<Turn>, removed: Bitboard) -> Value {
    if removed.is_empty() {
        return 0;
    }
    let fired = turn.map_or(*position, |turn| position.before_shot(turn));
    let side = position.side_to_move();
    removed
        .into_iter()
        .filter_map(|square| fired.get(square))
        .map(|piece| if piece.color() == side { -piece_value(piece) } else { piece_value(piece) })
        .sum()
}

#[derive(PartialEq, Eq)]
enum Stage {
    Known,
    Generate,
    Rest,
}

/// Hands out the turns of a node: the table's, those that win something, killers, quiet ones by
/// their history, and last those whose own shot costs material.
pub(crate) struct Picker {
    known: Option<Turn>,
    killers: [PackedTurn; 2],
    side: Color,
    before: [Option<Arrival>; 2],
    stage: Stage,
    turns: [(Value, Picked); TurnList::CAPACITY],
    length: usize,
    next: usize,
    skip_quiets: bool,
}

const TACTICAL: Value = 1_000_000;
const KILLER: Value = 500_000;
const LOSING: Value = -1_000_000;

impl Picker {
    pub(crate) fn new(
        known: Option<Turn>,
        killers: [PackedTurn; 2],
        side: Color,
        before: [Option<Arrival>; 2],
    ) -> Picker {
        let none = Picked {
            turn: Turn::Rotate { square: khet::Square::A1, spin: khet::Spin::Clockwise },
            tactical: false,
            loses: 0,
            history: 0,
        };
        Picker {
            known,
            killers,
            side,
            before,
            stage: Stage::Known,
            turns: [(0, none); TurnList::CAPACITY],
            length: 0,
            next: 0,
            skip_quiets: false,
        }
    }

    /// From now on only turns that win something.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    pub(crate) fn next(
        &mut self,
        position: &Position,
        aim: &Aim<'_>,
        theirs: &Sweep,
        history: &History,
    ) -> Option<Picked> {
        if self.stage == Stage::Known {
            self.stage = Stage::Generate;
            if let Some(turn) = self.known {
                if position.check(turn) == Ok(turn) {
                    let standing = gain(position, None, aim.sweep().removed);
                    return Some(self.judge(turn, standing, position, aim, theirs, history).1);
                }
                self.known = None;
            }
        }
        if self.stage == Stage::Generate {
            self.stage = Stage::Rest;
            let standing = gain(position, None, aim.sweep().removed);
            for &turn in &position.turns() {
                if Some(turn) != self.known {
                    let judged = self.judge(turn, standing, position, aim, theirs, history);
                    self.turns[self.length] = judged;
                    self.length += 1;
                }
            }
        }
        loop {
            let rest = &mut self.turns[self.next..self.length];
            let best = (0..rest.len()).max_by_key(|&index| (rest[index].0, rest.len() - index))?;
            rest.swap(0, best);
            let picked = rest[0].1;
            self.next += 1;
            if !self.skip_quiets || picked.tactical {
                return Some(picked);
            }
        }
    }

    fn judge(
        &self,
        turn: Turn,
        standing: Value,
        position: &Position,
        aim: &Aim<'_>,
        theirs: &Sweep,
        history: &History,
    ) -> (Value, Picked) {
        let gained = if aim.is_disturbed_by(turn) {
            gain(position, Some(turn), aim.play(turn).1)
        } else {
            standing
        };
        let mut picked = Picked { turn, tactical: gained > standing.max(0), loses: 0, history: 0 };
        if picked.tactical {
            return (TACTICAL + gained, picked);
        }
        let arrival = Arrival::new(position.get(turn.from()), turn);
        picked.history = history.quiet(self.side, turn, arrival, self.before);
        if gained < standing.min(0) || gained < standing {
            picked.loses = standing - gained;
            return (LOSING - picked.loses * 16 + picked.history / 64, picked);
        }
        let packed = PackedTurn::from(turn);
        let mut value = picked.history;
        if packed == self.killers[0] {
            value += KILLER + 1;
        } else if packed == self.killers[1] {
            value += KILLER;
        }
        // Getting out of the other side's beam, or bending it.
        if !theirs.removed.is_empty()
            && (theirs.path.has(turn.from()) || theirs.path.has(turn.to()))
        {
            value += 6_000;
        }
        (value, picked)
    }
}
