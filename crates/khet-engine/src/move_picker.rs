//! Move ordering: generates the moves of a node in stages.

use std::sync::LazyLock;

use khet::{
    AimedPosition, Bitboard, Color, Move, MoveList, PartialMove, Piece, PieceValues, Square,
};

use crate::evaluate::piece_value;
use crate::history::HistoryView;
use crate::packed::PackedMove;
use crate::score::Value;
use crate::search::Node;

/// A move with its ordering data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PickedMove {
    pub(crate) mv: Move,
    /// It wins material, and more than a move that leaves the beam unchanged.
    pub(crate) tactical: bool,
    pub(crate) history: i32,
}

/// Gain of a shot for each piece it removes, by the side that fires: positive for pieces of the
/// other side, negative for its own.
static CAPTURE_VALUES: LazyLock<[PieceValues; 2]> = LazyLock::new(|| {
    let mut capture_values = [[0; Piece::COUNT]; 2];
    for piece in Piece::all() {
        let value = piece_value(piece) as i16;
        capture_values[!piece.color() as usize][piece.index()] = value;
        capture_values[piece.color() as usize][piece.index()] = -value;
    }
    capture_values
});

/// Returns the gain of a shot of this side for each piece it removes.
pub(crate) fn capture_values(side: Color) -> &'static PieceValues {
    &CAPTURE_VALUES[side as usize]
}

/// Returns the gain of a shot of this side that removes these pieces.
fn gain(side: Color, pieces: impl Iterator<Item = Piece>) -> Value {
    let capture_values = capture_values(side);
    pieces.map(|piece| Value::from(capture_values[piece.index()])).sum()
}

