//! Reviews of finished games: asked for by anybody, made one at a time behind everything else, and kept.
//!
//! The engine has one thread and visits a fixed number of nodes for each question, so a game has one review, whoever asks. What was asked
//! for and is not made when the server stops is simply asked for again.

mod queue;
mod reviewer;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use khet::Game;
use khet_protocol::{ApiError, ErrorCode, GameId, GameReview, GameState, ReviewProgress};
use khet_review::Review;
use tokio::sync::{Notify, oneshot};

use self::queue::{Asked, Full, Queue};
use crate::app::App;
use crate::connections::Peer;
use crate::people::Visitor;
use crate::refusal::Refusal;

/// The longest game that is reviewed, in turns of either player.
const LONGEST: usize = 1000;
/// When to come back if too many wait, in seconds.
const LATER: u32 = 60;

/// What is to be reviewed, and how far it is.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    queue: Mutex<Queue>,
    asked: Notify,
    /// Ends the one that is being made.
    stop: Arc<AtomicBool>,
}

impl Reviews {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The server stops: nothing more is made.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Makes the reviews that are asked for, one after the other.
pub(crate) async fn work(app: App) {
    loop {
        let Some(asked) = app.reviews.queue().first() else {
            app.reviews.asked.notified().await;
            continue;
        };
        if let Some(review) = make(&asked, &app.reviews.stop).await {
            let kept =
                GameReview { engine: reviewer::NAME.to_owned(), nodes: reviewer::NODES, review };
            if let Err(error) = app.store.keep_review(asked.game, kept, app.time.now()).await {
                tracing::error!(%error, game = %asked.game, "a review is lost");
            }
        }
        app.reviews.queue().done(asked.game);
    }
}

/// A review, made by a thread that ends with it: its low priority must be nobody else's.
async fn make(asked: &Asked, stop: &Arc<AtomicBool>) -> Option<Review> {
    let (answer, made) = oneshot::channel();
    let (game, judged, stop) = (asked.record.clone(), asked.judged.clone(), stop.clone());
    let thread = std::thread::Builder::new().name("khet-review".to_owned()).spawn(move || {
        // Who no longer waits does not need to know.
        let _ = answer.send(reviewer::review(&game, &judged, &stop));
    });
    if let Err(error) = thread {
        tracing::error!(%error, game = %asked.game, "no thread for a review");
    }
    made.await.ok().flatten()
}

/// A game's review, if it was asked for.
#[utoipa::path(
    get, path = "/api/games/{id}/review", operation_id = "review", tag = "games",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz")),
    responses(
        (status = 200, description = "The review", body = GameReview),
        (status = 202, description = "It is being made", body = ReviewProgress),
        (status = 404, description = "Nobody has asked for it", body = ApiError),
    ),
)]
pub(crate) async fn look(
    State(app): State<App>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Response, Refusal> {
    let Path(id) = id?;
    match found(&app, id).await? {
        Some(answer) => Ok(answer),
        None => Err(Refusal::new(ErrorCode::NotFound, "there is no review of this game")),
    }
}

/// Ask for the review of a finished game. It is made once, and kept; come back for it.
#[utoipa::path(
    post, path = "/api/games/{id}/review", operation_id = "make-review", tag = "games",
    params(("id" = GameId, Path, description = "The game", example = "7Hc0aWxz")),
    responses(
        (status = 200, description = "It is there already", body = GameReview),
        (status = 202, description = "It is being made", body = ReviewProgress),
        (status = 404, description = "There is no such game", body = ApiError),
        (status = 409, description = "The game is not over", body = ApiError),
        (status = 422, description = "The game is too long", body = ApiError),
        (status = 429, description = "Too many reviews", body = ApiError),
        (status = 503, description = "Too many wait for theirs", body = ApiError),
    ),
)]
pub(crate) async fn ask(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    peer: Option<Extension<Peer>>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Response, Refusal> {
    let Path(id) = id?;
    if let Some(answer) = found(&app, id).await? {
        return Ok(answer);
    }
    let game = finished(&app, id).await?;
    let now = app.time.now();
    if let Some(person) = visitor {
        app.person_reviews.take(person, now)?;
    }
    if let Some(Extension(Peer(address))) = peer {
        app.review_requests.take(address, now)?;
    }
    let progress = app.reviews.queue().add(id, game).map_err(|Full| {
        let busy =
            ApiError::new(ErrorCode::Unavailable, "many games are being reviewed; try again later");
        busy.retry_after(LATER)
    })?;
    app.reviews.asked.notify_one();
    Ok(under_way(progress))
}

/// The review, or how far it is.
async fn found(app: &App, id: GameId) -> Result<Option<Response>, Refusal> {
    // Under way first: what is done in between is kept by the time it is looked for.
    let progress = app.reviews.queue().progress(id);
    if let Some(progress) = progress {
        return Ok(Some(under_way(progress)));
    }
    let kept: Option<GameReview> = app.store.review(id).await?;
    Ok(kept.map(|kept| Json(kept).into_response()))
}

fn under_way(progress: ReviewProgress) -> Response {
    (StatusCode::ACCEPTED, Json(progress)).into_response()
}

/// A game that may be reviewed. One that is played must not be: its players could look.
async fn finished(app: &App, id: GameId) -> Result<Game, Refusal> {
    let Some(stored) = app.store.game(id).await? else {
        return Err(Refusal::new(ErrorCode::NotFound, "there is no such game"));
    };
    let state = GameState::fold(&stored.events).map_err(|misfit| {
        tracing::error!(%id, %misfit, "a game that can't be reviewed");
        Refusal::new(ErrorCode::Internal, "this game can't be read")
    })?;
    if state.outcome().is_none() {
        return Err(Refusal::new(ErrorCode::NotNow, "the game is not over"));
    }
    let moves = state.game().moves().len();
    if moves > LONGEST {
        let message = format!("the game has {moves} moves; up to {LONGEST} are reviewed");
        return Err(Refusal::new(ErrorCode::Invalid, message));
    }
    Ok(state.game().clone())
}
