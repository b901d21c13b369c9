//! Puzzles: the published set, attempts, votes, and the dashboard of a solver.
//!
//! The puzzles are part of the program, see [`published_puzzles`]; the database has attempts, ratings and
//! votes. An attempt carries the solver's moves, and the server decides by them whether the puzzle is
//! solved. Solutions are public, so ratings are no proof of skill, but nobody gets one without moves.

mod dashboard;
mod published_puzzles;
mod selection;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use khet::Move;
use khet_protocol::{
    ApiError, DeviceAttempt, DevicePuzzles, ErrorCode, PersonId, PuzzleAttempt,
    PuzzleAttemptResult, PuzzleDashboard, PuzzleHistoryEntry, PuzzleInfo, PuzzleQuery, PuzzleRun,
    PuzzleRunKind, PuzzleVote, Rating,
};
use khet_puzzles::PuzzleId;
use serde::Serialize;

use self::dashboard::DashboardData;
pub(crate) use self::published_puzzles::{NamedPuzzle, PublishedPuzzles};
use crate::error_response::ErrorResponse;
use crate::people::{self, OptionalPerson, RequiredPerson};
use crate::random;
use crate::ratings;
use crate::server_state::ServerState;
use crate::static_files;
use crate::storage::{NewAttempt, PuzzleRecord, StorageError, StoredAttempt};

/// Time for which the ratings of all puzzles are cached, in milliseconds. A few attempts change them
/// little.
const CACHE_TIME: u64 = 60_000;

/// Ratings by puzzle, and when they expire.
type CachedRatings = Option<(u64, Arc<HashMap<PuzzleId, f64>>)>;

/// The cached ratings of the puzzles that accounts have tried.
#[derive(Debug, Default)]
pub(crate) struct PuzzleRatings(Mutex<CachedRatings>);

impl PuzzleRatings {
    /// Returns ratings that are at most [`CACHE_TIME`] old.
    async fn load(
        &self,
        server: &ServerState,
    ) -> Result<Arc<HashMap<PuzzleId, f64>>, StorageError> {
        let now = server.time.now();
        let known = self.lock().clone();
        if let Some((_, ratings)) = known.filter(|(until, _)| now < *until) {
            return Ok(ratings);
        }
        let ratings: HashMap<_, _> = server.store.puzzle_ratings().await?.into_iter().collect();
        let ratings = Arc::new(ratings);
        *self.lock() = Some((now + CACHE_TIME, Arc::clone(&ratings)));
        Ok(ratings)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CachedRatings> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Returns the puzzle of a path.
fn find(id: PuzzleId) -> Result<&'static NamedPuzzle, ErrorResponse> {
    let puzzle = PublishedPuzzles::get().find(id);
    puzzle.ok_or_else(|| ErrorResponse::new(ErrorCode::NotFound, "there is no such puzzle"))
}

fn invalid(message: impl Into<String>) -> ErrorResponse {
    ErrorResponse::new(ErrorCode::Invalid, message)
}

/// Returns a puzzle as a visitor sees it.
async fn puzzle_info(
    server: &ServerState,
    NamedPuzzle { id, puzzle }: &NamedPuzzle,
    visitor: Option<PersonId>,
) -> Result<PuzzleInfo, StorageError> {
    let PuzzleRecord { rating, upvotes, downvotes, own_vote } =
        server.store.puzzle_record(*id, visitor).await?;
    let rating = rating.unwrap_or_else(|| ratings::first_puzzle_rating(puzzle.rating));
    let moves: Vec<String> = puzzle.line.moves().map(|mv| mv.to_string()).collect();
    Ok(PuzzleInfo {
        id: *id,
        position: puzzle.line.start().to_string(),
        moves: moves.join(" "),
        themes: puzzle.themes.iter().collect(),
        rating: rating.rounded(),
        attempts: rating.games,
        upvotes,
        downvotes,
        own_vote,
    })
}

/// The puzzle of the day, the same for everybody. It changes at midnight, UTC.
#[utoipa::path(
    get, path = "/api/puzzles/daily", operation_id = "daily-puzzle", tag = "puzzles",
    responses(
        (status = 200, description = "The puzzle", body = PuzzleInfo),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn daily(
    State(server): State<ServerState>,
    OptionalPerson(visitor): OptionalPerson,
) -> Result<Json<PuzzleInfo>, ErrorResponse> {
    let puzzle = PublishedPuzzles::get().daily(server.time.now());
    Ok(Json(puzzle_info(&server, puzzle, visitor).await?))
}

/// A puzzle near my rating that I have not tried; without a rating, near 1500. When I have tried
/// all, one whose last attempt is long ago.
#[utoipa::path(
    get, path = "/api/puzzles/next", operation_id = "next-puzzle", tag = "puzzles",
    params(PuzzleQuery),
    responses(
        (status = 200, description = "The puzzle", body = PuzzleInfo),
        (status = 404, description = "No puzzle has this theme", body = ApiError),
        (status = 422, description = "The query is invalid", body = ApiError),
    ),
)]
pub(crate) async fn next(
    State(server): State<ServerState>,
    OptionalPerson(visitor): OptionalPerson,
    query: Result<Query<PuzzleQuery>, QueryRejection>,
) -> Result<Json<PuzzleInfo>, ErrorResponse> {
    let Query(query) = query?;
    if query.difference.unsigned_abs() > PuzzleQuery::MAX_DIFFERENCE.unsigned_abs() {
        let limit = PuzzleQuery::MAX_DIFFERENCE;
        return Err(invalid(format!("the difference is from -{limit} to {limit}")));
    }
    let (rating, attempts) = match visitor {
        Some(person) => {
            let rating = server.store.solver_rating(person).await?;
            (rating.map(|rating| rating.rounded()), server.store.puzzle_attempts(person).await?)
        }
        None => (None, Vec::new()),
    };
    let tried = attempts.into_iter().map(|attempt| (attempt.first.puzzle, attempt.latest));
    let ratings = server.puzzle_ratings.load(&server).await?;
    let puzzle = selection::next_puzzle(
        PublishedPuzzles::get(),
        query,
        rating.unwrap_or_else(ratings::first_rating).value,
        &ratings,
        &tried.collect(),
        random::number(),
    );
    let puzzle = puzzle
        .ok_or_else(|| ErrorResponse::new(ErrorCode::NotFound, "no puzzle has this theme"))?;
    Ok(Json(puzzle_info(&server, puzzle, visitor).await?))
}

