//! Board images for link previews, drawn on request.
//!
//! An image takes some hundredths of a second of CPU time. So few are drawn at once, few requests
//! may wait, and the last images are cached.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use khet::{AnyPlacement, AnyPosition, GamePosition, Rules};
use khet_protocol::{ApiError, ErrorCode, SetupId, Start};
use serde::Deserialize;
use tower_http::timeout::TimeoutLayer;

use crate::blocking_jobs::{BlockingJobs, JobError};
use crate::error_response::ErrorResponse;
use crate::rate_limits;
use crate::router::REQUEST_TIMEOUT;
use crate::server_state::ServerState;

/// Number of images drawn at the same time.
const MAX_DRAWING: usize = 2;
/// Number of requests that may wait.
const MAX_WAITING: usize = 30;
/// Number of cached images, of a few hundred kilobytes each.
const CACHE_SIZE: usize = 40;
/// Longest text of a position.
const MAX_POSITION_LENGTH: usize = 400;

/// The image of a position never changes.
const WEEK: &str = "public, max-age=604800";
/// A setup may be deleted.
const DAY: &str = "public, max-age=86400";

/// Draws and caches images.
#[derive(Debug)]
pub(crate) struct Pictures {
    cache: PictureCache,
    jobs: BlockingJobs,
}

impl Default for Pictures {
    fn default() -> Pictures {
        Pictures {
            cache: PictureCache::default(),
            jobs: BlockingJobs::new(MAX_DRAWING, MAX_WAITING),
        }
    }
}

/// The images drawn last.
#[derive(Clone, Debug, Default)]
struct PictureCache(Arc<Mutex<VecDeque<(AnyPlacement, Bytes)>>>);

impl PictureCache {
    /// Returns the image of a placement.
    fn get(&self, placement: &AnyPlacement) -> Option<Bytes> {
        let cached = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        cached.iter().find(|(known, _)| known == placement).map(|(_, picture)| picture.clone())
    }

    /// Adds an image and drops the oldest one if there are too many.
    fn add(&self, placement: AnyPlacement, picture: Bytes) {
        let mut cached = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        cached.push_back((placement, picture));
        if cached.len() > CACHE_SIZE {
            cached.pop_front();
        }
    }
}

impl Pictures {
    /// Returns the image of a position.
    async fn draw(&self, position: AnyPosition) -> Result<Bytes, ApiError> {
        let placement = position.placement();
        if let Some(cached) = self.cache.get(&placement) {
            return Ok(cached);
        }
        let cache = self.cache.clone();
        let job = self.jobs.run(move || {
            // Another request may have drawn it in the meantime.
            if let Some(cached) = cache.get(&placement) {
                return Ok(cached);
            }
            let picture = Bytes::from(khet_picture::preview(&position)?);
            // Cached here, so that the work is of use even if the client has disconnected.
            cache.add(placement, picture.clone());
            Ok::<_, khet_picture::PngError>(picture)
        });
        let failed = |error: &dyn std::fmt::Display| {
            tracing::error!(%error, %placement, "could not draw an image");
            ApiError::new(ErrorCode::Internal, "the image can't be drawn")
        };
        match job.await {
            Ok(Ok(picture)) => Ok(picture),
            Ok(Err(error)) => Err(failed(&error)),
            Err(JobError::Panicked) => Err(failed(&"the job panicked")),
            Err(JobError::TooBusy) => {
                let busy = ApiError::new(ErrorCode::Unavailable, "too many images are being drawn");
                Err(busy.retry_after(5))
            }
        }
    }
}

/// A position in a URL, as [`Start::url_text`] writes it, or the name of a setup.
#[derive(Debug, Deserialize)]
pub(crate) struct PositionQuery {
    position: String,
    #[serde(default)]
    rules: Rules,
}

impl PositionQuery {
    /// Returns the position, if it is legal.
    pub(crate) fn position(&self) -> Option<AnyPosition> {
        if self.position.len() > MAX_POSITION_LENGTH {
            return None;
        }
        let start = Start::from_url_text(&self.position).ok()?;
        AnyPosition::new(&start.placement(), self.rules).ok()
    }
}

