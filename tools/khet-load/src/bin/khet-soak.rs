//! `khet-soak`: plays, reads and searches while it kills the server, fills its disk and cuts
//! sockets, and compares everything that was acknowledged with a model.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    khet_load::soak_main()
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("khet-soak runs on Linux, where it can limit what the server writes");
    ExitCode::FAILURE
}
