//! Fuzz target: any valid position, any moves.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_fuzz::play(data));
