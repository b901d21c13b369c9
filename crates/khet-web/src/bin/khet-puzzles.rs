//! The entry point of the puzzles program. Built for the browser by `cargo xtask run`.

fn main() {
    #[cfg(target_arch = "wasm32")]
    khet_web::start_puzzles();
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("This program runs in a browser; `cargo xtask run` builds and serves it.");
}