/// All puzzles as a file: one per line, with position, solution, themes, first rating and source.
/// `docs/puzzles.md` describes the format.
#[utoipa::path(
    get, path = "/api/puzzles.txt", operation_id = "all-puzzles", tag = "puzzles",
    responses((
        status = 200, description = "The file, compressed if the client accepts gzip",
        body = String, content_type = "text/plain",
    )),
)]
pub(crate) async fn download(headers: HeaderMap) -> Response {
    static_files::send(published_puzzles::file(), &headers, StatusCode::OK)
}

/// A puzzle with its solution, its rating and the votes.
#[utoipa::path(
    get, path = "/api/puzzles/{id}", operation_id = "puzzle", tag = "puzzles",
    params(("id" = String, Path, description = "The puzzle", example = "rk4mDs")),
    responses(
        (status = 200, description = "The puzzle", body = PuzzleInfo),
        (status = 404, description = "There is no such puzzle", body = ApiError),
    ),
)]
pub(crate) async fn show(
    State(server): State<ServerState>,
    OptionalPerson(visitor): OptionalPerson,
    id: Result<Path<PuzzleId>, PathRejection>,
) -> Result<Json<PuzzleInfo>, ErrorResponse> {
    let Path(id) = id?;
    Ok(Json(puzzle_info(&server, find(id)?, visitor).await?))
}

