//! Fuzz target: any text as a file of games to import.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_server_fuzz::import(data));
