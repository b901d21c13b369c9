//! Reviews of finished games: requested by anybody, made one at a time at low priority, and stored.
//!
//! The engine uses one thread and a fixed number of nodes per move, so the review of a game does
//! not depend on the machine. Requests that are pending when the server stops are lost; clients ask
//! again. With several nodes, the owner of a game reviews it, so that all nodes know where to ask.

mod queue;
mod reviewer;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use khet::{AnyGame, AnyPosition};
use khet_protocol::{ApiError, ErrorCode, GameId, GameReview, GameState, ReviewProgress};
use khet_review::Review;
use tokio::sync::{Notify, oneshot};

use self::queue::{QueueFull, ReviewQueue, ReviewRequest};
use crate::connections::Peer;
use crate::error_response::ErrorResponse;
use crate::people::OptionalPerson;
use crate::server_state::ServerState;

/// Largest number of moves of a reviewed game.
const MAX_MOVES: usize = 1000;
/// Seconds after which clients try again when the queue is full.
const RETRY_AFTER: u32 = 60;

/// The queue of requested reviews.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    queue: Mutex<ReviewQueue>,
    added: Notify,
    /// Stops the review in progress.
    stop: Arc<AtomicBool>,
}

impl Reviews {
    fn queue(&self) -> MutexGuard<'_, ReviewQueue> {
        self.queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns the progress of a review in the queue of this node.
    pub(crate) fn progress_here(&self, id: GameId) -> Option<ReviewProgress> {
        self.queue().progress(id)
    }

    /// Adds a finished game to the queue of this node.
    fn add(&self, id: GameId, game: AnyGame) -> Result<ReviewProgress, ApiError> {
        let progress = self.queue().add(id, game).map_err(|QueueFull| {
            let busy =
                ApiError::new(ErrorCode::Unavailable, "the review queue is full; try again later");
            busy.retry_after(RETRY_AFTER)
        })?;
        self.added.notify_one();
        Ok(progress)
    }

