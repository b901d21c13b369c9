//! Puzzles of the account: attempts, votes, and the progress of this device, which becomes the
//! account's. Without an account or a server, the device alone keeps them.

use khet_protocol::{
    DevicePuzzles, PuzzleAttempt, PuzzleAttemptResult, PuzzleDashboard, PuzzleInfo, PuzzleVote,
};
use khet_puzzles::PuzzleId;
use leptos::prelude::*;

use super::progress;
use crate::api::{self, NO_BODY, RequestError, me};

/// Returns whether this browser has a session of an account.
pub(crate) fn is_signed_in() -> bool {
    me::shown_account().with_untracked(Option::is_some)
}

/// Sends an attempt; `None` if the server can't be reached or refuses it.
pub(crate) async fn send_attempt(
    id: PuzzleId,
    attempt: &PuzzleAttempt,
) -> Option<PuzzleAttemptResult> {
    api::send("POST", &format!("/api/puzzles/{id}/attempt"), Some(attempt)).await.ok()
}

/// Sends all unsent attempts and series, in as many requests as necessary.
pub(crate) async fn send_progress() {
    loop {
        let progress = progress::load();
        let attempts = progress.attempts.iter().filter(|stored| !stored.is_sent);
        let runs = progress.runs.iter().filter(|stored| !stored.is_sent);
        let puzzles = DevicePuzzles {
            attempts: attempts
                .take(DevicePuzzles::MAX_ATTEMPTS)
                .map(|stored| stored.attempt)
                .collect(),
            runs: runs.take(DevicePuzzles::MAX_RUNS).map(|stored| stored.run).collect(),
        };
        if puzzles.attempts.is_empty() && puzzles.runs.is_empty() {
            return;
        }
        // The rest is sent on the next visit.
        if api::send_for_text("POST", "/api/me/puzzles", Some(&puzzles)).await.is_err() {
            return;
        }
        progress::change(|progress| progress.mark_sent(&puzzles.attempts, &puzzles.runs));
    }
}

/// Returns the account's dashboard.
pub(crate) async fn dashboard() -> Result<PuzzleDashboard, RequestError> {
    api::get("/api/me/puzzles").await
}

/// Returns the account's vote on a puzzle.
pub(crate) async fn own_vote(id: PuzzleId) -> Option<PuzzleVote> {
    let info: PuzzleInfo = api::get(&format!("/api/puzzles/{id}")).await.ok()?;
    info.own_vote
}

/// Changes or removes the account's vote on a puzzle. Returns whether the server has accepted it.
pub(crate) async fn vote(id: PuzzleId, vote: Option<PuzzleVote>) -> bool {
    let path = format!("/api/puzzles/{id}/vote");
    let sent = match vote {
        Some(vote) => api::send_for_text("PUT", &path, Some(&vote)).await,
        None => api::send_for_text("DELETE", &path, NO_BODY).await,
    };
    sent.is_ok()
}
