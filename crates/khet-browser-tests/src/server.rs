//! A server of the app in this process.

use std::net::SocketAddr;

use khet_server::{Assets, Config};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A server on a free port, which stops at once when it is dropped.
#[derive(Debug)]
pub struct AppServer {
    address: SocketAddr,
    runtime: Option<Runtime>,
    server: Option<khet_server::Server>,
    /// The folder of its database.
    folder: TempDir,
}

impl AppServer {
    /// Starts a server.
    ///
    /// # Panics
    ///
    /// If the app has not been built, or no port can be opened.
    pub fn start() -> AppServer {
        let folder = TempDir::new().expect("a folder can be created");
        let server = AppServer::start_on(SocketAddr::from(([127, 0, 0, 1], 0)), folder);
        let page = ureq::get(server.at("/")).call().expect("the server answers");
        let page = page.into_body().read_to_string().expect("a page is text");
        assert!(page.contains("engine-worker"), "the app is not built; `cargo xtask test` does it");
        server
    }

    /// Starts a server on an address, with its database in a folder.
    fn start_on(address: SocketAddr, folder: TempDir) -> AppServer {
        let runtime = Runtime::new().expect("threads can be started");
        let mut config = Config::new(folder.path().join("khet.sqlite"));
        config.address = address;
        let server = runtime.block_on(khet_server::Server::start(config, Assets::embedded()));
        let server = server.expect("a server starts");
        let address = server.address();
        AppServer { address, runtime: Some(runtime), server: Some(server), folder }
    }

    /// Lets an account moderate reported setups.
    ///
    /// # Panics
    ///
    /// If there is no such account, or the server is stopped.
    pub fn add_moderator(&self, name: &str) {
        let (runtime, server) = (self.runtime.as_ref(), self.server.as_ref());
        let (runtime, server) = runtime.zip(server).expect("the server runs");
        let added = runtime.block_on(server.add_moderator(&name.parse().expect("a name")));
        assert!(added.expect("the database can be written"), "there is no account {name}");
    }

    /// Stops the server gracefully.
    pub fn stop(&mut self) {
        let (runtime, server) = (self.runtime.take(), self.server.take());
        if let (Some(runtime), Some(server)) = (runtime, server) {
            runtime.block_on(server.stop());
            runtime.shutdown_background();
        }
    }

    /// Stops the server gracefully, and starts it again with the same database and address.
    ///
    /// # Panics
    ///
    /// If it cannot be started again.
    #[must_use]
    pub fn restart(mut self) -> AppServer {
        self.stop();
        let other = TempDir::new().expect("a folder can be created");
        let folder = std::mem::replace(&mut self.folder, other);
        AppServer::start_on(self.address, folder)
    }

    /// Returns the URL of a path such as `/en/rules`.
    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for AppServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
