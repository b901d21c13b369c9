//! Which turns are tried first.

use std::sync::LazyLock;

use khet::{Aim, Choice, Color, Piece, Square, Turn, TurnList};

use crate::evaluate::piece_value;
use crate::history::Memory;
use crate::packed::PackedTurn;
use crate::score::Value;
use crate::search::Node;

/// A turn with what is known of it before it is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picked {
    pub(crate) turn: Turn,
    /// It gains more than a turn that leaves the beam alone.
    pub(crate) tactical: bool,
    pub(crate) history: i32,
}

/// What losing each piece costs Silver, and what it gains by Red's.
static WORTH: LazyLock<[i16; Piece::COUNT]> = LazyLock::new(|| {
    let mut worth = [0; Piece::COUNT];
    for piece in Piece::all() {
        let value = piece_value(piece) as i16;
        worth[piece.index()] = if piece.color() == Color::Silver { -value } else { value };
    }
    worth
});

/// What a shot gains for the player who fires: the other side's pieces less one's own.
#[inline]
pub(crate) fn gain(side: Color, spoils: impl Iterator<Item = Piece>) -> Value {
    let silver: Value = spoils.map(|piece| Value::from(WORTH[piece.index()])).sum();
    if side == Color::Silver { silver } else { -silver }
}

/// What the shot gains if the turn leaves the beam alone.
pub(crate) fn standing_gain(node: &Node) -> Value {
    gain(node.side(), node.own.removed.into_iter().filter_map(|square| node.position.get(square)))
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
    pub(crate) node: &'a Node,
    pub(crate) aim: &'a Aim<'a>,
    pub(crate) memory: Memory<'a>,
}

/// Hands out the turns of a node: the table's, those that win something, quiet ones by their
/// history, and last those whose own shot costs material.
///
/// Only turns that touch the beam can win more than the others, so those are generated first; most
/// nodes never need the rest.
pub(crate) struct Picker {
    known: PackedTurn,
    stage: Stage,
    /// What a turn gains that leaves the beam alone.
    standing: Value,
    lists: Box<Lists>,
    length: usize,
    skip_quiets: bool,
}

/// Room for the turns of a node.
pub(crate) struct Lists {
    /// How promising each turn is, and its number in the lowest byte, so that the best one is the
    /// largest of a row of numbers; [`TAKEN`] when it has been handed out.
    ranks: [i32; Lists::CAPACITY],
    turns: [PackedTurn; Lists::CAPACITY],
}

impl Lists {
    /// A number of a turn is a byte.
    const CAPACITY: usize = 256;
}

const _: () = assert!(Lists::CAPACITY >= TurnList::CAPACITY);

impl Default for Lists {
    fn default() -> Lists {
        Lists { ranks: [TAKEN; Lists::CAPACITY], turns: [PackedTurn::NONE; Lists::CAPACITY] }
    }
}

const TAKEN: i32 = i32::MIN;
const TACTICAL: Value = 1_000_000;
const LOSING: Value = -1_000_000;

impl Picker {
    /// Lists that are no longer needed elsewhere can be used again.
    pub(crate) fn new(known: PackedTurn, lists: Option<Box<Lists>>) -> Picker {
        Picker {
            known,
            stage: Stage::Known,
            standing: 0,
            lists: lists.unwrap_or_default(),
            length: 0,
            skip_quiets: false,
        }
    }

    pub(crate) fn into_lists(self) -> Box<Lists> {
        self.lists
    }

