//! The app, served by this process to browsers of this machine.

use std::net::SocketAddr;

use khet_server::{Assets, Config};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A server on a free port. It is gone, in the middle of whatever it does, when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    runtime: Option<Runtime>,
    /// Where its database is.
    _folder: TempDir,
}

impl Server {
    /// Starts it.
    ///
    /// # Panics
    ///
    /// If the app has not been built, or this machine lets no port be listened on.
    pub fn start() -> Server {
        let runtime = Runtime::new().expect("threads can be had");
        let folder = TempDir::new().expect("a folder can be made");
        let mut config = Config::new(folder.path().join("khet.sqlite"));
        config.address = SocketAddr::from(([127, 0, 0, 1], 0));
        let started = runtime.block_on(khet_server::Server::start(config, Assets::embedded()));
        let address = started.expect("a server starts").address();
        let server = Server { address, runtime: Some(runtime), _folder: folder };
        let page = ureq::get(server.at("/")).call().expect("the server answers");
        let page = page.into_body().read_to_string().expect("a page is text");
        assert!(page.contains("engine-worker"), "the app is not built; `cargo xtask test` does it");
        server
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
