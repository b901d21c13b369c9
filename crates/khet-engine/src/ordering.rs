//! Which turns are tried first.

use std::sync::LazyLock;

use khet::{
    AimedPosition, Bitboard, Color, Move, MoveList, PartialMove, Piece, PieceValues, Square,
};

use crate::evaluate::piece_value;
use crate::history::Memory;
use crate::packed::PackedMove;
use crate::score::Value;
use crate::search::Node;

/// A move with what is known of it before it is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picked {
    pub(crate) mv: Move,
    /// It wins something, and more than a move that leaves the beam alone.
    pub(crate) tactical: bool,
    pub(crate) history: i32,
}

/// What a shot gains by each piece that it removes, for Silver and for Red who fire: the other side's
/// pieces less one's own.
static WORTH: LazyLock<[PieceValues; 2]> = LazyLock::new(|| {
    let mut worth = [[0; Piece::COUNT]; 2];
    for piece in Piece::all() {
        let value = piece_value(piece) as i16;
        worth[!piece.color() as usize][piece.index()] = value;
        worth[piece.color() as usize][piece.index()] = -value;
    }
    worth
});

/// What a shot of this side gains by each piece.
pub(crate) fn worth(side: Color) -> &'static PieceValues {
    &WORTH[side as usize]
}

/// What a shot of this side gains that removes these pieces.
fn gain(side: Color, spoils: impl Iterator<Item = Piece>) -> Value {
    let worth = worth(side);
    spoils.map(|piece| Value::from(worth[piece.index()])).sum()
}

/// What the shot gains if the move leaves the beam alone.
pub(crate) fn standing_gain(node: &Node) -> Value {
    gain(node.side(), node.own.removed.into_iter().filter_map(|square| node.position.get(square)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Known,
    Disturb,
    Tactical,
    Calm,
    Quiet,
    Costly,
    Last,
}

/// What the picker needs to know of a node.
pub(crate) struct Scene<'a> {
    pub(crate) node: &'a Node,
    pub(crate) aim: &'a AimedPosition<'a>,
    pub(crate) memory: Memory<'a>,
}

/// Hands out the moves of a node: the table's, those that win something, quiet ones by their
/// history, and last those whose own shot costs material.
///
/// Only moves that touch the beam can win more than the others, so those are generated first; many
/// nodes never need the quiet ones, and few those that cost something.
pub(crate) struct Picker {
    known: PackedMove,
    stage: Stage,
    /// What a move gains that leaves the beam alone.
    standing: Value,
    lists: Box<Lists>,
    /// Moves in the lists.
    length: u8,
    skip_quiets: bool,
}

/// Room for the moves of a node.
pub(crate) struct Lists {
    /// How promising each move is, and 255 less its number in the lowest byte, so that the best one
    /// is the largest of a row of numbers; [`TAKEN`] when it has been handed out.
    ranks: [i32; Lists::CAPACITY],
    moves: [PackedMove; Lists::CAPACITY],
}

impl Lists {
    /// A number of a move is a byte.
    const CAPACITY: usize = 256;
}

const _: () = assert!(Lists::CAPACITY > MoveList::CAPACITY);

impl Default for Lists {
    fn default() -> Lists {
        Lists { ranks: [TAKEN; Lists::CAPACITY], moves: [PackedMove::NONE; Lists::CAPACITY] }
    }
}

const TAKEN: i32 = i32::MIN;
const TACTICAL: Value = 1_000_000;

impl Picker {
    /// Lists that are no longer needed elsewhere can be used again.
    pub(crate) fn new(known: PackedMove, lists: Option<Box<Lists>>) -> Picker {
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

    /// From now on only moves that win something.
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
                    let known = self.known.mv().filter(|&mv| position.check(mv) == Ok(mv));
                    self.known = known.map_or(PackedMove::NONE, PackedMove::from);
                    if let Some(mv) = known {
                        let gained = match scene.aim.is_disturbed_by(mv) {
                            true => gain(side, scene.aim.hits(mv).map(|(_, piece)| piece)),
                            false => self.standing,
                        };
                        return Some(picked(mv, gained > self.standing.max(0), scene));
                    }
                }
                Stage::Disturb => {
                    self.stage = Stage::Tactical;
                    self.add_disturbing(scene, false);
                }
                Stage::Tactical => match self.best() {
                    rank if rank >> 8 >= TACTICAL => return self.take(rank, scene),
                    _ => self.stage = Stage::Calm,
                },
                Stage::Calm | Stage::Quiet | Stage::Costly | Stage::Last if self.skip_quiets => {
                    return None;
                }
                Stage::Calm => {
                    self.stage = Stage::Quiet;
                    self.add_calm(scene);
                }
                Stage::Quiet => match self.best() {
                    TAKEN => self.stage = Stage::Costly,
                    rank => return self.take(rank, scene),
                },
                Stage::Costly => {
                    self.stage = Stage::Last;
                    self.length = 0;
                    self.add_disturbing(scene, true);
                }
                Stage::Last => match self.best() {
                    TAKEN => return None,
                    rank => return self.take(rank, scene),
                },
            }
        }
    }

    /// Adds moves that touch the beam: those that cost something, or the others.
    #[inline(never)]
    fn add_disturbing(&mut self, scene: &Scene<'_>, costly: bool) {
        let standing = self.standing;
        let above = if costly { Value::MIN } else { standing - 1 };
        self.fill(|list| {
            let worth = worth(scene.node.side());
            scene.aim.each_disturbing_move(worth, above, |choice, targets, gained| {
                if costly {
                    if gained < standing {
                        list.add_all(choice, targets, |_, _| gained);
                    }
                } else if gained > standing.max(0) {
                    list.add_all(choice, targets, |_, _| TACTICAL + gained);
                } else {
                    list.add_by_history(choice, targets, scene);
                }
            });
        });
    }

    #[inline(always)]
    fn add_calm(&mut self, scene: &Scene<'_>) {
        self.fill(|list| {
            scene.aim.each_undisturbing_move(|choice, targets| {
                list.add_by_history(choice, targets, scene);
            });
        });
    }

    /// Adds moves to the lists. The known one among them has been tried already.
    #[inline(always)]
    fn fill(&mut self, add: impl FnOnce(&mut List<'_>)) {
        let start = usize::from(self.length);
        let mut list = List { lists: &mut self.lists, length: self.length };
        add(&mut list);
        self.length = list.length;
        if self.known != PackedMove::NONE {
            let added = &self.lists.moves[..usize::from(self.length)][start..];
            if let Some(number) = added.iter().position(|&mv| mv == self.known) {
                self.lists.ranks[start + number] = TAKEN;
            }
        }
    }

    /// The rank of the most promising move that is left.
    #[inline]
    fn best(&self) -> i32 {
        self.lists.ranks[..usize::from(self.length)].iter().copied().fold(TAKEN, i32::max)
    }

    fn take(&mut self, rank: i32, scene: &Scene<'_>) -> Option<Picked> {
        let number = usize::from(!(rank as u8));
        self.lists.ranks[number] = TAKEN;
        let mv = self.lists.moves[number].mv()?;
        Some(picked(mv, rank >> 8 >= TACTICAL, scene))
    }
}