    /// From now on only turns that win something.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    pub(crate) fn next(&mut self, scene: &Scene<'_>) -> Option<Picked> {
        let side = scene.node.side();
        loop {
            match self.stage {
                Stage::Known => {
                    self.stage = Stage::Disturb;
                    self.standing = standing_gain(scene.node);
                    let position = &scene.node.position;
                    let known = self.known.turn().filter(|&turn| position.check(turn) == Ok(turn));
                    self.known = known.map_or(PackedTurn::NONE, PackedTurn::from);
                    if let Some(turn) = known {
                        let gained = match scene.aim.is_disturbed_by(turn) {
                            true => gain(side, scene.aim.hits(turn).map(|(_, piece)| piece)),
                            false => self.standing,
                        };
                        let value = self.judge(gained).unwrap_or_default();
                        return Some(self.picked(turn, value, scene));
                    }
                }
                Stage::Disturb => {
                    self.stage = Stage::Tactical;
                    scene.aim.each_disturbing_choice(|choice, spoils| {
                        match self.judge(gain(side, spoils)) {
                            Some(value) => self.add_choice(choice, |_, _| value),
                            None => self.add_by_history(choice, scene),
                        }
                    });
                }
                Stage::Tactical => match self.best() {
                    rank if rank >> 8 >= TACTICAL => return self.take(rank, scene),
                    _ => self.stage = Stage::Calm,
                },
                Stage::Calm if self.skip_quiets => return None,
                Stage::Calm => {
                    self.stage = Stage::Rest;
                    scene.aim.each_calm_choice(|choice| self.add_by_history(choice, scene));
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
    fn add(&mut self, turn: PackedTurn, value: Value) {
        let number = self.length & (Lists::CAPACITY - 1);
        // Of equals the first comes first.
        self.lists.ranks[number] = value << 8 | (255 - number as i32);
        self.lists.turns[number] = turn;
        // The known turn has been tried: the next one takes its place.
        self.length += usize::from(turn != self.known);
    }

    /// Adds turns of one piece, each with its value.
    #[inline(always)]
    fn add_choice(&mut self, choice: Choice, value: impl Fn(PackedTurn, Square) -> Value) {
        let sample = PackedTurn::from(choice.turn(choice.from));
        choice.targets.into_iter().for_each(|to| {
            let turn = sample.with_target(to);
            self.add(turn, value(turn, to));
        });
    }

    /// Adds turns of one piece whose shots gain what leaving the beam alone gains.
    #[inline(always)]
    fn add_by_history(&mut self, choice: Choice, scene: &Scene<'_>) {
        let memory = scene.memory.of_piece(scene.node.position.get(choice.from));
        self.add_choice(choice, |turn, to| memory.of(turn, to));
    }

    /// The rank of the most promising turn that is left.
    #[inline]
    fn best(&self) -> i32 {
        self.lists.ranks[..self.length].iter().copied().fold(TAKEN, i32::max)
    }

    fn take(&mut self, rank: i32, scene: &Scene<'_>) -> Option<Picked> {
        let number = 255 - (rank & 255) as usize;
        self.lists.ranks[number] = TAKEN;
        let turn = self.lists.turns[number].turn()?;
        Some(self.picked(turn, rank >> 8, scene))
    }

    fn picked(&self, turn: Turn, value: Value, scene: &Scene<'_>) -> Picked {
        let tactical = value >= TACTICAL;
        let history = if tactical { 0 } else { self.history(turn, scene) };
        Picked { turn, tactical, history }
    }

    #[inline]
    fn history(&self, turn: Turn, scene: &Scene<'_>) -> Value {
        let piece = scene.node.position.get(turn.from());
        scene.memory.of_piece(piece).of(PackedTurn::from(turn), turn.to())
    }

    /// How promising a turn is that gains so much; its history tells if that is nothing special.
    #[inline]
    fn judge(&self, gained: Value) -> Option<Value> {
        let standing = self.standing;
        if gained > standing.max(0) {
            Some(TACTICAL + gained)
        } else if gained < standing {
            Some(LOSING - (standing - gained))
        } else {
            None
        }
    }
}

/// Hands out turns of quiescence, the one that gains most first.
pub(crate) struct Promising {
    /// The ranks are what a turn gains, with the turn itself in the lower half.
    lists: Box<Lists>,
    length: usize,
}

impl Promising {
    pub(crate) fn new(lists: Option<Box<Lists>>) -> Promising {
        Promising { lists: lists.unwrap_or_default(), length: 0 }
    }

    pub(crate) fn into_lists(self) -> Box<Lists> {
        self.lists
    }

    #[inline]
    pub(crate) fn push(&mut self, gained: Value, turn: Turn) {
        self.lists.ranks[self.length] = gained << 16 | i32::from(PackedTurn::from(turn).bits());
        self.length += 1;
    }

    pub(crate) fn next(&mut self) -> Option<Turn> {
        let ranks = &mut self.lists.ranks[..self.length];
        let (number, &best) = ranks.iter().enumerate().max_by_key(|(_, rank)| **rank)?;
        let last = ranks.len() - 1;
        ranks.swap(number, last);
        self.length = last;
        PackedTurn::from_bits(best as u16).turn()
    }
}