/// Returns the gain of the shot after a move that leaves the beam unchanged.
pub(crate) fn undisturbed_gain(node: &Node) -> Value {
    gain(node.side(), node.own.removed.into_iter().filter_map(|square| node.position.get(square)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The move of the transposition table.
    TtMove,
    GenerateDisturbing,
    /// Moves that win material.
    Tactical,
    GenerateQuiets,
    Quiets,
    GenerateLosing,
    Losing,
}

/// Data of a node that the picker needs.
pub(crate) struct PickContext<'a> {
    pub(crate) node: &'a Node,
    pub(crate) aim: &'a AimedPosition<'a>,
    pub(crate) history: HistoryView<'a>,
}

/// Yields the moves of a node: the move of the transposition table, moves that win material, quiet
/// moves by history, and last the moves whose shot loses material.
///
/// Only moves that disturb the beam can win more than the others, so they are generated first. Many
/// nodes never need the quiet moves, and few need the losing ones.
pub(crate) struct MovePicker {
    tt_move: PackedMove,
    stage: Stage,
    /// The gain of a move that leaves the beam unchanged.
    undisturbed: Value,
    buffer: Box<MoveBuffer>,
    /// Number of moves in the buffer.
    length: u8,
    skip_quiets: bool,
}

/// Memory for the moves of a node.
pub(crate) struct MoveBuffer {
    /// The ordering score of each move, with 255 less its index in the lowest byte, so that the
    /// best is the largest of a row of numbers; [`TAKEN_SCORE`] when it has been handed out.
    scores: [i32; MoveBuffer::CAPACITY],
    moves: [PackedMove; MoveBuffer::CAPACITY],
}

impl MoveBuffer {
    /// The index of a move is a byte.
    const CAPACITY: usize = 256;
}

const _: () = assert!(MoveBuffer::CAPACITY > MoveList::CAPACITY);

impl Default for MoveBuffer {
    fn default() -> MoveBuffer {
        MoveBuffer {
            scores: [TAKEN_SCORE; MoveBuffer::CAPACITY],
            moves: [PackedMove::NONE; MoveBuffer::CAPACITY],
        }
    }
}

const TAKEN_SCORE: i32 = i32::MIN;
const TACTICAL: Value = 1_000_000;

impl MovePicker {
    /// MoveBuffer that are no longer needed elsewhere can be used again.
    pub(crate) fn new(tt_move: PackedMove, buffer: Option<Box<MoveBuffer>>) -> MovePicker {
        MovePicker {
            tt_move,
            stage: Stage::TtMove,
            undisturbed: 0,
            buffer: buffer.unwrap_or_default(),
            length: 0,
            skip_quiets: false,
        }
    }

    pub(crate) fn into_buffer(self) -> Box<MoveBuffer> {
        self.buffer
    }

    /// Yields only moves that win material from now on.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    pub(crate) fn next(&mut self, context: &PickContext<'_>) -> Option<PickedMove> {
        let side = context.node.side();
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateDisturbing;
                    self.undisturbed = undisturbed_gain(context.node);
                    let position = &context.node.position;
                    let tt_move = self.tt_move.mv().filter(|&mv| position.check(mv) == Ok(mv));
                    self.tt_move = tt_move.map_or(PackedMove::NONE, PackedMove::from);
                    if let Some(mv) = tt_move {
                        let gain = match context.aim.is_disturbed_by(mv) {
                            true => gain(side, context.aim.hits(mv).map(|(_, piece)| piece)),
                            false => self.undisturbed,
                        };
                        return Some(picked(mv, gain > self.undisturbed.max(0), context));
                    }
                }
                Stage::GenerateDisturbing => {
                    self.stage = Stage::Tactical;
                    self.add_disturbing(context, false);
                }
                Stage::Tactical => match self.best() {
                    score if score >> 8 >= TACTICAL => return self.take(score, context),
                    _ => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets | Stage::Quiets | Stage::GenerateLosing | Stage::Losing
                    if self.skip_quiets =>
                {
                    return None;
                }
                Stage::GenerateQuiets => {
                    self.stage = Stage::Quiets;
                    self.add_undisturbing(context);
                }
                Stage::Quiets => match self.best() {
                    TAKEN_SCORE => self.stage = Stage::GenerateLosing,
                    score => return self.take(score, context),
                },
                Stage::GenerateLosing => {
                    self.stage = Stage::Losing;
                    self.length = 0;
                    self.add_disturbing(context, true);
                }
                Stage::Losing => match self.best() {
                    TAKEN_SCORE => return None,
                    score => return self.take(score, context),
                },
            }
        }
    }

    /// Adds moves that disturb the beam: either those that lose material, or the others.
    #[inline(never)]
    fn add_disturbing(&mut self, context: &PickContext<'_>, losing: bool) {
        let undisturbed = self.undisturbed;
        let above = if losing { Value::MIN } else { undisturbed - 1 };
        self.fill(|list| {
            let capture_values = capture_values(context.node.side());
            context.aim.each_disturbing_move(capture_values, above, |choice, targets, gain| {
                if losing {
                    if gain < undisturbed {
                        list.add_all(choice, targets, |_, _| gain);
                    }
                } else if gain > undisturbed.max(0) {
                    list.add_all(choice, targets, |_, _| TACTICAL + gain);
                } else {
                    list.add_by_history(choice, targets, context);
                }
            });
        });
    }

    /// Adds the moves that do not touch the beam.
    #[inline(always)]
    fn add_undisturbing(&mut self, context: &PickContext<'_>) {
        self.fill(|list| {
            context.aim.each_undisturbing_move(|choice, targets| {
                list.add_by_history(choice, targets, context);
            });
        });
    }

    /// Adds moves to the buffer, except for the move of the transposition table, which was tried
    /// first.
    #[inline(always)]
    fn fill(&mut self, add: impl FnOnce(&mut BufferWriter<'_>)) {
        let start = usize::from(self.length);
        let mut list = BufferWriter { buffer: &mut self.buffer, length: self.length };
        add(&mut list);
        self.length = list.length;
        if self.tt_move != PackedMove::NONE {
            let added = &self.buffer.moves[..usize::from(self.length)][start..];
            if let Some(index) = added.iter().position(|&mv| mv == self.tt_move) {
                self.buffer.scores[start + index] = TAKEN_SCORE;
            }
        }
    }

    /// Returns the score of the best remaining move.
    #[inline]
    fn best(&self) -> i32 {
        self.buffer.scores[..usize::from(self.length)].iter().copied().fold(TAKEN_SCORE, i32::max)
    }

    /// Takes the move with this score out of the list.
    fn take(&mut self, score: i32, context: &PickContext<'_>) -> Option<PickedMove> {
        let index = usize::from(!(score as u8));
        self.buffer.scores[index] = TAKEN_SCORE;
        let mv = self.buffer.moves[index].mv()?;
        Some(picked(mv, score >> 8 >= TACTICAL, context))
    }
}

