//! Fuzz target: any text as the query of a request.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_server_fuzz::read_query(data));
