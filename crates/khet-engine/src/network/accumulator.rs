//! The sums of the hidden layer, updated from move to move.
//!
//! Pieces and each beam have sums of their own. A move changes the columns of a few pieces; a beam
//! that it disturbs is summed up again while it is traced, which takes two columns per segment.

use khet::{Bitboard, Color, Direction, Position, ShotSquares};

use super::features::{beam_feature, piece_feature, segment_ends};
use super::{Column, HIDDEN, Network, add, subtract};

/// The sums of one group of inputs, by view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
struct Sums([Column; 2]);

impl Sums {
    const ZERO: Sums = Sums([[0; HIDDEN]; 2]);
}

/// The hidden layer of a position, before it is clipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Accumulator {
    /// The bias and all pieces.
    pieces: Sums,
    /// The beam of each colour.
    beams: [Sums; 2],
}

impl Accumulator {
    /// Sums up the pieces of a position. Its beams are missing until they are traced.
    pub(crate) fn of_pieces(network: &Network, position: &Position) -> Accumulator {
        let mut pieces = Sums([network.weights.bias; 2]);
        for (square, piece) in position.pieces() {
            for view in Color::ALL {
                let column = &network.weights.inputs[piece_feature(view, square, piece)];
                add(&mut pieces.0[view as usize], column);
            }
        }
        Accumulator { pieces, beams: [Sums::ZERO; 2] }
    }

    /// Copies the sums of the pieces from the accumulator of `before`, and changes what is
    /// different on these squares.
    #[inline]
    pub(crate) fn update_pieces(
        &mut self,
        network: &Network,
        previous: &Accumulator,
        (before, after): (&Position, &Position),
        squares: Bitboard,
    ) {
        self.pieces = previous.pieces;
        let inputs = &network.weights.inputs;
        for square in squares {
            let (old, new) = (before.get(square), after.get(square));
            for view in Color::ALL {
                let sums = &mut self.pieces.0[view as usize];
                if let Some(piece) = old {
                    subtract(sums, &inputs[piece_feature(view, square, piece)]);
                }
                if let Some(piece) = new {
                    add(sums, &inputs[piece_feature(view, square, piece)]);
                }
            }
        }
    }

    /// Copies the sums of a beam.
    #[inline]
    pub(crate) fn copy_beam(&mut self, previous: &Accumulator, by: Color) {
        self.beams[by as usize] = previous.beams[by as usize];
    }

    /// Traces a shot and sums up its beams.
    #[inline]
    pub(crate) fn trace(
        &mut self,
        network: &Network,
        position: &Position,
        by: Color,
    ) -> ShotSquares {
        let sums = &mut self.beams[by as usize];
        *sums = Sums::ZERO;
        position
            .trace_segments(by, |squares, travel| sums.add_segment(network, by, squares, travel))
    }

    /// Returns the hidden layer of a view.
    #[inline]
    pub(super) fn hidden(&self, view: Color) -> Column {
        let sums = |sums: &Sums| sums.0[view as usize];
        let (mut hidden, [silver, red]) = (sums(&self.pieces), self.beams.each_ref().map(sums));
        add(&mut hidden, &silver);
        add(&mut hidden, &red);
        hidden
    }
}

impl Sums {
    /// Adds the columns of a straight segment: those from its first square to the wall, without
    /// those behind its last square.
    #[inline]
    fn add_segment(&mut self, network: &Network, by: Color, squares: Bitboard, travel: Direction) {
        let Some((first, last)) = segment_ends(squares, travel) else { return };
        let behind = last.neighbor(travel);
        for view in Color::ALL {
            let sums = &mut self.0[view as usize];
            add(sums, &network.ray_sums[beam_feature(view, by, first, travel)]);
            if let Some(behind) = behind {
                subtract(sums, &network.ray_sums[beam_feature(view, by, behind, travel)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;
    use crate::network::network_features;
    use crate::network::tests::arbitrary;

    #[test]
    fn hidden_layer_is_the_sum_of_all_features() {
        let network = arbitrary(3);
        for setup in Setup::ALL {
            let mut position = setup.position();
            for number in 0..40 {
                let mut accumulator = Accumulator::of_pieces(&network, &position);
                for by in Color::ALL {
                    assert_eq!(
                        accumulator.trace(&network, &position, by),
                        position.shot_squares(by)
                    );
                }
                for view in Color::ALL {
                    let mut hidden = network.weights.bias;
                    network_features(&position, view, |feature| {
                        add(&mut hidden, &network.weights.inputs[feature]);
                    });
                    assert_eq!(accumulator.hidden(view), hidden, "{setup} {number}");
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[(number * 13 + 5) % moves.len()]);
            }
        }
    }
}
