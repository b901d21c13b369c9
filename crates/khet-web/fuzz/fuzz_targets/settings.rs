//! Fuzz target: any text as stored settings.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_web_fuzz::read_settings(data));