    /// Stops the review in progress, because the server stops.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Makes the requested reviews, one after the other.
pub(crate) async fn run(server: ServerState) {
    loop {
        let Some(request) = server.reviews.queue().first() else {
            server.reviews.added.notified().await;
            continue;
        };
        if let Some(review) = make_review(&request, &server.reviews.stop).await {
            let stored =
                GameReview { engine: reviewer::NAME.to_owned(), nodes: reviewer::NODES, review };
            if let Err(error) = server.store.add_review(request.id, stored, server.time.now()).await
            {
                tracing::error!(%error, game = %request.id, "could not store a review");
            }
        }
        server.reviews.queue().remove(request.id);
    }
}

/// Makes a review on a thread of its own, because the thread's priority is lowered for good.
async fn make_review(
    request: &ReviewRequest,
    stop: &Arc<AtomicBool>,
) -> Option<Review<AnyPosition>> {
    let (sender, receiver) = oneshot::channel();
    let (game, judged, stop) = (request.game.clone(), request.judged.clone(), stop.clone());
    let thread = std::thread::Builder::new().name("khet-review".to_owned()).spawn(move || {
        // The receiver may be gone.
        let _ = sender.send(reviewer::review(&game, &judged, &stop));
    });
    if let Err(error) = thread {
        tracing::error!(%error, game = %request.id, "could not start a thread for a review");
    }
    receiver.await.ok().flatten()
}

/// A game's review, if it was requested.
#[utoipa::path(
    get, path = "/api/games/{id}/review", operation_id = "review", tag = "games",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz")),
    responses(
        (status = 200, description = "The review", body = GameReview),
        (status = 202, description = "The review is in progress", body = ReviewProgress),
        (status = 404, description = "The review was not requested", body = ApiError),
    ),
)]
pub(crate) async fn show(
    State(server): State<ServerState>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Response, ErrorResponse> {
    let Path(id) = id?;
    match find_review(&server, id).await? {
        Some(response) => Ok(response),
        None => Err(ErrorResponse::new(ErrorCode::NotFound, "there is no review of this game")),
    }
}

/// Request the review of a finished game. It is made once and stored; fetch it later.
#[utoipa::path(
    post, path = "/api/games/{id}/review", operation_id = "make-review", tag = "games",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz")),
    responses(
        (status = 200, description = "The review exists already", body = GameReview),
        (status = 202, description = "The review is in progress", body = ReviewProgress),
        (status = 404, description = "There is no such game", body = ApiError),
        (status = 409, description = "The game is not over", body = ApiError),
        (status = 422, description = "The game is too long", body = ApiError),
        (status = 429, description = "Too many reviews", body = ApiError),
        (status = 503, description = "The queue is full", body = ApiError),
    ),
)]
pub(crate) async fn request(
    State(server): State<ServerState>,
    OptionalPerson(visitor): OptionalPerson,
    peer: Option<Extension<Peer>>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Response, ErrorResponse> {
    let Path(id) = id?;
    if let Some(response) = find_review(&server, id).await? {
        return Ok(response);
    }
    let game = find_finished_game(&server, id).await?;
    let now = server.time.now();
    if let Some(person) = visitor {
        server.rate_limits.reviews_by_person.take(person, now)?;
    }
    if let Some(Extension(Peer(address))) = peer {
        server.rate_limits.reviews_by_address.take(address, now)?;
    }
    let progress = match (&server.cluster, server.games.node_with(&server, id)?) {
        (Some(cluster), Some(owner)) => cluster.request_review(&owner, id).await?,
        _ => server.reviews.add(id, game)?,
    };
    Ok(in_progress(progress))
}

/// Adds a game to the queue of this node, for another one that has checked the rate limits.
pub(crate) async fn request_here(
    server: &ServerState,
    id: GameId,
) -> Result<ReviewProgress, ApiError> {
    let game = find_finished_game(server, id).await.map_err(|ErrorResponse(error)| error)?;
    server.reviews.add(id, game)
}

/// Returns the review or its progress.
async fn find_review(server: &ServerState, id: GameId) -> Result<Option<Response>, ErrorResponse> {
    // Checks the queue first: a review that leaves it in between is stored by then.
    if let Some(progress) = server.reviews.progress_here(id) {
        return Ok(Some(in_progress(progress)));
    }
    if let Some(stored) = load_review(server, id).await? {
        return Ok(Some(stored));
    }
    let Some(cluster) = &server.cluster else { return Ok(None) };
    let Some(owner) = server.games.node_with(server, id)? else { return Ok(None) };
    match cluster.review_progress(&owner, id).await? {
        Some(progress) => Ok(Some(in_progress(progress))),
        // It may have left the queue since this node looked for it.
        None => load_review(server, id).await,
    }
}

/// Returns the stored review.
async fn load_review(server: &ServerState, id: GameId) -> Result<Option<Response>, ErrorResponse> {
    let stored: Option<GameReview> = server.store.review(id).await?;
    Ok(stored.map(|stored| Json(stored).into_response()))
}

/// Responds with the progress of a review.
fn in_progress(progress: ReviewProgress) -> Response {
    (StatusCode::ACCEPTED, Json(progress)).into_response()
}

/// Returns a finished game. A game in progress must not be reviewed, because its players could use
/// the review.
async fn find_finished_game(server: &ServerState, id: GameId) -> Result<AnyGame, ErrorResponse> {
    let Some(stored) = server.store.archived_game(id).await? else {
        return Err(ErrorResponse::new(ErrorCode::NotFound, "there is no such game"));
    };
    let state = GameState::fold(&stored.events).map_err(|error| {
        tracing::error!(%id, %error, "could not load a game for review");
        ErrorResponse::new(ErrorCode::Internal, "this game can't be loaded")
    })?;
    if state.outcome().is_none() {
        return Err(ErrorResponse::new(ErrorCode::NotNow, "the game is not over"));
    }
    let moves = state.game().ply();
    if moves > MAX_MOVES {
        let message = format!("the game has {moves} moves; up to {MAX_MOVES} are reviewed");
        return Err(ErrorResponse::new(ErrorCode::Invalid, message));
    }
    Ok(state.game().clone())
}
