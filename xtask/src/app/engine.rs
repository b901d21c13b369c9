//! The builds of the engine's web worker: with WebAssembly SIMD, and without for browsers that do
//! not have it.

use super::bind::{self, BoundProgram};
use super::flags;
use crate::step::{TaskError, cargo, step, target};
use crate::wasm_target::WASM;

/// A build of the engine.
pub(super) struct EngineBuild {
    /// The name of its files.
    pub(super) name: &'static str,
    /// What the compiler may use in addition to the target's features.
    features: Option<&'static str>,
}

/// All builds. A browser loads one of them.
pub(super) const ENGINE_BUILDS: [EngineBuild; 2] = [
    EngineBuild { name: "engine-simd", features: Some("-Ctarget-feature=+simd128") },
    EngineBuild { name: "engine-plain", features: None },
];

/// The text in scripts that is replaced by [`HAS_SIMD`].
const PLACEHOLDER: &str = "\"HAS_SIMD\"";

/// A JavaScript expression that is true if the browser has WebAssembly SIMD: whether it accepts a
/// module with one function, which returns `i8x16.popcnt(i8x16.splat(0))`.
const HAS_SIMD: &str = "WebAssembly.validate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, \
     96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11))";

/// Puts the check for SIMD into a script.
pub(super) fn put_simd_check(script: &str) -> String {
    script.replace(PLACEHOLDER, HAS_SIMD)
}

/// Compiles one build and generates its bindings.
pub(super) fn build(build: &EngineBuild) -> Result<BoundProgram, TaskError> {
    let mut compile = cargo(["build", "--package", "khet-web-engine", "--target", WASM]);
    compile.arg("--release");
    compile.env("CARGO_ENCODED_RUSTFLAGS", flags(build.features));
    step(&format!("{} of the app", build.name), compile)?;
    // All builds have the same path, so it is read before the next one is compiled.
    bind::bind(build.name, &target().join(WASM).join("release/khet-web-engine.wasm"))
}

#[cfg(test)]
mod tests {
    use wasmi::{Config, Engine, Module};

    use super::*;

    /// Returns the module with which scripts check for SIMD.
    fn probe() -> Vec<u8> {
        let numbers = HAS_SIMD.split(['(', ')']).nth(2).unwrap_or_default();
        numbers.split(", ").map(|number| number.parse().expect("a byte")).collect()
    }

    #[test]
    fn probe_is_valid_only_with_simd() {
        for simd in [true, false] {
            let mut config = Config::default();
            config.wasm_simd(simd);
            let valid = Module::validate(&Engine::new(&config), &probe()).is_ok();
            assert_eq!(valid, simd);
        }
    }
}
