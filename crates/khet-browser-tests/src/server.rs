//! The app, served by this process to browsers of this machine.

use std::net::SocketAddr;

use khet_server::App;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// A server on a free port. It is gone, in the middle of whatever it does, when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Server {
    /// Starts it.
    ///
    /// # Panics
    ///
    /// If the app has not been built, or this machine lets no port be listened on.
    pub fn start() -> Server {
        let runtime = Runtime::new().expect("threads can be had");
        let listener = runtime.block_on(TcpListener::bind(("127.0.0.1", 0))).expect("a free port");
        let address = listener.local_addr().expect("a listener has an address");
        runtime.spawn(khet_server::serve(listener, App::embedded(), std::future::pending()));
        let server = Server { address, runtime: Some(runtime) };
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
