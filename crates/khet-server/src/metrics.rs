//! Health checks (`/healthz`, `/readyz`) and Prometheus metrics (`/metrics`).

use std::sync::OnceLock;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::cluster::Cluster;
use crate::server_state::ServerState;
use crate::storage::WriteFailure;

/// Histogram buckets of durations, in seconds.
const SECONDS_BUCKETS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
/// Histogram buckets of sizes.
const SIZE_BUCKETS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 1000.0];

/// Returns the handle of the process's metrics recorder, which the first call installs.
pub(crate) fn recorder() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER
        .get_or_init(|| {
            let recorder = PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS_BUCKETS)
                .and_then(|builder| {
                    builder
                        .set_buckets_for_metric(Matcher::Suffix("_size".to_owned()), &SIZE_BUCKETS)
                })
                .unwrap_or_default()
                .build_recorder();
            let handle = recorder.handle();
            // Fails if the process has another recorder; then `/metrics` stays empty.
            let _ = metrics::set_global_recorder(recorder);
            describe();
            handle
        })
        .clone()
}

/// Registers the descriptions of the metrics.
fn describe() {
    metrics::describe_counter!("khet_moves_total", "Moves played");
    metrics::describe_counter!("khet_games_started_total", "Games started");
    metrics::describe_counter!("khet_messages_rejected_total", "WebSocket messages rejected");
    metrics::describe_counter!("khet_backups_total", "Scheduled backups made and verified");
    metrics::describe_counter!("khet_backup_failures_total", "Scheduled backups that failed");
    metrics::describe_gauge!(
        "khet_backup_last_success_timestamp_seconds",
        "Time of the last scheduled backup"
    );
    metrics::describe_counter!("khet_games_unreadable_total", "Games left out at the start");
    metrics::describe_gauge!("khet_storage_writable", "1 if the database can be written, else 0");
    metrics::describe_counter!("khet_writer_panics_total", "Transactions that panicked");
    metrics::describe_gauge!("khet_games_live", "Games in memory");
    metrics::describe_gauge!("khet_sockets", "Open WebSockets");
    metrics::describe_histogram!("khet_commit_seconds", "Duration of a transaction");
    metrics::describe_histogram!("khet_commit_size", "Writes per transaction");
    metrics::describe_histogram!("khet_action_seconds", "Time from an action to its result");
}

/// Reports that the process runs.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Reports whether games can be played: the database can be read and written, the other nodes can be
/// reached, and the server is not stopping.
pub(crate) async fn readyz(State(server): State<ServerState>) -> Response {
    if server.is_stopping() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response();
    }
    let failure = match server.store.write_health().failure() {
        None => None,
        Some(WriteFailure::Disk) => Some("the database can't be written\n"),
        Some(WriteFailure::FileReplaced) => Some("the database file was removed or replaced\n"),
        Some(WriteFailure::Disconnected) => Some("the database server can't be reached\n"),
    };
    if let Some(failure) = failure {
        return (StatusCode::SERVICE_UNAVAILABLE, failure).into_response();
    }
    if let Some(failure) = server.cluster.as_ref().and_then(Cluster::failure) {
        return (StatusCode::SERVICE_UNAVAILABLE, format!("{failure}\n")).into_response();
    }
    match server.store.last_heartbeat().await {
        Ok(_) => "ready\n".into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not respond\n").into_response()
        }
    }
}

/// Returns all metrics in the text format of Prometheus.
pub(crate) async fn metrics(State(server): State<ServerState>) -> Response {
    server.metrics.run_upkeep();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], server.metrics.render())
        .into_response()
}
