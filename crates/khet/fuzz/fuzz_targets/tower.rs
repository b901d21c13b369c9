//! Fuzz target: any text as a position, a move or a file of games with a tower.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_fuzz::read_tower(data));
