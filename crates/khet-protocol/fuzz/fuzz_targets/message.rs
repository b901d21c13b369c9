//! Fuzz target: any text as a message over the WebSocket.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| khet_protocol_fuzz::read_message(data));
