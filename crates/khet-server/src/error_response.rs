//! The error type of handlers, which turns errors of all layers into responses.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use khet_protocol::{ApiError, Code};

use crate::storage::StorageError;

/// An error that is sent as a response.
#[derive(Clone, Debug)]
pub(crate) struct ErrorResponse(pub(crate) ApiError);

impl ErrorResponse {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> ErrorResponse {
        ErrorResponse(ApiError::new(code, message))
    }
}

impl From<ApiError> for ErrorResponse {
    fn from(error: ApiError) -> ErrorResponse {
        ErrorResponse(error)
    }
}

impl From<StorageError> for ErrorResponse {
    fn from(error: StorageError) -> ErrorResponse {
        ErrorResponse(storage_error(&error))
    }
}

/// Returns the error that clients see. Details of the storage go to the log only.
pub(crate) fn storage_error(error: &StorageError) -> ApiError {
    match error {
        StorageError::Closed => {
            ApiError::new(Code::Unavailable, "the server is stopping").retry_after(5)
        }
        error => {
            tracing::error!(%error, "storage failed");
            ApiError::new(Code::Internal, "internal error; nothing has changed").retry_after(5)
        }
    }
}

impl From<JsonRejection> for ErrorResponse {
    fn from(rejection: JsonRejection) -> ErrorResponse {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                ErrorResponse::new(Code::TooLarge, "the request is too large")
            }
            StatusCode::UNPROCESSABLE_ENTITY => {
                ErrorResponse::new(Code::Invalid, rejection.body_text())
            }
            _ => ErrorResponse::new(Code::Malformed, rejection.body_text()),
        }
    }
}

impl From<PathRejection> for ErrorResponse {
    fn from(_: PathRejection) -> ErrorResponse {
        ErrorResponse::new(Code::NotFound, "not found")
    }
}

impl From<QueryRejection> for ErrorResponse {
    fn from(rejection: QueryRejection) -> ErrorResponse {
        ErrorResponse::new(Code::Invalid, rejection.body_text())
    }
}

impl IntoResponse for ErrorResponse {
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