/// Submit an attempt: my moves up to the first wrong one. The puzzle is solved if they are those of
/// the solution, win at once, or end a forced hit in another way. My first attempt at a puzzle is
/// rated. This needs an account.
#[utoipa::path(
    post, path = "/api/puzzles/{id}/attempt", operation_id = "attempt-puzzle", tag = "puzzles",
    params(("id" = String, Path, description = "The puzzle", example = "rk4mDs")),
    request_body(content = PuzzleAttempt, example = json!({"moves": "e1d1 j8+"})),
    responses(
        (status = 200, description = "The result", body = PuzzleAttemptResult),
        (status = 403, description = "This needs an account", body = ApiError),
        (status = 404, description = "There is no such puzzle", body = ApiError),
        (status = 422, description = "A move can't be read", body = ApiError),
        (status = 429, description = "Too many attempts", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn attempt(
    State(server): State<ServerState>,
    id: Result<Path<PuzzleId>, PathRejection>,
    RequiredPerson(person): RequiredPerson,
    body: Result<Json<PuzzleAttempt>, JsonRejection>,
) -> Result<Json<PuzzleAttemptResult>, ErrorResponse> {
    let Path(id) = id?;
    let Json(PuzzleAttempt { moves, helped }) = body?;
    people::require_account(&server, person).await?;
    let NamedPuzzle { puzzle, .. } = find(id)?;
    let moves: Result<Vec<Move>, _> = moves.split_whitespace().map(str::parse).collect();
    let moves = moves.map_err(|error| invalid(error.to_string()))?;
    let at = server.time.now();
    server.rate_limits.puzzle_attempts.take(person, at)?;
    let solved = !helped && puzzle.is_solved_by(moves);
    let attempt = NewAttempt {
        person,
        puzzle: id,
        solved,
        at,
        first_rating: ratings::first_puzzle_rating(puzzle.rating),
        rate: ratings::rate_attempt,
    };
    let (rating, puzzle) = server.store.attempt_puzzle(attempt).await?;
    Ok(Json(PuzzleAttemptResult { solved, rating, puzzle }))
}

/// Vote for or against a puzzle. A later vote replaces an earlier one. This needs an account.
#[utoipa::path(
    put, path = "/api/puzzles/{id}/vote", operation_id = "vote-puzzle", tag = "puzzles",
    params(("id" = String, Path, description = "The puzzle", example = "rk4mDs")),
    request_body(content = PuzzleVote, example = json!("up")),
    responses(
        (status = 200, description = "The puzzle", body = PuzzleInfo),
        (status = 403, description = "This needs an account", body = ApiError),
        (status = 404, description = "There is no such puzzle", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn vote(
    State(server): State<ServerState>,
    id: Result<Path<PuzzleId>, PathRejection>,
    RequiredPerson(person): RequiredPerson,
    body: Result<Json<PuzzleVote>, JsonRejection>,
) -> Result<Json<PuzzleInfo>, ErrorResponse> {
    let Path(id) = id?;
    let Json(vote) = body?;
    people::require_account(&server, person).await?;
    set_vote(&server, id, person, Some(vote)).await
}

/// Remove my vote.
#[utoipa::path(
    delete, path = "/api/puzzles/{id}/vote", operation_id = "remove-puzzle-vote", tag = "puzzles",
    params(("id" = String, Path, description = "The puzzle", example = "rk4mDs")),
    responses(
        (status = 200, description = "The puzzle", body = PuzzleInfo),
        (status = 404, description = "There is no such puzzle", body = ApiError),
    ),
)]
pub(crate) async fn remove_vote(
    State(server): State<ServerState>,
    id: Result<Path<PuzzleId>, PathRejection>,
    RequiredPerson(person): RequiredPerson,
) -> Result<Json<PuzzleInfo>, ErrorResponse> {
    let Path(id) = id?;
    set_vote(&server, id, person, None).await
}

/// Sets or removes a vote.
async fn set_vote(
    server: &ServerState,
    id: PuzzleId,
    person: PersonId,
    vote: Option<PuzzleVote>,
) -> Result<Json<PuzzleInfo>, ErrorResponse> {
    let puzzle = find(id)?;
    server.store.vote_puzzle(id, person, vote).await?;
    Ok(Json(puzzle_info(server, puzzle, Some(person)).await?))
}

/// My puzzles: rating, results by theme, best series, history.
#[utoipa::path(
    get, path = "/api/me/puzzles", operation_id = "puzzle-dashboard", tag = "puzzles",
    responses(
        (status = 200, description = "The dashboard", body = PuzzleDashboard),
        (status = 401, description = "Not signed in", body = ApiError),
    ),
)]
pub(crate) async fn dashboard(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
) -> Result<Json<PuzzleDashboard>, ErrorResponse> {
    Ok(Json(load_dashboard(&server, person).await?))
}

async fn load_dashboard(
    server: &ServerState,
    person: PersonId,
) -> Result<PuzzleDashboard, StorageError> {
    let rating = server.store.solver_rating(person).await?;
    let ratings = server.puzzle_ratings.load(server).await?;
    let data = DashboardData {
        set: PublishedPuzzles::get(),
        ratings: &ratings,
        rating: rating.map_or_else(ratings::first_rating, |rating| rating.rounded()),
        attempts: server.store.puzzle_attempts(person).await?,
        best_runs: server.store.best_puzzle_runs(person).await?,
        now: server.time.now(),
    };
    Ok(data.dashboard())
}

/// Add to my account what I did on this device as a guest: attempts, which are not rated, and series.
/// Repeating it has no effect, and existing results of the account stay. This needs an account.
#[utoipa::path(
    post, path = "/api/me/puzzles", operation_id = "merge-puzzles", tag = "puzzles",
    request_body(content = DevicePuzzles, example = json!({
        "attempts": [{"puzzle": "rk4mDs", "at": 1_800_000_000_000_u64, "solved": true}],
        "runs": [{"kind": "storm", "at": 1_800_000_000_000_u64, "score": 17}],
    })),
    responses(
        (status = 200, description = "The dashboard", body = PuzzleDashboard),
        (status = 403, description = "This needs an account", body = ApiError),
        (status = 422, description = "Too many attempts or series", body = ApiError),
        (status = 429, description = "Too many requests", body = ApiError),
        (status = "default", description = "Another error", body = ApiError),
    ),
)]
pub(crate) async fn merge(
    State(server): State<ServerState>,
    RequiredPerson(person): RequiredPerson,
    body: Result<Json<DevicePuzzles>, JsonRejection>,
) -> Result<Json<PuzzleDashboard>, ErrorResponse> {
    let Json(DevicePuzzles { attempts, runs }) = body?;
    people::require_account(&server, person).await?;
    let (most_attempts, most_runs) = (DevicePuzzles::MAX_ATTEMPTS, DevicePuzzles::MAX_RUNS);
    if attempts.len() > most_attempts || runs.len() > most_runs {
        let limit = format!("at most {most_attempts} attempts and {most_runs} series at once");
        return Err(invalid(limit));
    }
    let now = server.time.now();
    server.rate_limits.puzzle_merges.take(person, now)?;
    let (attempts, runs) = (first_attempts(attempts, now), best_runs(runs, now));
    server.store.merge_puzzles(person, attempts, runs).await?;
    Ok(Json(load_dashboard(&server, person).await?))
}

