//! The error type of handlers, which turns errors of all layers into responses.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use khet_protocol::{ApiError, ErrorCode};

use crate::storage::StorageError;

/// An error that is sent as a response.
#[derive(Clone, Debug)]
pub(crate) struct ErrorResponse(pub(crate) ApiError);

impl ErrorResponse {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> ErrorResponse {
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
            ApiError::new(ErrorCode::Unavailable, "the server is stopping").retry_after(5)
        }
        StorageError::TooSlow => {
            let message = "the server is too busy for this; try again, or search for less";
            ApiError::new(ErrorCode::Unavailable, message).retry_after(5)
        }
        StorageError::Locked => {
            let message = "the server is too busy at the moment; nothing has changed";
            ApiError::new(ErrorCode::Unavailable, message).retry_after(5)
        }
        // Logged where it is found out, and not for each request.
        StorageError::Unwritable(_) | StorageError::FileReplaced => {
            let message = "nothing can be stored at the moment; nothing has changed";
            ApiError::new(ErrorCode::Unavailable, message).retry_after(5)
        }
        StorageError::NotOwner => {
            ApiError::new(ErrorCode::Unavailable, "the game is moving to another server")
                .retry_after(1)
        }
        StorageError::Disconnected(_) => {
            let message =
                "the database can't be reached at the moment; reload before you try again";
            ApiError::new(ErrorCode::Unavailable, message).retry_after(5)
        }
        error => {
            tracing::error!(%error, "storage failed");
            ApiError::new(ErrorCode::Internal, "internal error; nothing has changed").retry_after(5)
        }
    }
}

impl From<JsonRejection> for ErrorResponse {
    fn from(rejection: JsonRejection) -> ErrorResponse {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                ErrorResponse::new(ErrorCode::TooLarge, "the request is too large")
            }
            StatusCode::UNPROCESSABLE_ENTITY => {
                ErrorResponse::new(ErrorCode::Invalid, rejection.body_text())
            }
            _ => ErrorResponse::new(ErrorCode::Malformed, rejection.body_text()),
        }
    }
}

impl From<PathRejection> for ErrorResponse {
    fn from(_: PathRejection) -> ErrorResponse {
        ErrorResponse::new(ErrorCode::NotFound, "not found")
    }
}

impl From<QueryRejection> for ErrorResponse {
    fn from(rejection: QueryRejection) -> ErrorResponse {
        ErrorResponse::new(ErrorCode::Invalid, rejection.body_text())
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

/// Returns the HTTP status of an error code.
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
