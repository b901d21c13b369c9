//! Random numbers.

/// Returns a random number from `Math.random`. Not for secrets.
pub(crate) fn random_u32() -> u32 {
    (js_sys::Math::random() * f64::from(u32::MAX)) as u32
}
