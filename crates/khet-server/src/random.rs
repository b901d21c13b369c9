//! Chance, from the system.

/// A random number of any size.
pub(crate) fn number() -> u128 {
    u128::from_le_bytes(bytes())
}

/// A coin.
pub(crate) fn coin() -> bool {
    bytes::<1>()[0] & 1 == 1
}

/// Random bytes that nobody can guess.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without chance there are no secrets, and nobody may be let in.
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}
