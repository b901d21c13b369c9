//! Fuzz target: any text as the path of a page.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_server_fuzz::read_path(data));
