//! Fuzz target: any text as the header of a reverse proxy.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_server_fuzz::read_forwarded(data));
