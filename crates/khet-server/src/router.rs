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
    let monitoring = match state.config.metrics_listen {
        None => metrics_routes(),
        Some(_) => health_routes(),
    };
    Router::new()
        .merge(api)
        .merge(pictures::routes(state))
        .merge(monitoring)
        .fallback(static_files::serve)
        .layer(middleware::map_response_with_state(
            state.clone(),
            security_headers::add_security_headers,
        ))
        .with_state(state.clone())
}

/// Returns the router of the address that serves metrics alone.
pub(crate) fn metrics_router(state: &ServerState) -> Router {
    metrics_routes().with_state(state.clone())
}

/// Returns the routes of health checks, which say nothing about players.
fn health_routes() -> Router<ServerState> {
    Router::new().route("/healthz", get(metrics::healthz)).route("/readyz", get(metrics::readyz))
}

/// Returns the routes of health checks and metrics.
fn metrics_routes() -> Router<ServerState> {
    health_routes().route("/metrics", get(metrics::metrics))
}
