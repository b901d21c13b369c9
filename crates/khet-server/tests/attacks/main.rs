//! Attacks on a server, one module per subject. Each of them succeeded once.

mod backups;
mod database_file;
mod flooding;
mod full_disk;
mod moderation;
mod occupied_threads;
mod privacy;
mod reverse_proxy;
mod searches;
mod sign_in;
#[allow(dead_code, reason = "shared with the tests of online games")]
#[path = "../online/test_game.rs"]
mod test_game;
#[allow(dead_code, reason = "shared with the tests of the API")]
#[path = "../api/test_server.rs"]
mod test_server;
mod writer_panics;
