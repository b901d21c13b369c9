//! The entry point of the learn program. Built for the browser by `cargo xtask run`.

fn main() {
    #[cfg(target_arch = "wasm32")]
    khet_web::start_learn();
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("This program runs in a browser; `cargo xtask run` builds and serves it.");
}
