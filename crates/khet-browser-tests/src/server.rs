//! The app, served by this process to browsers of this machine.

use std::net::SocketAddr;

use khet_server::{Assets, Config};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Who decides about reported setups, once there is an account of that name.
pub const MODERATOR: &str = "Bella";

/// A server on a free port. It is gone, in the middle of whatever it does, when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    runtime: Option<Runtime>,
    server: Option<khet_server::Server>,
    /// Where its database is.
    folder: TempDir,
}

impl Server {
    /// Starts it.
    ///
    /// # Panics
    ///
    /// If the app has not been built, or this machine lets no port be listened on.
    pub fn start() -> Server {
        let folder = TempDir::new().expect("a folder can be made");
        let server = Server::on(SocketAddr::from(([127, 0, 0, 1], 0)), folder);
        let page = ureq::get(server.at("/")).call().expect("the server answers");
        let page = page.into_body().read_to_string().expect("a page is text");
        assert!(page.contains("engine-worker"), "the app is not built; `cargo xtask test` does it");
        server
    }

    fn on(address: SocketAddr, folder: TempDir) -> Server {
        let runtime = Runtime::new().expect("threads can be had");
        let mut config = Config::new(folder.path().join("khet.sqlite"));
        config.address = address;
        config.moderators = vec![MODERATOR.parse().expect("a name")];
        let started = runtime.block_on(khet_server::Server::start(config, Assets::embedded()));
        let server = started.expect("a server starts");
        let address = server.address();
        Server { address, runtime: Some(runtime), server: Some(server), folder }
    }

    /// Stops it as the system does, and starts it again with what it has kept, at the same address.
    ///
    /// # Panics
    ///
    /// If it does not stop, or can't be started.
    #[must_use]
    pub fn restart(mut self) -> Server {
        let (runtime, server) = (self.runtime.take(), self.server.take());
        if let (Some(runtime), Some(server)) = (runtime, server) {
            runtime.block_on(server.stop());
            runtime.shutdown_background();
        }
        let other = TempDir::new().expect("a folder can be made");
        let folder = std::mem::replace(&mut self.folder, other);
        Server::on(self.address, folder)
    }

    /// An address of the app, such as `/en/rules`.
    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
