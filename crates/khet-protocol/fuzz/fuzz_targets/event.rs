//! Fuzz target: any text as the events of a game.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_protocol_fuzz::read_events(data));
