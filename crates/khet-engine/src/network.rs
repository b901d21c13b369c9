//! The network: a small efficiently updatable neural network (NNUE) that corrects the linear
//! evaluation.
//!
//! Its inputs are the pieces on their squares and both beams as squares with a direction of travel
//! ([`features`]), each seen from both sides. One hidden layer per view is summed up incrementally
//! ([`accumulator`]); its clipped and squared values (SCReLU) add up to the output. All arithmetic
//! is in integers, so that every machine gets the same value. [`file`] reads and writes networks.

mod accumulator;
mod features;
mod file;

use std::sync::{Arc, LazyLock};

use khet::{Color, Direction, Square};

pub(crate) use self::accumulator::Accumulator;
use self::features::{BEAM_FEATURES, PIECE_FEATURES, beam_feature};
pub use self::features::{NETWORK_FEATURES, network_features, other_view};
pub use self::file::NetworkError;
use crate::score::Value;

/// Number of neurons of the hidden layer, for each view.
pub const HIDDEN: usize = 32;
/// The integer that stands for 1.0 in the hidden layer.
pub const HIDDEN_ONE: i16 = 255;
/// The integer that stands for 1.0 among the weights of the output.
pub const OUTPUT_ONE: i16 = 64;
/// Hundredths of a pyramid for an output of 1.0.
pub const OUTPUT_SCALE: i32 = 220;
/// Largest weight of the output: its product with [`HIDDEN_ONE`] must fit 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / HIDDEN_ONE;

/// The weights from one input to the hidden layer.
pub type Column = [i16; HIDDEN];

/// The quantised weights of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkWeights {
    /// For each input, by the number that [`network_features`] visits.
    pub inputs: Box<[Column]>,
    /// The bias of the hidden layer.
    pub bias: Column,
    /// The weights of the output, for the view of the side to move and for the other.
    pub output: [Column; 2],
    /// The bias of the output, in units of [`HIDDEN_ONE`] times [`OUTPUT_ONE`].
    pub output_bias: i32,
}

/// A network that is ready for use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// How the network was made, for people.
    description: String,
    weights: NetworkWeights,
    /// The sum of the weights of a beam from each square to the wall, by beam feature: a straight
    /// segment is the difference of two of them, however long it is.
    ray_sums: Box<[Column]>,
}

impl Network {
    /// Creates a network from its weights. The description says how it was made.
    pub fn new(weights: NetworkWeights, description: &str) -> Network {
        let mut ray_sums = vec![[0; HIDDEN]; BEAM_FEATURES].into_boxed_slice();
        for by in Color::ALL {
            for travel in Direction::ALL {
                for square in Square::all() {
                    let feature = beam_feature(Color::Silver, by, square, travel);
                    let mut ahead = Some(square);
                    while let Some(next) = ahead {
                        let weight = beam_feature(Color::Silver, by, next, travel);
                        add(&mut ray_sums[feature], &weights.inputs[PIECE_FEATURES + weight]);
                        ahead = next.neighbor(travel);
                    }
                }
            }
        }
        Network { description: description.to_owned(), weights, ray_sums }
    }

    /// Returns the network that is part of the engine.
    pub fn built_in() -> Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> =
            LazyLock::new(|| match Network::from_bytes(include_bytes!("network/khet.net")) {
                Ok(network) => Arc::new(network),
                Err(error) => unreachable!("the network of the engine: {error}"),
            });
        Arc::clone(&NETWORK)
    }

    /// Returns how the network was made: data, seed and losses.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the weights.
    pub fn weights(&self) -> &NetworkWeights {
        &self.weights
    }

    /// Returns the output for the side to move, in hundredths of a pyramid.
    #[inline]
    pub(crate) fn evaluate(&self, accumulator: &Accumulator, side: Color) -> Value {
        let mut sum = 0;
        for (view, weights) in [side, !side].into_iter().zip(&self.weights.output) {
            let hidden = accumulator.hidden(view);
            for (value, &weight) in hidden.into_iter().zip(weights) {
                let value = value.clamp(0, HIDDEN_ONE);
                // The products fit 16 bits, so that the compiler can multiply and add pairs.
                sum += i32::from(value.wrapping_mul(weight)) * i32::from(value);
            }
        }
        // The bias may be any number, so the sum needs more than 32 bits.
        let output = i64::from(sum / i32::from(HIDDEN_ONE)) + i64::from(self.weights.output_bias);
        let one = i64::from(HIDDEN_ONE) * i64::from(OUTPUT_ONE);
        (output * i64::from(OUTPUT_SCALE) / one) as Value
    }
}

/// Adds a column to another. Sums wrap around, so that a strange network cannot cause a panic.
// The compiler would call this function and the next one, which is slower in WebAssembly.
#[inline(always)]
fn add(sum: &mut Column, column: &Column) {
    for (sum, value) in sum.iter_mut().zip(column) {
        *sum = sum.wrapping_add(*value);
    }
}

/// Subtracts a column from another.
#[inline(always)]
fn subtract(sum: &mut Column, column: &Column) {
    for (sum, value) in sum.iter_mut().zip(column) {
        *sum = sum.wrapping_sub(*value);
    }
}

/// Networks for tests.
#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns a network with arbitrary weights.
    pub(crate) fn arbitrary(seed: u64) -> Network {
        let mut state = seed;
        let mut weight = |limit: i16| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 40) as i16 % limit
        };
        let mut column = |limit| std::array::from_fn(|_| weight(limit));
        let inputs = (0..NETWORK_FEATURES).map(|_| column(60)).collect();
        let (bias, output) = (column(200), [column(100), column(100)]);
        let weights = NetworkWeights { inputs, bias, output, output_bias: -1_234 };
        Network::new(weights, "arbitrary weights")
    }

    #[test]
    fn the_engine_has_a_network() {
        assert!(!Network::built_in().description().is_empty());
    }
}
