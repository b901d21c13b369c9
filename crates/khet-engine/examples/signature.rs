//! The engine's signature as a module of WebAssembly, which a test of `xtask` builds and runs.

/// The nodes of a search of the bench's positions.
// Nothing else in the module has that name.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn signature() -> u64 {
    khet_engine::bench::signature()
}
