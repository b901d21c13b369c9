//! Fuzz target: any text as a move.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_fuzz::read_move(data));
