//! Errors as answers to requests: one type, from every layer.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use khet_protocol::{ApiError, ErrorCode};

use crate::storage::StorageError;

/// A request that is refused, or that failed.
#[derive(Clone, Debug)]
pub(crate) struct Refusal(pub(crate) ApiError);

impl Refusal {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Refusal {
        Refusal(ApiError::new(code, message))
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Refusal {
        Refusal(error)
    }
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Refusal {
        Refusal(from_storage(&error))
    }
}

/// What clients are told about the storage; the rest is for the log.
pub(crate) fn from_storage(error: &StorageError) -> ApiError {
    match error {
        StorageError::Closed => {
            ApiError::new(ErrorCode::Unavailable, "the server is stopping").retry_after(5)
        }
        error => {
            tracing::error!(%error, "storage failed");
            ApiError::new(ErrorCode::Internal, "the server failed; nothing has changed")
                .retry_after(5)
        }
    }
}

impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Refusal {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Refusal::new(ErrorCode::TooLarge, "the request is too large")
            }
            StatusCode::UNPROCESSABLE_ENTITY => {
                Refusal::new(ErrorCode::Invalid, rejection.body_text())
            }
            _ => Refusal::new(ErrorCode::Malformed, rejection.body_text()),
        }
    }
}

impl From<PathRejection> for Refusal {
    fn from(_: PathRejection) -> Refusal {
        Refusal::new(ErrorCode::NotFound, "there is nothing here")
    }
}

impl From<QueryRejection> for Refusal {
    fn from(rejection: QueryRejection) -> Refusal {
        Refusal::new(ErrorCode::Invalid, rejection.body_text())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = status(self.0.code);
        let retry_after = self.0.retry_after;
        let mut response = (status, Json(self.0)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::Malformed => StatusCode::BAD_REQUEST,
        ErrorCode::Invalid | ErrorCode::IllegalMove => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::SignedOut => StatusCode::UNAUTHORIZED,
        ErrorCode::Forbidden | ErrorCode::WrongOrigin => StatusCode::FORBIDDEN,
        ErrorCode::NotYourTurn
        | ErrorCode::Stale
        | ErrorCode::Over
        | ErrorCode::NotNow
        | ErrorCode::Taken => StatusCode::CONFLICT,
        ErrorCode::TooMany => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
