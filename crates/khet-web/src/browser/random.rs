//! Random numbers.

/// Returns a random number.
pub(crate) fn random_u32() -> u32 {
    (js_sys::Math::random() * f64::from(u32::MAX)) as u32
}
