//! The entry point of the program of local games with a tower. Built for the browser by `cargo xtask run`.

fn main() {
    #[cfg(target_arch = "wasm32")]
    khet_web::start_tower();
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("This program runs in a browser; `cargo xtask run` builds and serves it.");
}
