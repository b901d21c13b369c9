//! Serves the app: one page, its assets, and nothing else.
//!
//! The app is part of the program, compressed beforehand. Assets whose name tells their content are
//! kept by browsers forever; the page itself is asked for again each time, and answered with "not
//! modified" if it is as it was.

#![forbid(unsafe_code)]

mod addresses;
mod answer;
mod app;
mod encoding;
mod protection;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::Notify;

pub use self::app::{App, File};

/// How long requests under way may hold up a stop.
const PATIENCE: Duration = Duration::from_secs(3);

/// All that is served.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .fallback(answer::answer)
        .layer(middleware::map_response(protection::protect))
        .with_state(app)
}

/// Serves the embedded app at an address until the program is asked to stop, by Ctrl-C or by its system.
///
/// `started` is told the address, whose port was chosen by the system if 0 was asked for.
///
/// # Errors
///
/// If the address can't be had, or the network fails.
pub fn run(address: SocketAddr, started: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        started(listener.local_addr()?);
        let stop = Arc::new(Notify::new());
        let stopped = Arc::clone(&stop);
        let served = serve(listener, App::embedded(), async move { stopped.notified().await });
        let ended = async {
            asked_to_stop().await;
            stop.notify_one();
            tokio::time::sleep(PATIENCE).await;
        };
        tokio::select! {
            served = served => served,
            () = ended => Ok(()),
        }
    })
}

/// Serves an app on a listener until `stop` is ready; requests under way are answered first.
///
/// # Errors
///
/// If the network fails.
pub async fn serve(
    listener: TcpListener,
    app: App,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    axum::serve(listener, router(app)).with_graceful_shutdown(stop).await
}

async fn asked_to_stop() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without the signal there is nothing to wait for.
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}