/// Returns the path of a position's image.
pub(crate) fn address(position: &AnyPosition) -> String {
    let text = Start::url_text(&position.placement());
    format!("/pictures/position.png?position={text}&rules={}", position.rules())
}

/// Returns the path of a setup's image.
pub(crate) fn setup_address(id: SetupId) -> String {
    format!("/pictures/setup/{id}.png")
}

pub(crate) fn routes(server: &ServerState) -> Router<ServerState> {
    Router::new()
        .route("/pictures/position.png", get(position))
        .route("/pictures/setup/{file}", get(setup))
        .layer(middleware::from_fn_with_state(server.clone(), rate_limits::check))
        .layer(TimeoutLayer::with_status_code(
            axum::http::StatusCode::REQUEST_TIMEOUT,
            REQUEST_TIMEOUT,
        ))
}

fn not_found() -> ErrorResponse {
    ErrorResponse::new(ErrorCode::NotFound, "there is no such image")
}

/// Responds with the picture of the position in the query.
async fn position(
    State(server): State<ServerState>,
    query: Result<Query<PositionQuery>, QueryRejection>,
) -> Result<Response, ErrorResponse> {
    let position = query.ok().and_then(|Query(query)| query.position()).ok_or_else(not_found)?;
    Ok(png(server.pictures.draw(position).await?, WEEK))
}

/// Responds with the picture of a published setup.
async fn setup(
    State(server): State<ServerState>,
    Path(file): Path<String>,
) -> Result<Response, ErrorResponse> {
    let id: Option<SetupId> = file.strip_suffix(".png").and_then(|id| id.parse().ok());
    let card = server.store.setup(id.ok_or_else(not_found)?, None).await?.ok_or_else(not_found)?;
    let position = AnyPosition::new(&card.position, card.rules).map_err(|_| not_found())?;
    Ok(png(server.pictures.draw(position).await?, DAY))
}

/// Responds with a PNG image.
fn png(picture: Bytes, cache_control: &'static str) -> Response {
    ([(CONTENT_TYPE, "image/png"), (CACHE_CONTROL, cache_control)], picture).into_response()
}

#[cfg(test)]
mod tests {
    use khet::{AnyPosition, Rules, Setup, tower};

    use super::{Pictures, PositionQuery, address};

    fn query(position: &str) -> PositionQuery {
        PositionQuery { position: position.to_owned(), rules: Rules::Standard }
    }

    #[test]
    fn positions_in_urls_are_parsed() {
        assert_eq!(query("classic").position(), Some(Setup::Classic.position().into()));
        let orontes = AnyPosition::from(tower::Setup::Orontes.position());
        assert_eq!(query("orontes").position(), Some(orontes));
        let position = "4k5/10/10/10/10/10/10/5K4 s".parse().unwrap();
        assert_eq!(query("4k5/10/10/10/10/10/10/5K4_s").position(), Some(position));
        assert_eq!(
            address(&position),
            "/pictures/position.png?position=4k5/10/10/10/10/10/10/5K4_s&rules=standard"
        );
        let tower = "4k5/10/10/10/10/10/10/5K4+e4:6/6/6/6/6/6 s".parse().unwrap();
        let address = address(&tower);
        let text = "4k5/10/10/10/10/10/10/5K4%2Be4:6/6/6/6/6/6_s";
        assert_eq!(address, format!("/pictures/position.png?position={text}&rules=standard"));
        for resolved in [text.replace("%2B", "+"), text.replace("%2B", " ")] {
            assert_eq!(query(&resolved).position(), Some(tower));
        }
        for bad in ["", "nothing", "10/10/10/10/10/10/10/5K4_s", &"x".repeat(10_000)] {
            assert_eq!(query(bad).position(), None);
        }
    }

    #[tokio::test]
    async fn last_images_are_cached() {
        let pictures = Pictures::default();
        let position = Setup::Classic.position().into();
        let first = pictures.draw(position).await.unwrap();
        let again = pictures.draw(position).await.unwrap();
        assert_eq!(first.as_ptr(), again.as_ptr());
        assert_eq!(pictures.cache.0.lock().unwrap().len(), 1);
    }
}
