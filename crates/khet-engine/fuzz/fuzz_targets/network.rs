//! Fuzz target: any bytes as the file of a network, and whole files made of them.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_engine_fuzz::read_network(data));
