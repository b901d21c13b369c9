//! Errors as answers to requests: one type, from every layer.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use khet_protocol::{ApiError, Code};

use crate::storage::StorageError;

/// A request that is refused, or that failed.
#[derive(Clone, Debug)]
pub(crate) struct Refusal(pub(crate) ApiError);

impl Refusal {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Refusal {
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
            ApiError::new(Code::Unavailable, "the server is stopping").retry_after(5)
        }
        error => {
            tracing::error!(%error, "storage failed");
            ApiError::new(Code::Internal, "the server failed; nothing has changed").retry_after(5)
        }
    }
}

impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Refusal {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Refusal::new(Code::TooLarge, "the request is too large")
            }
            StatusCode::UNPROCESSABLE_ENTITY => Refusal::new(Code::Invalid, rejection.body_text()),
            _ => Refusal::new(Code::Malformed, rejection.body_text()),
        }
    }
}

impl From<PathRejection> for Refusal {
    fn from(_: PathRejection) -> Refusal {
        Refusal::new(Code::NotFound, "there is nothing here")
    }
}

impl From<QueryRejection> for Refusal {
    fn from(rejection: QueryRejection) -> Refusal {
        Refusal::new(Code::Invalid, rejection.body_text())
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

fn status(code: Code) -> StatusCode {
    match code {
        Code::Malformed => StatusCode::BAD_REQUEST,
        Code::Invalid | Code::IllegalMove => StatusCode::UNPROCESSABLE_ENTITY,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::SignedOut => StatusCode::UNAUTHORIZED,
        Code::Forbidden | Code::WrongOrigin => StatusCode::FORBIDDEN,
        Code::NotYourTurn | Code::Stale | Code::Over | Code::NotNow | Code::Taken => {
            StatusCode::CONFLICT
        }
        Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
