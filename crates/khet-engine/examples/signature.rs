//! The engine's signature as a WebAssembly module, which a test of `xtask` builds and runs.

/// Returns the number of nodes of the benchmark.
// No other symbol of the module has this name.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn signature() -> u64 {
    khet_engine::bench::signature()
}
