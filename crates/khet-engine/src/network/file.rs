//! The file format of networks.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `KHETNET1`, the format and its version |
//! | 2, 2 | number of inputs, number of hidden neurons |
//! | 2 and its value | length of the description, and the description in UTF-8 |
//! | 2 each | weights of the inputs, bias, weights of the output |
//! | 4 | bias of the output |
//! | 8 | FNV-1a hash of everything before |
//!
//! Numbers are little-endian.

use std::fmt;

use super::{Column, HIDDEN, MAX_OUTPUT_WEIGHT, NETWORK_FEATURES, Network, NetworkWeights};

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"KHETNET1";
/// Length of the hash at the end of a file.
const HASH_SIZE: usize = 8;

/// The reason why a file is not a usable network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// The file is no network, or one of another version of the format.
    NotANetwork,
    /// The network has another number of inputs or hidden neurons than this engine.
    OtherArchitecture {
        /// Number of inputs.
        inputs: u16,
        /// Number of hidden neurons.
        hidden: u16,
    },
    /// The file is shorter or longer than its header says.
    WrongLength,
    /// The content does not match the hash.
    Damaged,
    /// A weight of the output is too large.
    WeightTooLarge,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::NotANetwork => f.write_str("not a network of Khet"),
            NetworkError::OtherArchitecture { inputs, hidden } => write!(
                f,
                "a network with {inputs} inputs and {hidden} hidden neurons; this engine needs \
                 {NETWORK_FEATURES} and {HIDDEN}"
            ),
            NetworkError::WrongLength => f.write_str("the file is cut off or too long"),
            NetworkError::Damaged => f.write_str("the file is damaged: its hash does not match"),
            NetworkError::WeightTooLarge => f.write_str("a weight of the output is too large"),
        }
    }
}

impl std::error::Error for NetworkError {}

impl Network {
    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut reader = Reader(bytes);
        if reader.array() != Some(*MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let [inputs, hidden] = [reader.unsigned()?, reader.unsigned()?];
        if (usize::from(inputs), usize::from(hidden)) != (NETWORK_FEATURES, HIDDEN) {
            return Err(NetworkError::OtherArchitecture { inputs, hidden });
        }
        let length = usize::from(reader.unsigned()?);
        let description = reader.bytes(length)?;
        let weights_size = (NETWORK_FEATURES + 3) * HIDDEN * 2 + 4;
        if reader.0.len() != weights_size + HASH_SIZE {
            return Err(NetworkError::WrongLength);
        }
        let (content, stored_hash) = bytes.split_at(bytes.len() - HASH_SIZE);
        if hash(content).to_le_bytes() != stored_hash {
            return Err(NetworkError::Damaged);
        }
        let description = str::from_utf8(description).map_err(|_| NetworkError::Damaged)?;
        let inputs: Result<Box<[Column]>, NetworkError> =
            (0..NETWORK_FEATURES).map(|_| reader.column()).collect();
        let weights = NetworkWeights {
            inputs: inputs?,
            bias: reader.column()?,
            output: [reader.column()?, reader.column()?],
            output_bias: reader.array().map(i32::from_le_bytes).ok_or(NetworkError::WrongLength)?,
        };
        let too_large = |weight: &i16| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16;
        if weights.output.as_flattened().iter().any(too_large) {
            return Err(NetworkError::WeightTooLarge);
        }
        Ok(Network::new(weights, description))
    }

    /// Returns the bytes of a file. A description of more than 65,535 bytes is left out.
    pub fn to_bytes(&self) -> Vec<u8> {
        let description = match u16::try_from(self.description.len()) {
            Ok(_) => self.description.as_str(),
            Err(_) => "",
        };
        let NetworkWeights { inputs, bias, output, output_bias } = &self.weights;
        let mut bytes = MAGIC.to_vec();
        for number in [NETWORK_FEATURES, HIDDEN, description.len()] {
            bytes.extend((number as u16).to_le_bytes());
        }
        bytes.extend(description.as_bytes());
        let weights = inputs.as_flattened().iter().chain(bias).chain(output.as_flattened());
        weights.for_each(|weight| bytes.extend(weight.to_le_bytes()));
        bytes.extend(output_bias.to_le_bytes());
        bytes.extend(hash(&bytes).to_le_bytes());
        bytes
    }

    /// Returns the hash at the end of the file, by which networks can be told apart.
    pub fn hash(&self) -> u64 {
        let bytes = self.to_bytes();
        bytes.last_chunk().map_or(0, |&hash| u64::from_le_bytes(hash))
    }
}

/// Reads the parts of a file in order.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, length: usize) -> Result<&'a [u8], NetworkError> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(NetworkError::WrongLength)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }

    fn unsigned(&mut self) -> Result<u16, NetworkError> {
        self.array().map(u16::from_le_bytes).ok_or(NetworkError::WrongLength)
    }

    fn column(&mut self) -> Result<Column, NetworkError> {
        let bytes = self.bytes(HIDDEN * 2)?;
        Ok(std::array::from_fn(|index| {
            i16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]])
        }))
    }
}

/// Returns the 64-bit FNV-1a hash.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::tests::arbitrary;

    #[test]
    fn a_network_is_read_as_it_was_written() {
        let network = arbitrary(5);
        assert_eq!(Network::from_bytes(&network.to_bytes()), Ok(network));
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let bytes = arbitrary(5).to_bytes();
        let read = |bytes: &[u8]| Network::from_bytes(bytes).map(|_| ());
        assert_eq!(read(b""), Err(NetworkError::NotANetwork));
        assert_eq!(read(b"SQLite format 3\0"), Err(NetworkError::NotANetwork));
        for length in [8, 11, 13, 20, 1_000, bytes.len() - 1] {
            assert_eq!(read(&bytes[..length]), Err(NetworkError::WrongLength), "{length}");
        }
        assert_eq!(read(&[&bytes[..], &[0]].concat()), Err(NetworkError::WrongLength));
        for at in [20, 40, 5_000, bytes.len() - 20, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 16;
            assert_eq!(read(&damaged), Err(NetworkError::Damaged), "byte {at}");
        }
        let mut other = bytes.clone();
        other[10] = 77;
        let expected =
            NetworkError::OtherArchitecture { inputs: NETWORK_FEATURES as u16, hidden: 77 };
        assert_eq!(read(&other), Err(expected));
    }

    #[test]
    fn output_weights_that_would_overflow_are_refused() {
        let mut network = arbitrary(5);
        network.weights.output[1][3] = MAX_OUTPUT_WEIGHT + 1;
        let read = Network::from_bytes(&network.to_bytes());
        assert_eq!(read.map(|_| ()), Err(NetworkError::WeightTooLarge));
    }
}
