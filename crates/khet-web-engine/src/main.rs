//! The engine in a web worker: lines of the engine protocol come and go as messages.
//!
//! When it is ready it says `info string ready`; what is sent before that is lost. A message that is
//! an `Int32Array` on shared memory is not a line but the way to stop a search at once: its
//! first number tells up to which `go`, counted from 1, searches are to end. Beyond the protocol,
//! `bench` answers with the engine's signature and speed.

#![forbid(unsafe_code)]

#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
mod bench;
#[cfg(target_arch = "wasm32")]
mod worker;

fn main() {
    #[cfg(target_arch = "wasm32")]
    worker::listen();
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!(
        "This program runs in a web worker of the app; `khet engine` is the same as a program."
    );
}
