// The web worker: loads the engine, which installs its own message handler.
import start from "/engine.js";

start({ module_or_path: "/engine.wasm" });