fn picked(mv: Move, tactical: bool, scene: &Scene<'_>) -> Picked {
    let piece = scene.node.position.get(mv.from());
    let history = match tactical {
        true => 0,
        false => scene.memory.of_piece(piece).of(PackedMove::from(mv), mv.to()),
    };
    Picked { mv, tactical, history }
}

/// The lists while they are filled. Apart from the picker, so that the length is in a register.
struct List<'a> {
    lists: &'a mut Lists,
    length: u8,
}

impl List<'_> {
    #[inline(always)]
    fn add(&mut self, mv: PackedMove, value: Value) {
        let number = self.length;
        // Of equals the first comes first.
        self.lists.ranks[usize::from(number)] = value << 8 | i32::from(!number);
        self.lists.moves[usize::from(number)] = mv;
        self.length = number.wrapping_add(1);
    }

    /// Adds moves of one piece, each with its value.
    #[inline(always)]
    fn add_all(
        &mut self,
        choice: PartialMove,
        targets: Bitboard,
        value: impl Fn(PackedMove, Square) -> Value,
    ) {
        let sample = PackedMove::from(choice.with_target(choice.from));
        if choice.rotates() {
            // Known when compiling: no loop for a single move.
            return self.add(sample, value(sample, choice.from));
        }
        targets.into_iter().for_each(|to| {
            let mv = sample.with_target(to);
            self.add(mv, value(mv, to));
        });
    }

    /// Adds moves of one piece that win nothing special: the better they were elsewhere, the sooner.
    #[inline(always)]
    fn add_by_history(&mut self, choice: PartialMove, targets: Bitboard, scene: &Scene<'_>) {
        let memory = scene.memory.of_piece(scene.node.position.get(choice.from));
        self.add_all(choice, targets, |mv, to| memory.of(mv, to));
    }
}

/// Hands out moves of quiescence, the one that gains most first.
pub(crate) struct Promising {
    /// The ranks are what a move gains, with the move itself in the lower half.
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
    pub(crate) fn push(&mut self, gained: Value, mv: Move) {
        self.lists.ranks[self.length] = gained << 16 | i32::from(PackedMove::from(mv).bits());
        self.length += 1;
    }

    pub(crate) fn next(&mut self) -> Option<Move> {
        let ranks = &mut self.lists.ranks[..self.length];
        let (number, &best) = ranks.iter().enumerate().max_by_key(|(_, rank)| **rank)?;
        let last = ranks.len() - 1;
        ranks.swap(number, last);
        self.length = last;
        PackedMove::from_bits(best as u16).mv()
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;
    use crate::history::{Arrival, History};

    /// All moves that a picker hands out.
    fn handed_out(node: &Node, known: PackedMove) -> Vec<Move> {
        let history = History::new();
        let aim = node.aim();
        let memory = history.recall(node.side(), [Arrival::NONE; 2]);
        let mut picker = Picker::new(known, None);
        let mut moves = Vec::new();
        while let Some(picked) = picker.next(&Scene { node, aim: &aim, memory }) {
            moves.push(picked.mv);
        }
        moves
    }

    #[test]
    fn every_move_is_handed_out_once_whichever_is_known() {
        let mut state = 1_u64;
        for setup in Setup::ALL {
            let mut position = setup.position();
            for _ in 0..30 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let node = Node::new(position);
                let mut expected = legal.to_vec();
                expected.sort();
                for known in legal.iter().map(|&mv| PackedMove::from(mv)) {
                    let mut moves = handed_out(&node, known);
                    assert_eq!(moves.first().copied(), known.mv(), "{position}");
                    moves.sort();
                    assert_eq!(moves, expected, "{position}");
                }
                let mut moves = handed_out(&node, PackedMove::NONE);
                moves.sort();
                assert_eq!(moves, expected, "{position}");
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                position.play_unchecked(legal[(state >> 33) as usize % legal.len()]);
            }
        }
    }
}
