// The web worker: it loads the engine, which then listens by itself.
import start from "/engine.js";

start({ module_or_path: "/engine.wasm" });
