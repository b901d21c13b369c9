//! The fuzz target `network`: the file of a network.
//!
//! Nobody guesses the hash of a file, and a whole file is too long to mutate. The target therefore
//! also assembles a whole file, whose weights repeat the input and whose header and hash are right.

use std::sync::Arc;

use khet::{MoverEval, Setup};
use khet_engine::tuning::{HIDDEN, MAX_OUTPUT_WEIGHT, NETWORK_FEATURES};
use khet_engine::{Engine, Limits, Network, NetworkError, Options, SearchRoot};

/// Bytes before the description: format, number of inputs and of hidden neurons, length of the
/// description.
const HEADER_SIZE: usize = 14;
const HASH_SIZE: usize = 8;
/// Largest evaluation that is not a forced win.
const MAX_EVAL: i32 = 20_000;
/// The limit of each search.
const NODES: u64 = 30;

/// Reads the bytes as a network, and as the source of a whole file.
pub fn read_network(data: &[u8]) {
    if let Ok(network) = Network::from_bytes(data) {
        check(&network, data);
    }
    let file = assemble(data);
    match Network::from_bytes(&file) {
        Ok(network) => check(&network, &file),
        Err(NetworkError::WeightTooLarge) => assert!(!has_usable_outputs(&file)),
        Err(NetworkError::Damaged) => assert!(!has_readable_description(&file)),
        Err(error) => panic!("header and length are right: {error}"),
    }
    // A file with another length or another byte is refused.
    let place = data.iter().fold(0, |sum: usize, &byte| sum * 31 % file.len() + usize::from(byte));
    let place = place % file.len();
    assert!(Network::from_bytes(&file[..place]).is_err(), "cut off after {place} bytes");
    assert!(Network::from_bytes(&[&file[..], b"x"].concat()).is_err());
    let mut damaged = file;
    damaged[place] ^= data.first().map_or(1, |&byte| byte.max(1));
    assert!(Network::from_bytes(&damaged).is_err(), "another byte {place}");
}

/// Checks that a network is written as it was read, and that the engine can play with it.
fn check(network: &Network, file: &[u8]) {
    assert!(network.to_bytes() == file);
    let options = Options { hash: 1, ..Options::default() };
    let mut engine = Engine::with_network(options, Arc::new(network.clone()));
    for setup in Setup::ALL {
        let search_root = SearchRoot::from_position(setup.position());
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let best = engine.search_to_limits(&search_root, limits);
        assert!(best.mv.is_some_and(|mv| search_root.moves().contains(&mv)), "{setup}");
        if let MoverEval::Cp(cp) = best.score {
            assert!(cp.abs() <= MAX_EVAL, "{setup}: {cp}");
        }
    }
}

/// Returns a whole file. The first byte says how long the description is, and whether the weights
/// of the output are limited; the rest is repeated.
fn assemble(data: &[u8]) -> Vec<u8> {
    let (&first, rest) = data.split_first().unwrap_or((&0, &[]));
    let description = &rest[..rest.len().min(usize::from(first & 15))];
    let rest = if rest.is_empty() { &[0] } else { rest };
    let mut bytes = rest.iter().copied().cycle();
    let mut number = || [bytes.next().unwrap_or(0), bytes.next().unwrap_or(0)];
    let mut file = b"KHETNET1".to_vec();
    for count in [NETWORK_FEATURES, HIDDEN, description.len()] {
        file.extend((count as u16).to_le_bytes());
    }
    file.extend(description);
    (0..(NETWORK_FEATURES + 1) * HIDDEN).for_each(|_| file.extend(number()));
    for _ in 0..2 * HIDDEN {
        let weight = i16::from_le_bytes(number());
        let limited = if first & 16 == 0 { weight % (MAX_OUTPUT_WEIGHT + 1) } else { weight };
        file.extend(limited.to_le_bytes());
    }
    file.extend([number(), number()].as_flattened());
    let hash = hash(&file);
    file.extend(hash.to_le_bytes());
    file
}

fn has_usable_outputs(file: &[u8]) -> bool {
    let end = file.len() - HASH_SIZE - 4;
    let (weights, _) = file[end - 4 * HIDDEN..end].as_chunks::<2>();
    let usable =
        |bytes: &[u8; 2]| i16::from_le_bytes(*bytes).abs_diff(0) <= MAX_OUTPUT_WEIGHT as u16;
    weights.iter().all(usable)
}

fn has_readable_description(file: &[u8]) -> bool {
    let length = usize::from(u16::from_le_bytes([file[HEADER_SIZE - 2], file[HEADER_SIZE - 1]]));
    str::from_utf8(&file[HEADER_SIZE..HEADER_SIZE + length]).is_ok()
}

/// Returns the 64-bit FNV-1a hash.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