/// Returns the move with its history score, which tactical moves do not have.
fn picked(mv: Move, tactical: bool, context: &PickContext<'_>) -> PickedMove {
    let piece = context.node.position.get(mv.from());
    let history = match tactical {
        true => 0,
        false => context.history.of_piece(piece).of(PackedMove::from(mv), mv.to()),
    };
    PickedMove { mv, tactical, history }
}

/// The buffer while they are filled. Apart from the picker, so that the length is in a register.
struct BufferWriter<'a> {
    buffer: &'a mut MoveBuffer,
    length: u8,
}

impl BufferWriter<'_> {
    /// Adds a move with its value.
    #[inline(always)]
    fn add(&mut self, mv: PackedMove, value: Value) {
        let index = self.length;
        // Of equals the first comes first.
        self.buffer.scores[usize::from(index)] = value << 8 | i32::from(!index);
        self.buffer.moves[usize::from(index)] = mv;
        self.length = index.wrapping_add(1);
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
            // TtMove when compiling: no loop for a single move.
            return self.add(sample, value(sample, choice.from));
        }
        targets.into_iter().for_each(|to| {
            let mv = sample.with_target(to);
            self.add(mv, value(mv, to));
        });
    }

    /// Adds moves of one piece that win nothing special: the better they were elsewhere, the
    /// sooner.
    #[inline(always)]
    fn add_by_history(
        &mut self,
        choice: PartialMove,
        targets: Bitboard,
        context: &PickContext<'_>,
    ) {
        let history = context.history.of_piece(context.node.position.get(choice.from));
        self.add_all(choice, targets, |mv, to| history.of(mv, to));
    }
}

/// Moves of quiescence, highest gain first.
pub(crate) struct QuiescenceMoves {
    /// A score is the gain of a move, with the packed move in the lower half.
    buffer: Box<MoveBuffer>,
    length: usize,
}

impl QuiescenceMoves {
    pub(crate) fn new(buffer: Option<Box<MoveBuffer>>) -> QuiescenceMoves {
        QuiescenceMoves { buffer: buffer.unwrap_or_default(), length: 0 }
    }

    pub(crate) fn into_buffer(self) -> Box<MoveBuffer> {
        self.buffer
    }

    #[inline]
    pub(crate) fn push(&mut self, gain: Value, mv: Move) {
        self.buffer.scores[self.length] = gain << 16 | i32::from(PackedMove::from(mv).bits());
        self.length += 1;
    }

    pub(crate) fn next(&mut self) -> Option<Move> {
        let scores = &mut self.buffer.scores[..self.length];
        let (index, &best) = scores.iter().enumerate().max_by_key(|(_, score)| **score)?;
        let last = scores.len() - 1;
        scores.swap(index, last);
        self.length = last;
        PackedMove::from_bits(best as u16).mv()
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;
    use crate::history::{History, PieceTo};
    use crate::network::Network;

    /// All moves that a picker hands out.
    fn picked_moves(node: &Node, tt_move: PackedMove) -> Vec<Move> {
        let history = History::new();
        let aim = node.aim();
        let history = history.view(node.side(), [PieceTo::NONE; 2]);
        let mut picker = MovePicker::new(tt_move, None);
        let mut moves = Vec::new();
        while let Some(picked) = picker.next(&PickContext { node, aim: &aim, history }) {
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
                let node = Node::new(position, &Network::built_in());
                let mut expected = legal.to_vec();
                expected.sort();
                for tt_move in legal.iter().map(|&mv| PackedMove::from(mv)) {
                    let mut moves = picked_moves(&node, tt_move);
                    assert_eq!(moves.first().copied(), tt_move.mv(), "{position}");
                    moves.sort();
                    assert_eq!(moves, expected, "{position}");
                }
                let mut moves = picked_moves(&node, PackedMove::NONE);
                moves.sort();
                assert_eq!(moves, expected, "{position}");
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                position.play_unchecked(legal[(state >> 33) as usize % legal.len()]);
            }
        }
    }
}
