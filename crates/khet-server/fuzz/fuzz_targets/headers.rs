//! Fuzz target: any text as cookies, tokens, encodings and languages.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_server_fuzz::read_headers(data));
