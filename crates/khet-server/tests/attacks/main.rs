//! Attacks on a server, one module per subject. Each of them succeeded once.

mod backups;
mod moderation;
mod privacy;
mod reverse_proxy;
#[allow(dead_code, reason = "shared with the tests of the API")]
#[path = "../api/test_server.rs"]
mod test_server;
