//! Random numbers from the operating system.

/// Returns an unpredictable number.
pub(crate) fn number() -> u128 {
    u128::from_le_bytes(bytes())
}

/// Returns `true` or `false` with equal probability.
pub(crate) fn coin() -> bool {
    bytes::<1>()[0] & 1 == 1
}

/// Returns unpredictable bytes.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Panics if the OS random generator fails: guessable session tokens would be worse than an
    // outage.
    getrandom::fill(&mut bytes).expect("the operating system provides random numbers");
    bytes
}
