//! The weights of a network while it is trained, as floating-point numbers, and their file.
//!
//! A file has [`MAGIC`], the number of hidden neurons, the length of the description (`u32` each),
//! the description, and the weights as `f32` in the order of the fields, all little-endian.

use std::io;
use std::path::Path;
use std::{array, fs};

use khet_engine::Network;
use khet_engine::tuning::{
    Column, HIDDEN, HIDDEN_ONE, MAX_OUTPUT_WEIGHT, NETWORK_FEATURES, NetworkWeights, OUTPUT_ONE,
};

use crate::random::Random;

/// The first bytes of a file, which name the format and its version.
const MAGIC: &[u8; 8] = b"KHETFIT1";
/// Largest weight of an input: the sum of some fifty of them must fit 16 bits.
const MAX_INPUT_WEIGHT: f32 = 1.98;
/// Half the range of the first random weights.
const INITIAL_INPUT_RANGE: f32 = 0.1;
const INITIAL_OUTPUT_RANGE: f32 = 0.2;

/// One weight per hidden neuron.
pub(crate) type FloatColumn = [f32; HIDDEN];

/// The number of columns: inputs, bias, output of both views, and the bias of the output, which is
/// the first number of the last column.
pub(crate) const COLUMNS: usize = NETWORK_FEATURES + 4;
/// The columns after the inputs.
pub(crate) const BIAS: usize = NETWORK_FEATURES;
pub(crate) const OUTPUT: usize = NETWORK_FEATURES + 1;
pub(crate) const OUTPUT_BIAS: usize = NETWORK_FEATURES + 3;

/// The weights of a network, with a description of how they were made.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Checkpoint {
    pub(crate) columns: Vec<FloatColumn>,
    pub(crate) description: String,
}

impl Checkpoint {
    /// Creates random weights.
    pub(crate) fn random(seed: u64) -> Checkpoint {
        let mut random = Random::new(seed, 0);
        let mut column = |range: f32| {
            array::from_fn(|_| ((random.next() >> 40) as f32 / (1 << 23) as f32 - 1.0) * range)
        };
        let mut columns: Vec<FloatColumn> =
            (0..NETWORK_FEATURES).map(|_| column(INITIAL_INPUT_RANGE)).collect();
        columns.push([0.0; HIDDEN]);
        columns.extend([column(INITIAL_OUTPUT_RANGE), column(INITIAL_OUTPUT_RANGE)]);
        columns.push([0.0; HIDDEN]);
        Checkpoint { columns, description: String::new() }
    }

    /// Limits all weights to what the quantised network can represent.
    pub(crate) fn clip(&mut self) {
        let output = f32::from(MAX_OUTPUT_WEIGHT) / f32::from(OUTPUT_ONE);
        for (index, column) in self.columns.iter_mut().enumerate() {
            let limit = if index < OUTPUT { MAX_INPUT_WEIGHT } else { output };
            column.iter_mut().for_each(|weight| *weight = weight.clamp(-limit, limit));
        }
    }

    /// Returns the network with weights rounded to integers.
    pub(crate) fn quantise(&self) -> Network {
        let column = |index: usize, one: i16| -> Column {
            self.columns[index].map(|weight| (weight * f32::from(one)).round() as i16)
        };
        let output = |view: usize| {
            column(OUTPUT + view, OUTPUT_ONE)
                .map(|weight| weight.clamp(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT))
        };
        let one = f32::from(HIDDEN_ONE) * f32::from(OUTPUT_ONE);
        let weights = NetworkWeights {
            inputs: (0..NETWORK_FEATURES).map(|index| column(index, HIDDEN_ONE)).collect(),
            bias: column(BIAS, HIDDEN_ONE),
            output: [output(0), output(1)],
            output_bias: (self.columns[OUTPUT_BIAS][0] * one).round() as i32,
        };
        Network::new(weights, &self.description)
    }

    /// Writes the file: first under another name, so that an interruption leaves the old one.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((HIDDEN as u32).to_le_bytes());
        bytes.extend((self.description.len() as u32).to_le_bytes());
        bytes.extend(self.description.as_bytes());
        for weight in self.columns.as_flattened() {
            bytes.extend(weight.to_le_bytes());
        }
        let unfinished = path.with_extension("unfinished");
        fs::write(&unfinished, bytes)?;
        fs::rename(unfinished, path)
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> io::Result<Checkpoint> {
        let bytes = fs::read(path)?;
        Checkpoint::from_bytes(&bytes).ok_or_else(|| {
            let problem = format!("not a checkpoint of a network with {HIDDEN} hidden neurons");
            io::Error::new(io::ErrorKind::InvalidData, problem)
        })
    }

    fn from_bytes(bytes: &[u8]) -> Option<Checkpoint> {
        let (header, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<8>()?;
        let [h0, h1, h2, h3, l0, l1, l2, l3] = *header;
        let hidden = u32::from_le_bytes([h0, h1, h2, h3]);
        let length = u32::from_le_bytes([l0, l1, l2, l3]);
        if hidden as usize != HIDDEN {
            return None;
        }
        let (description, weights) = rest.split_at_checked(length as usize)?;
        let (weights, []) = weights.as_chunks::<4>() else { return None };
        let weights: Vec<f32> = weights.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        let (columns, []) = weights.as_chunks::<HIDDEN>() else { return None };
        let description = String::from_utf8(description.to_vec()).ok()?;
        let complete = columns.len() == COLUMNS && weights.iter().all(|weight| weight.is_finite());
        complete.then(|| Checkpoint { columns: columns.to_vec(), description })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_read_as_it_was_written() {
        let path = std::env::temp_dir().join(format!("khet-tune-{}.fit", std::process::id()));
        for description in ["", "x", "some games"] {
            let mut written = Checkpoint::random(4);
            written.description = description.to_owned();
            written.write(&path).expect("written");
            assert_eq!(Checkpoint::read(&path).expect("the file"), written);
        }
        let bytes = fs::read(&path).expect("the file");
        for damaged in [&bytes[..bytes.len() - 1], &bytes[..20], b"", b"KHETFIT2"] {
            fs::write(&path, damaged).expect("written");
            assert!(Checkpoint::read(&path).is_err(), "{} bytes", damaged.len());
        }
        fs::remove_file(&path).expect("removed");
    }
}
