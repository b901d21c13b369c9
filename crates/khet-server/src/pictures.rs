//! Pictures of boards for links in messages, drawn when they are asked for.
//!
//! A picture takes some hundredths of a second of a processor. So few are drawn at once, few may wait for that, and the last ones
//! are kept.

use std::collections::VecDeque;
use std::sync::Mutex;

use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use khet::{Placement, Position, Rules};
use khet_protocol::{ApiError, ErrorCode, SetupId, Start};
use serde::Deserialize;
use tokio::sync::Semaphore;
use tower_http::timeout::TimeoutLayer;

use crate::app::{App, REQUEST_TIME};
use crate::limits;
use crate::refusal::Refusal;

/// Pictures that are drawn at once.
const AT_ONCE: usize = 2;
/// Pictures that wait for that.
const WAITING: usize = 30;
/// Pictures that are kept; each has a few hundred thousand bytes.
const KEPT: usize = 40;
/// No position is longer.
const LONGEST: usize = 400;

/// A position is always the same: its picture may be kept for a week.
const WEEK: &str = "public, max-age=604800";
/// A setup may be deleted.
const DAY: &str = "public, max-age=86400";

/// What is drawn, and what was.
#[derive(Debug)]
pub(crate) struct Pictures {
    kept: Mutex<VecDeque<(Placement, Bytes)>>,
    waiting: Semaphore,
    drawing: Semaphore,
}

impl Default for Pictures {
    fn default() -> Pictures {
        Pictures {
            kept: Mutex::default(),
            waiting: Semaphore::new(AT_ONCE + WAITING),
            drawing: Semaphore::new(AT_ONCE),
        }
    }
}

impl Pictures {
    /// The picture of a position.
    async fn of(&self, position: Position) -> Result<Bytes, ApiError> {
        let placement = position.placement();
        if let Some(kept) = self.kept(&placement) {
            return Ok(kept);
        }
        let busy =
            || ApiError::new(ErrorCode::Unavailable, "too many pictures at once").retry_after(5);
        let _place = self.waiting.try_acquire().map_err(|_| busy())?;
        let _move = self.drawing.acquire().await.map_err(|_| busy())?;
        // Someone else may have waited for the same.
        if let Some(kept) = self.kept(&placement) {
            return Ok(kept);
        }
        let drawn = tokio::task::spawn_blocking(move || khet_picture::preview(&position)).await;
        let failed = |error: &dyn std::fmt::Display| {
            tracing::error!(%error, %placement, "a picture failed");
            ApiError::new(ErrorCode::Internal, "the picture can't be drawn")
        };
        let picture = match drawn {
            Ok(Ok(picture)) => Bytes::from(picture),
            Ok(Err(error)) => return Err(failed(&error)),
            Err(error) => return Err(failed(&error)),
        };
        let mut kept = self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.push_back((placement, picture.clone()));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        Ok(picture)
    }

    fn kept(&self, placement: &Placement) -> Option<Bytes> {
        let kept = self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.iter().find(|(known, _)| known == placement).map(|(_, picture)| picture.clone())
    }
}

/// A position as addresses have it: notation with `_` for the space, or a setup's name.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    position: String,
    #[serde(default)]
    rules: Rules,
}

impl Asked {
    /// The position, if it can be played.
    pub(crate) fn position(&self) -> Option<Position> {
        if self.position.len() > LONGEST {
            return None;
        }
        let start: Start = self.position.replace('_', " ").parse().ok()?;
        Position::new(&start.placement(), self.rules).ok()
    }
}

/// The address of a position's picture.
pub(crate) fn address(position: &Position) -> String {
    let text = position.to_string().replace(' ', "_");
    format!("/pictures/position.png?position={text}&rules={}", position.rules())
}

/// The address of a setup's picture.
pub(crate) fn setup_address(id: SetupId) -> String {
    format!("/pictures/setup/{id}.png")
}

pub(crate) fn routes(app: &App) -> Router<App> {
    Router::new()
        .route("/pictures/position.png", get(position))
        .route("/pictures/setup/{file}", get(setup))
        .layer(middleware::from_fn_with_state(app.clone(), limits::check))
        .layer(TimeoutLayer::with_status_code(
            axum::http::StatusCode::REQUEST_TIMEOUT,
            REQUEST_TIME,
        ))
}

fn nothing() -> Refusal {
    Refusal::new(ErrorCode::NotFound, "there is no such picture")
}

async fn position(
    State(app): State<App>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Refusal> {
    let position = asked.ok().and_then(|Query(asked)| asked.position()).ok_or_else(nothing)?;
    Ok(png(app.pictures.of(position).await?, WEEK))
}

async fn setup(State(app): State<App>, Path(file): Path<String>) -> Result<Response, Refusal> {
    let id: Option<SetupId> = file.strip_suffix(".png").and_then(|id| id.parse().ok());
    let card = app.store.setup(id.ok_or_else(nothing)?, None).await?.ok_or_else(nothing)?;
    let position = Position::new(&card.position, card.rules).map_err(|_| nothing())?;
    Ok(png(app.pictures.of(position).await?, DAY))
}

fn png(picture: Bytes, keeping: &'static str) -> Response {
    ([(CONTENT_TYPE, "image/png"), (CACHE_CONTROL, keeping)], picture).into_response()
}

#[cfg(test)]
mod tests {
    use khet::{Rules, Setup};

    use super::{Asked, Pictures, address};

    fn asked(position: &str) -> Asked {
        Asked { position: position.to_owned(), rules: Rules::Standard }
    }

    #[test]
    fn positions_are_read_as_addresses_have_them() {
        assert_eq!(asked("classic").position(), Some(Setup::Classic.position()));
        let position = "4k5/10/10/10/10/10/10/5K4 s".parse().unwrap();
        assert_eq!(asked("4k5/10/10/10/10/10/10/5K4_s").position(), Some(position));
        assert_eq!(
            address(&position),
            "/pictures/position.png?position=4k5/10/10/10/10/10/10/5K4_s&rules=standard"
        );
        for bad in ["", "nothing", "10/10/10/10/10/10/10/5K4_s", &"x".repeat(10_000)] {
            assert_eq!(asked(bad).position(), None);
        }
    }

    #[tokio::test]
    async fn the_last_pictures_are_kept() {
        let pictures = Pictures::default();
        let position = Setup::Classic.position();
        let first = pictures.of(position).await.unwrap();
        let again = pictures.of(position).await.unwrap();
        assert_eq!(first.as_ptr(), again.as_ptr());
        assert_eq!(pictures.kept.lock().unwrap().len(), 1);
    }

    #[tokio::test]
    async fn too_many_at_once_are_told_to_come_back() {
        let pictures = Pictures::default();
        let all = pictures.waiting.acquire_many(pictures.waiting.available_permits() as u32);
        let _all = all.await.unwrap();
        let refused = pictures.of(Setup::Classic.position()).await.unwrap_err();
        assert_eq!(refused.code, khet_protocol::ErrorCode::Unavailable);
        assert!(refused.retry_after.is_some());
    }
}
