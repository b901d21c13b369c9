//! Which turns are tried first.

use khet::{Aim, Color, Piece, Position, Sweep, Turn, TurnList};

use crate::evaluate::piece_value;
use crate::history::{Arrival, Memory};
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

/// What the shot after a turn gains for the player who fires: the other side's pieces less one's own.
#[inline]
pub(crate) fn gain(side: Color, aim: &Aim<'_>, turn: Turn) -> Value {
    total(side, aim.hits(turn).map(|(_, piece)| piece))
}

/// What the shot gains if the turn leaves the beam alone.
pub(crate) fn standing_gain(position: &Position, aim: &Aim<'_>) -> Value {
    let removed = aim.sweep().removed;
    total(position.side_to_move(), removed.into_iter().filter_map(|square| position.get(square)))
}

fn total(side: Color, pieces: impl Iterator<Item = Piece>) -> Value {
    let signed = |piece: Piece| match piece.color() == side {
        true => -piece_value(piece),
        false => piece_value(piece),
    };
    pieces.map(signed).sum()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Known,
    Disturb,
    Tactical,
    Calm,
    Rest,
}

/// What the picker needs to know of a node.
pub(crate) struct Scene<'a> {
    pub(crate) position: &'a Position,
    pub(crate) aim: &'a Aim<'a>,
    pub(crate) theirs: &'a Sweep,
    pub(crate) memory: Memory<'a>,
}

/// Hands out the turns of a node: the table's, those that win something, killers, quiet ones by
/// their history, and last those whose own shot costs material.
///
/// Only turns that touch the beam can win more than the others, so those are generated first; most
/// nodes never need the rest.
pub(crate) struct Picker {
    known: Option<Turn>,
    killers: [PackedTurn; 2],
    stage: Stage,
    /// What a turn gains that leaves the beam alone.
    standing: Value,
    /// How promising each turn is, and its number in the lowest byte, so that the best one is the
    /// largest of a row of numbers; [`TAKEN`] when it has been handed out.
    ranks: [i32; TurnList::CAPACITY],
    turns: [PackedTurn; TurnList::CAPACITY],
    loses: [i16; TurnList::CAPACITY],
    length: usize,
    skip_quiets: bool,
}

const TAKEN: i32 = i32::MIN;
const TACTICAL: Value = 1_000_000;
const KILLER: Value = 500_000;
const LOSING: Value = -1_000_000;
/// For a turn that gets out of the other side's beam, or bends it, when that rests on something.
const DODGE: Value = 6_000;

impl Picker {
    pub(crate) fn new(known: Option<Turn>, killers: [PackedTurn; 2]) -> Picker {
        Picker {
            known,
            killers,
            stage: Stage::Known,
            standing: 0,
            ranks: [TAKEN; TurnList::CAPACITY],
            turns: [PackedTurn::NONE; TurnList::CAPACITY],
            loses: [0; TurnList::CAPACITY],
            length: 0,
            skip_quiets: false,
        }
    }

    /// From now on only turns that win something.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    pub(crate) fn next(&mut self, scene: &Scene<'_>) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::Known => {
                    self.stage = Stage::Disturb;
                    self.standing = standing_gain(scene.position, scene.aim);
                    self.known = self.known.filter(|&turn| scene.position.check(turn) == Ok(turn));
                    if let Some(turn) = self.known {
                        let (value, loses) = self.judge(turn, scene);
                        return Some(self.picked(turn, value, loses, scene));
                    }
                }
                Stage::Disturb => {
                    self.stage = Stage::Tactical;
                    for &turn in &scene.aim.disturbing_turns() {
                        self.add(turn, self.judge(turn, scene));
                    }
                }
                Stage::Tactical => match self.best() {
                    rank if rank >> 8 >= TACTICAL => return self.take(rank, scene),
                    _ => self.stage = Stage::Calm,
                },
                Stage::Calm if self.skip_quiets => return None,
                Stage::Calm => {
                    self.stage = Stage::Rest;
                    scene.aim.each_calm_turn(|turn| {
                        self.add(turn, (self.judge_quiet(turn, scene), 0));
                    });
                }
                Stage::Rest if self.skip_quiets => return None,
                Stage::Rest => match self.best() {
                    TAKEN => return None,
                    rank => return self.take(rank, scene),
                },
            }
        }
    }

    #[inline]
    fn add(&mut self, turn: Turn, (value, loses): (Value, i16)) {
        if Some(turn) != self.known {
            let number = self.length;
            // Of equals the first comes first.
            self.ranks[number] = value << 8 | (255 - number as i32);
            self.turns[number] = PackedTurn::from(turn);
            self.loses[number] = loses;
            self.length += 1;
        }
    }

    /// The rank of the most promising turn that is left.
    #[inline]
    fn best(&self) -> i32 {
        self.ranks[..self.length].iter().copied().fold(TAKEN, i32::max)
    }

    fn take(&mut self, rank: i32, scene: &Scene<'_>) -> Option<Picked> {
        let number = 255 - (rank & 255) as usize;
        self.ranks[number] = TAKEN;
        let turn = self.turns[number].turn()?;
        Some(self.picked(turn, rank >> 8, self.loses[number], scene))
    }

    fn picked(&self, turn: Turn, value: Value, loses: i16, scene: &Scene<'_>) -> Picked {
        let tactical = value >= TACTICAL;
        let history = if tactical { 0 } else { self.history(turn, scene) };
        Picked { turn, tactical, loses: Value::from(loses), history }
    }

    #[inline]
    fn history(&self, turn: Turn, scene: &Scene<'_>) -> Value {
        let arrival = Arrival::new(scene.position.get(turn.from()), turn.to());
        scene.memory.of(PackedTurn::from(turn), arrival)
    }

    /// How promising a turn is, and how much less it gains than one that leaves the beam alone.
    #[inline]
    fn judge(&self, turn: Turn, scene: &Scene<'_>) -> (Value, i16) {
        let standing = self.standing;
        if scene.aim.is_disturbed_by(turn) {
            let gained = gain(scene.position.side_to_move(), scene.aim, turn);
            if gained > standing.max(0) {
                return (TACTICAL + gained, 0);
            }
            if gained < standing {
                let loses = standing - gained;
                return (LOSING - loses * 16, loses.min(Value::from(i16::MAX)) as i16);
            }
        }
        (self.judge_quiet(turn, scene), 0)
    }

    /// The same for a turn that gains what one gains that leaves the beam alone.
    #[inline]
    fn judge_quiet(&self, turn: Turn, scene: &Scene<'_>) -> Value {
        let packed = PackedTurn::from(turn);
        let mut value = self.history(turn, scene);
        if packed == self.killers[0] {
            value += KILLER + 1;
        } else if packed == self.killers[1] {
            value += KILLER;
        }
        let theirs = scene.theirs;
        if !theirs.removed.is_empty()
            && (theirs.path.has(turn.from()) || theirs.path.has(turn.to()))
        {
            value += DODGE;
        }
        value
    }
}
