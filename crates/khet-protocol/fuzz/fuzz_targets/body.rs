//! Fuzz target: any text as the body of a request.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_protocol_fuzz::read_body(data));
