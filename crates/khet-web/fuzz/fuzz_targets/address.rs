//! Fuzz target: any text as the path of an address.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_web_fuzz::read_address(data));
