//! Fuzz target: any record as a link.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_web_fuzz::write_link(data));
