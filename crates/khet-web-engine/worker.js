// The web worker: loads the engine, which installs its own message handler.
//
// There are two builds of the engine. The faster one uses WebAssembly SIMD, which Safari has since version 16.4; a
// browser without it rejects the whole module.
const [script, module] = "HAS_SIMD"
  ? ["/engine-simd.js", "/engine-simd.wasm"]
  : ["/engine-plain.js", "/engine-plain.wasm"];

import(script)
  .then(({ default: start }) => start({ module_or_path: module }))
  // The page is told of uncaught errors, but not of rejected promises.
  .catch((error) => setTimeout(() => { throw error; }));
