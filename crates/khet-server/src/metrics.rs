//! How the server is: `/healthz`, `/readyz`, and figures for Prometheus at `/metrics`.

use std::sync::OnceLock;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::server_state::ServerState;

/// Bounds of times, in seconds.
const TIMES: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
/// Bounds of counts.
const COUNTS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 1000.0];

/// The figures of this process, which are counted from the first call on.
pub(crate) fn recorder() -> PrometheusHandle {
    static FIGURES: OnceLock<PrometheusHandle> = OnceLock::new();
    FIGURES
        .get_or_init(|| {
            let recorder = PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &TIMES)
                .and_then(|builder| {
                    builder.set_buckets_for_metric(Matcher::Suffix("_size".to_owned()), &COUNTS)
                })
                .unwrap_or_default()
                .build_recorder();
            let handle = recorder.handle();
            // Another recorder of this process may be there already; then the figures stay empty.
            let _ = metrics::set_global_recorder(recorder);
            describe();
            handle
        })
        .clone()
}

fn describe() {
    metrics::describe_counter!("khet_turns_total", "Moves that were made");
    metrics::describe_counter!("khet_games_started_total", "Games that were started");
    metrics::describe_counter!(
        "khet_messages_refused_total",
        "Messages over sockets that were refused"
    );
    metrics::describe_gauge!("khet_games_live", "Games that are in memory");
    metrics::describe_gauge!("khet_sockets", "WebSockets that are open");
    metrics::describe_histogram!(
        "khet_commit_seconds",
        "Time of a transaction, until it is on disk"
    );
    metrics::describe_histogram!("khet_commit_size", "Writes that share a transaction");
    metrics::describe_histogram!("khet_act_seconds", "Time from an act to its answer");
}

/// The process runs.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Games can be played: the database answers, and the server does not stop.
pub(crate) async fn readyz(State(app): State<ServerState>) -> Response {
    if app.is_stopping() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response();
    }
    match app.store.last_heartbeat().await {
        Ok(_) => "ready\n".into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n").into_response()
        }
    }
}

/// All figures, as Prometheus reads them.
pub(crate) async fn metrics(State(app): State<ServerState>) -> Response {
    app.metrics.run_upkeep();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.render())
        .into_response()
}
