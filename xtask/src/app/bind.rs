//! Generates JavaScript bindings as the command wasm-bindgen does.

use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;

use crate::step::TaskError;

/// A program for the browser.
pub(super) struct BoundProgram {
    /// The WebAssembly module.
    pub(super) wasm: Vec<u8>,
    /// The JavaScript module that loads it and provides the browser's functions.
    pub(super) js: String,
}

/// Generates the bindings of a compiled program.
pub(super) fn bind(name: &str, compiled: &Path) -> Result<BoundProgram, TaskError> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(compiled).out_name(name).typescript(false);
    bindgen.remove_name_section(true).remove_producers_section(true);
    let bound = bindgen.web(true).and_then(|bindgen| bindgen.generate_output());
    let mut bound =
        bound.map_err(|error| TaskError(format!("{}: {error:#}", compiled.display())))?;
    Ok(BoundProgram { js: bound.js().to_owned(), wasm: bound.wasm_mut().emit_wasm() })
}
