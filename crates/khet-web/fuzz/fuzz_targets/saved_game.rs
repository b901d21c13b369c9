//! Fuzz target: any text as a saved game.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_web_fuzz::read_saved_game(data));
