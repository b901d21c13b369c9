//! The routes of the server and the layers around them.

use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Router, middleware};
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;

use crate::server_state::ServerState;
use crate::{api, metrics, origin, people, pictures, rate_limits, security_headers, static_files};

/// Largest body of a request, in bytes.
const MAX_BODY_SIZE: usize = 16 * 1024;

/// Longest time for receiving a request and sending the head of its response. Streamed bodies may
/// take longer.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// Returns the router of the whole server.
pub(crate) fn router(state: &ServerState) -> Router {
    let api = api::routes()
        .layer(middleware::from_fn(people::send_cookie))
        .layer(middleware::from_fn_with_state(state.clone(), origin::check))
        .layer(middleware::from_fn_with_state(state.clone(), rate_limits::check))
        .layer(DefaultBodyLimit::max(MAX_BODY_SIZE))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST_TIMEOUT))
        .layer(TraceLayer::new_for_http());
    Router::new()
        .merge(api)
        .merge(pictures::routes(state))
        .route("/healthz", get(metrics::healthz))
        .route("/readyz", get(metrics::readyz))
        .route("/metrics", get(metrics::metrics))
        .fallback(static_files::serve)
        .layer(middleware::map_response(security_headers::add_security_headers))
        .with_state(state.clone())
}
