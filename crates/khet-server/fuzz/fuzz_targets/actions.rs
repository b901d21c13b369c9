//! Fuzz target: any actions of two players.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_server_fuzz::act(data));