/// Returns the first attempt at each puzzle of the set. The clock of a device may be wrong, so no
/// attempt is later than now.
fn first_attempts(mut attempts: Vec<DeviceAttempt>, now: u64) -> Vec<StoredAttempt> {
    let set = PublishedPuzzles::get();
    attempts.retain(|attempt| set.find(attempt.puzzle).is_some());
    attempts.sort_by_key(|attempt| (attempt.puzzle, attempt.at));
    let attempts = attempts.chunk_by(|one, other| one.puzzle == other.puzzle).map(|attempts| {
        let DeviceAttempt { puzzle, at, solved } = attempts[0];
        let first = PuzzleHistoryEntry { puzzle, at: at.min(now), solved, rating: None };
        StoredAttempt { first, latest: attempts[attempts.len() - 1].at.min(now) }
    });
    attempts.collect()
}

/// Returns the best series of each kind. No series has a puzzle twice, so longer ones than the set
/// are not possible.
fn best_runs(runs: Vec<PuzzleRun>, now: u64) -> Vec<PuzzleRun> {
    let longest = PublishedPuzzles::get().puzzles().len();
    let best = |kind: PuzzleRunKind| {
        let runs = runs.iter().filter(|run| run.kind == kind && usize::from(run.score) <= longest);
        runs.max_by_key(|run| run.score).map(|run| PuzzleRun { at: run.at.min(now), ..*run })
    };
    [PuzzleRunKind::Storm, PuzzleRunKind::Streak].into_iter().filter_map(best).collect()
}

/// Everything that the server stores about a person as a solver.
#[derive(Debug, Serialize)]
pub(crate) struct SolverData {
    rating: Option<Rating>,
    attempts: Vec<PuzzleHistoryEntry>,
    votes: Vec<(PuzzleId, PuzzleVote)>,
    best_runs: Vec<PuzzleRun>,
}

impl SolverData {
    /// Loads the data of a person.
    pub(crate) async fn load(
        server: &ServerState,
        person: PersonId,
    ) -> Result<SolverData, StorageError> {
        let attempts = server.store.puzzle_attempts(person).await?;
        Ok(SolverData {
            rating: server.store.solver_rating(person).await?.map(|rating| rating.rounded()),
            attempts: attempts.into_iter().map(|attempt| attempt.first).collect(),
            votes: server.store.puzzle_votes_of(person).await?,
            best_runs: server.store.best_puzzle_runs(person).await?,
        })
    }
}

#[cfg(test)]
mod tests {
    use khet_protocol::{DeviceAttempt, PuzzleRun, PuzzleRunKind};

    use super::{PublishedPuzzles, best_runs, first_attempts};

    #[test]
    fn first_attempt_at_each_puzzle_is_kept() {
        let [one, other] = [0, 1].map(|index| PublishedPuzzles::get().puzzles()[index].id);
        let attempt = |puzzle, at, solved| DeviceAttempt { puzzle, at, solved };
        let unknown = "222222".parse().unwrap();
        assert!(PublishedPuzzles::get().find(unknown).is_none());
        let attempts = vec![
            attempt(one, 70, true),
            attempt(other, 2000, true),
            attempt(one, 30, false),
            attempt(unknown, 10, true),
        ];
        let mut found: Vec<_> = first_attempts(attempts, 1000)
            .into_iter()
            .map(|one| (one.first.at, one.first.solved, one.latest))
            .collect();
        found.sort();
        assert_eq!(found, [(30, false, 70), (1000, true, 1000)]);
    }

    #[test]
    fn best_possible_series_of_each_kind_is_kept() {
        let run = |kind, score| PuzzleRun { kind, at: 5, score };
        let runs = vec![
            run(PuzzleRunKind::Storm, 7),
            run(PuzzleRunKind::Storm, 9),
            run(PuzzleRunKind::Storm, u16::MAX),
        ];
        assert_eq!(best_runs(runs, 10), [run(PuzzleRunKind::Storm, 9)]);
    }
}
