//! Fuzz target: any text that is pasted or opened as a file.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_web_fuzz::read_pasted_text(data));
