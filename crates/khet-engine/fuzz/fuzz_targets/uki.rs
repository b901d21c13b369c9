//! Fuzz target: any bytes as commands to the engine.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_engine_fuzz::talk(data));
