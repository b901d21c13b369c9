//! The engine in a web worker. Each message is a line of the engine protocol.
//!
//! When it is ready it sends `info string ready`; messages before that are lost. A message with an
//! `Int32Array` on shared memory sets up immediate stopping: searches up to the `go` with the
//! number in its first element, counted from 1, are stopped. In addition to the protocol, `bench`
//! answers with the engine's signature and speed.

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
