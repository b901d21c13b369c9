//! Puzzles of the account: attempts, votes, and the progress of this device, which becomes the
//! account's. Without an account or a server, the device alone keeps them.

use khet_protocol::{
    DeviceAttempt, DevicePuzzles, ErrorCode, PuzzleAttempt, PuzzleAttemptResult, PuzzleDashboard,
    PuzzleInfo, PuzzleQuery, PuzzleVote,
};
use khet_puzzles::PuzzleId;
use leptos::prelude::*;

use super::progress::{self, AttemptEntry};
use crate::api::{self, NO_BODY, RequestError, me};

/// Returns whether this browser has a session of an account.
pub(crate) fn is_signed_in() -> bool {
    me::shown_account().with_untracked(Option::is_some)
}

/// Sends an attempt that was made with the account, and marks it as sent.
pub(crate) async fn send_attempt(
    attempt: DeviceAttempt,
    submission: &PuzzleAttempt,
) -> Result<PuzzleAttemptResult, RequestError> {
    let path = format!("/api/puzzles/{}/attempt", attempt.puzzle);
    let result = api::send("POST", &path, Some(submission)).await;
    if !result.as_ref().is_err_and(may_succeed_later) {
        progress::change(|progress| progress.mark_sent(&[attempt], &[]));
    }
    result
}

/// Returns whether a request may be accepted later: not if the puzzle is unknown, or the moves can't
/// be read.
fn may_succeed_later(error: &RequestError) -> bool {
    !matches!(error.code(), Some(ErrorCode::NotFound | ErrorCode::Invalid | ErrorCode::Malformed))
}

/// Sends all unsent attempts and series, in as many requests as necessary. What can't be sent now is
/// sent on the next visit.
pub(crate) async fn send_progress() {
    // Attempts with the account are sent first and one by one, because the server rates no puzzle
    // that is among the attempts of a guest. An attempt that is made meanwhile is sent by its page.
    for AttemptEntry { attempt, submission, .. } in progress::load().attempts {
        let Some(submission) = submission else { continue };
        let result = send_attempt(attempt, &submission).await;
        if result.as_ref().is_err_and(may_succeed_later) {
            return;
        }
    }
    loop {
        let progress = progress::load();
        let attempts = progress.attempts.iter().filter(|stored| stored.is_of_guest());
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
        if api::send_for_text("POST", "/api/me/puzzles", Some(&puzzles)).await.is_err() {
            return;
        }
        progress::change(|progress| progress.mark_sent(&puzzles.attempts, &puzzles.runs));
    }
}

/// Returns the puzzle that the server chooses for the account; `None` without an account or a server,
/// or if the server has not received the attempt at that puzzle yet.
pub(crate) async fn next_puzzle(query: PuzzleQuery) -> Option<PuzzleId> {
    if !is_signed_in() {
        return None;
    }
    // Written by hand, because `api::query` can also write floats, which takes 3 KB.
    let PuzzleQuery { theme, difference } = query;
    let theme = theme.map(|theme| format!("&theme={theme}")).unwrap_or_default();
    let path = format!("/api/puzzles/next?difference={difference}{theme}");
    let puzzle: PuzzleInfo = api::get(&path).await.ok()?;
    Some(puzzle.id).filter(|&id| !progress::load().has_unsent(id))
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
