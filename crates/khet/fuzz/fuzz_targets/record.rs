//! Fuzz target: any text as a file of games.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_fuzz::read_record(data));
